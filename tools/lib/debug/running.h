/* SPDX-License-Identifier: MIT */
/* What the parts of a run share: the files and the windows made lately. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_RUNNING_H
#define WEFT_TOOLS_LIB_DEBUG_RUNNING_H

#include "tools/lib/debug/subject.h"
#include "tools/lib/debug/window.h"
#include "tools/lib/image/image.h"

#define RUN_WINDOWS 8u /* windows kept. More: more memory */

typedef struct debug_run {
    image *im;
    debug_source source;
    debug_window *windows[RUN_WINDOWS];
    uint64_t asked;
    bool has_reset; /* the run begins with a reset, which sets sp */
    uint32_t reset_sp;
    debug_devices devices;       /* name NULL: none */
    struct debug_stacks *stacks; /* stacks.h; NULL: sp is always MSP */
} debug_run;

/* A window; valid until RUN_WINDOWS others were asked for. */
debug_window *run_window(debug_run *r, uint32_t number);
uint32_t run_windows(const debug_run *r);
/* The first step of a window from this statement of an execution on. */
uint32_t run_step_of(const debug_window *w, uint32_t time, uint32_t statement);

#endif
