/* SPDX-License-Identifier: MIT */
/* A pump controller in a fleet. The first argument seeds its sensor's values. The second, if there is one, is a
 * fault that one device has. Built with LATER it is the next version, in which filter() takes longer. */
#include <stdlib.h>

enum { TAPS = 4 };

static volatile unsigned taps_now = TAPS;
static unsigned window[8], level, valve, alarms;
static unsigned state;

static unsigned sense(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 20;
}

__attribute__((noinline)) static unsigned filter(unsigned value)
{
    unsigned sum = 0;
    for (unsigned i = 7; i > 0; i--)
        window[i] = window[i - 1];
    window[0] = value;
    for (unsigned i = 0; i < taps_now; i++)
        sum += window[i];
#ifdef LATER
    for (unsigned i = 0; i < taps_now; i++)
        sum = window[i] > 1000000 ? 0 : sum;
#endif
    return sum >> 2;
}

__attribute__((noinline)) static void alarm(unsigned value)
{
    alarms++;
    if (value > 5000) /* only a broken sensor reports such a value */
        valve = 0;
}

__attribute__((noinline)) static void control(unsigned value)
{
    if (value > level + 200)
        valve++;
    else if (value + 200 < level)
        valve--;
    if (value > 2500)
        alarm(value);
    level = value;
}

int main(int argc, char **argv)
{
    state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    for (unsigned i = 0; i < 300; i++) {
        unsigned value = sense();
        if (i == 150 && argc > 2)
            value += 40000;
        control(filter(value));
    }
    return valve == 12345;
}
