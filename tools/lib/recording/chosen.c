/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/chosen.h"

static uint64_t chosen;

void recording_choose(uint64_t number)
{
    chosen = number;
}

uint64_t recording_chosen(void)
{
    return chosen;
}
