/* SPDX-License-Identifier: MIT */
/* Functions that the plugin's control=GLOBS names are controlled one by one, at run time: of each, one activation in N
 * is recorded, or its entry is a trigger. To such a function belongs an object of this type with the name
 * weft_function_ and the function's own in the assembler file, for firmware and debuggers to write to:
 *
 *     WEFT_FUNCTION(sample_adc);
 *     weft_function_sample_adc.keep = 100;
 *
 * Functions of one name in several files share it. An activation that is left out records nothing of its own; what it
 * calls is recorded. Each change is in the recording, and so is, at its end, how many activations were left out. What
 * is not named costs nothing; what is, a call at its entry, and about four instructions more for each probe. */
#ifndef WEFT_PORT_ACTIVATIONS_H
#define WEFT_PORT_ACTIVATIONS_H

#include "core/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_function {
    volatile uint32_t keep;    /* N: of the activations that begin from now on, one in N is recorded; 0 and 1: all */
    volatile uint32_t trigger; /* not 0: the next activation is a trigger, if one is armed (port/cortex-m/trigger.h) */
    /* Private. */
    uint32_t seen;                          /* activations since the last that was kept */
    uint32_t told, told_run, told_sequence; /* what the recording says, and when it was said */
} weft_function;

/* Declares the object of a function, by its name in the assembler file. */
#define WEFT_FUNCTION(name) extern weft_function weft_function_##name

#ifdef __cplusplus
}
#endif

#endif
