/* SPDX-License-Identifier: MIT */
/* Pauses its recording and resumes it, by calls and by the word that a debugger writes: tests/target/controls.sh. */
#include <stdio.h>

#include "port/cortex-m/controls.h"

#define REST __attribute__((noinline))

static volatile unsigned table[8], sum;

REST static void first(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        sum += table[i & 7];
}

REST static void hidden(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        table[i & 7] += sum ^ i;
}

REST static void second(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (table[i & 7] & 1)
            sum += i;
}

/* The pause begins and ends in the middle of its activation. */
REST static void across(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        table[i & 7] = i;
        if (i == count / 3 && weft_pause() != WEFT_OK)
            puts("no pause");
        if (i == 2 * count / 3 && weft_resume() != WEFT_OK)
            puts("no resume");
        sum += table[(i + 1) & 7];
    }
}

static void ask(weft_request request)
{
    weft_control_word = request;
    weft_controls_poll();
    if (weft_control_word)
        puts("not obeyed");
}

int main(void)
{
    first(300);
    if (weft_resume() == WEFT_OK)
        puts("resumed without a pause");
    if (weft_pause() != WEFT_OK || weft_pause() == WEFT_OK)
        puts("no pause, or two");
    hidden(300);
    if (weft_resume() != WEFT_OK)
        puts("no resume");
    second(300);
    across(300);
    ask(WEFT_REQUEST_PAUSE);
    hidden(100);
    ask(WEFT_REQUEST_RESUME);
    second(100);
    ask(WEFT_REQUEST_STOP);
    hidden(100);
    printf("end %u\n", sum);
    return 0;
}
