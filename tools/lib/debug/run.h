/* SPDX-License-Identifier: MIT */
/* A recorded run as a debugger sees it: instants, each before an instruction that executed, and at any instant the
 * registers and the memory; steps and searches in both directions.
 *
 *     debug_run *r = debug_run_open("x.wet", "app.elf", message, sizeof message);
 *     debug_instant at = debug_run_first(r);
 *     while (debug_run_next(r, &at)) ...
 *     if (debug_run_register(r, at, 13, &sp)) ...
 *     debug_run_close(r);
 *
 * An instant is before step `step` of window `window`, which is an instruction. */
#ifndef WEFT_TOOLS_LIB_DEBUG_RUN_H
#define WEFT_TOOLS_LIB_DEBUG_RUN_H

#include "tools/lib/debug/subject.h"
#include "tools/lib/debug/window.h"
#include "tools/lib/image/image.h"

typedef struct debug_run debug_run;

/* NULL and a message: a file cannot be read, has no snapshots, or the program is another one than was recorded. */
debug_run *debug_run_open(const char *wet, const char *elf, char *message, size_t message_size);
void debug_run_close(debug_run *r);
wet_file *debug_run_file(debug_run *r);
const image *debug_run_image(const debug_run *r);
/* Closed with the run. Without them, a `name` that is NULL. */
void debug_run_name_devices(debug_run *r, debug_devices devices);
debug_devices debug_run_devices(const debug_run *r);

debug_instant debug_run_first(debug_run *r);
debug_instant debug_run_last(debug_run *r);
/* The first instant of a timestamp or after it; statement: from that place of its node on. */
debug_instant debug_run_at(debug_run *r, uint32_t time, uint32_t statement);
/* False: there is none. */
bool debug_run_next(debug_run *r, debug_instant *at);
bool debug_run_previous(debug_run *r, debug_instant *at);

/* What happens at an instant: the instruction that comes next. */
const debug_step *debug_run_step(debug_run *r, debug_instant at);
uint32_t debug_run_pc(debug_run *r, debug_instant at);
/* A location (WET_IPSR too). False: not known. */
bool debug_run_register(debug_run *r, debug_instant at, unsigned loc, uint32_t *value);
/* xPSR: flags, T, IT bits, IPSR. False: the flags are not known (and 0). */
bool debug_run_xpsr(debug_run *r, debug_instant at, uint32_t *value);
/* Memory from `address` on; how many bytes are known in a row, up to `size`. */
size_t debug_run_memory(debug_run *r, debug_instant at, uint32_t address, uint8_t *bytes, size_t size);

#endif
