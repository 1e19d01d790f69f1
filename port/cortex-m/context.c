/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/context.h"
#include "core/own.h"

weft_recorder *volatile weft_target_recorder;
volatile uint32_t weft_target_thread;
