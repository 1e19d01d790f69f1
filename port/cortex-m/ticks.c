/* SPDX-License-Identifier: MIT */
/* What a program counts that is compiled with probes=inputs (tools/gcc/ticks.cc). In a file of its own: it is linked
 * where the program counts, which the recorder sees by its address (port/cortex-m/places.c). */
#include "core/own.h"

#include <stdint.h>

extern volatile uint32_t __weft_ticks;
volatile uint32_t __weft_ticks;
