/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/context.h"
#include "core/own.h"

#include <stddef.h>

weft_recorder *volatile weft_target_recorder;

weft_predicted *volatile weft_target_predicted;

void weft_target_forget(void)
{
    weft_target_predicted = NULL;
    weft_target_recorder = NULL;
}

volatile uint32_t weft_target_thread;
