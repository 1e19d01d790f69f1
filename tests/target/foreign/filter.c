/* SPDX-License-Identifier: MIT */
#include "filter.h"

int filter(int *history, int sample)
{
    int sum = 0;
    for (int i = FILTER_TAPS - 1; i > 0; i--)
        sum += history[i] = history[i - 1];
    history[0] = sample;
    return (sum + sample) / FILTER_TAPS;
}
