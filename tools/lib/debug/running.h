/* SPDX-License-Identifier: MIT */
/* What the parts of a run share: the files and the windows made lately. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_RUNNING_H
#define WEFT_TOOLS_LIB_DEBUG_RUNNING_H

#include "tools/lib/debug/subject.h"
#include "tools/lib/debug/window.h"
#include "tools/lib/image/image.h"

#define RUN_WINDOWS 8u /* windows kept. More: more memory */
#define RUN_NEAR 1024u /* steps from a border where the window beyond it is begun : from RUN_AT. Fewer: longer steps */
#define RUN_JUMP 64u /* the same of a jump, which waits for it : 2 * RUN_AT to RUN_NEAR. Fewer: longer steps after it */
#define RUN_AT 8u    /* steps from a border where it has to be there : from 1. Fewer: more steps that share the work */

typedef struct debug_run {
    image *im;
    debug_source source;
    debug_window *windows[RUN_WINDOWS];
    uint64_t asked;
    struct debug_making *beyond; /* the window that is being made; NULL: none */
    bool has_reset;              /* the run begins with a reset, which sets sp */
    uint32_t reset_sp;
    debug_devices devices;       /* name NULL: none */
    struct debug_stacks *stacks; /* stacks.h; NULL: sp is always MSP */
} debug_run;

/* A window; valid until RUN_WINDOWS others were asked for. */
debug_window *run_window(debug_run *r, uint32_t number);
/* Prepares a step from `at`: near the border, a part of the window beyond it is made. */
void run_prepare(debug_run *r, debug_instant at, bool backward);
/* After a jump: a window whose border is at most RUN_JUMP steps away is made at once. */
void run_arrive(debug_run *r, debug_instant at);
uint32_t run_windows(const debug_run *r);
/* The first step of a window from this statement of an execution on. */
uint32_t run_step_of(const debug_window *w, uint32_t time, uint32_t statement);

#endif
