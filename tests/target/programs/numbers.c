/* SPDX-License-Identifier: MIT */
/* Stores numbers of every width, each of them a known number of times, and floats that change over time. */
#include <stdint.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

volatile int8_t bytes[3];
volatile uint16_t halves[3];
volatile int32_t words[3];
volatile int64_t wide[3];
volatile float single;
volatile double real;
volatile uint64_t large;

static const int8_t bytes_of[] = {-1, -128, 77};
static const uint16_t halves_of[] = {511, 65535, 33333};
static const int32_t words_of[] = {-70000, 1234567, -1};
static const int64_t wide_of[] = {0x123456789abcdef, -5000000000, 6000000000};
static const float singles_of[] = {21.5f, -0.25f, 1e9f, 0.1f};
static const double reals_of[] = {2.0, -0.1, 12345.678, 6.5e20};

__attribute__((noinline)) static void store(unsigned i)
{
    bytes[i] = bytes_of[i];
    halves[i] = halves_of[i];
    words[i] = words_of[i];
    wide[i] = wide_of[i];
}

int main(void)
{
    for (unsigned i = 0; i < COUNT(bytes_of); i++)
        store(i);
    for (unsigned i = 0; i < COUNT(singles_of); i++) {
        single = singles_of[i];
        real = reals_of[i];
    }
    large = UINT64_MAX;
    large = 3;
    large = UINT64_C(1) << 63;
    printf("%d\n", words[1]);
    return 0;
}
