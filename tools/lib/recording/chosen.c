/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/chosen.h"

#include <stdatomic.h>

static uint64_t chosen;
static atomic_bool asked;

void recording_choose(uint64_t number)
{
    chosen = number;
}

uint64_t recording_chosen(void)
{
    asked = true;
    return chosen;
}

bool recording_ignored(void)
{
    return chosen && !asked;
}
