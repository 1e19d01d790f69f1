/* SPDX-License-Identifier: MIT */
/* A recording with probes, as events of a full one: the instructions that its paths stand for (machine/tracks.h), with
 * the accesses that were announced, and with what can be known of their values.
 *
 *     recorded                            given
 *     path 12 of push()                   ldr r3, [r0]     loads head, a word at 0x20000010
 *       load 0x20000010 4 head            cpsid i          masks interrupts
 *       store 0x20000010 4 head           adds r3, #1
 *                                         str r3, [r0]     stores it, value unknown
 *                                         cpsie i
 *
 * Registers and memory are followed as far as they are constants, were recorded, or were stored before; the state of
 * the masks is then known wherever an instruction sets it. What is not known is marked: `unknown` of an event, and
 * retrace_doubts(). A path is given as a whole when it ends: what interrupted it comes before it. Steps that the path
 * does not decide are left out.
 *
 * Stacks are at addresses of their own, from RETRACE_STACKS on. */
#ifndef WEFT_TOOLS_LIB_INSPECT_RETRACE_H
#define WEFT_TOOLS_LIB_INSPECT_RETRACE_H

#include "tools/lib/image/program.h"
#include "tools/lib/inspect/processor.h"
#include "tools/lib/inspect/race.h"
#include "tools/lib/profile/functions_probes.h"
#include "tools/lib/recording/container.h"

#define RETRACE_STACKS 0xc0000000u /* no memory is there on a Cortex-M */

typedef struct retrace retrace;

/* `file` and `app`, which fit, outlive it. */
retrace *retrace_open(const container *file, program *app);
void retrace_close(retrace *r);
/* From the start again, for a processor that is fed with each event before the next one is asked for. */
void retrace_begin(retrace *r, const processor *p);
/* 1: the next event is in *event. 0: the end, or an error. */
int retrace_next(retrace *r, full_event *event);
/* The decoded form of the last event's instruction. */
const thumb_insn *retrace_insn(const retrace *r);
/* NULL, or what does not fit. */
const char *retrace_error(const retrace *r);
/* Of the whole reading. */
race_doubts retrace_doubts(const retrace *r);
functions_seen retrace_seen(const retrace *r);

#endif
