/* SPDX-License-Identifier: MIT */
/* What the parts of the debug adapter share. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_DAP_DATA_H
#define WEFT_TOOLS_LIB_DEBUG_DAP_DATA_H

#include "tools/lib/debug/dap_link.h"
#include "tools/lib/debug/dap_opener.h"
#include "tools/lib/debug/names.h"

#define DAP_FRAMES_MAX 256u

/* A breakpoint that a client set. */
typedef struct dap_break {
    char *source; /* the file; NULL: a function */
    uint32_t address;
    int64_t id;
    char *condition; /* NULL: always */
} dap_break;

/* A frame as the client sees it. */
typedef struct dap_frame {
    uint32_t context;
    debug_frame frame;
    debug_level level;
} dap_frame;

/* What a reference to variables stands for. */
typedef struct dap_handle {
    enum { DAP_LOCALS, DAP_STATICS, DAP_REGISTERS, DAP_VALUE } kind;
    size_t frame;
    debug_value value;
} dap_handle;

typedef struct dap {
    dap_link link;
    const dap_opener *opener;
    debug_subject *subject; /* NULL: not launched yet */
    debug_names names;
    debug_instant at;
    bool stop_on_entry, ended;
    char *source_dir; /* NULL: where we run */

    dap_break *breaks;
    size_t break_count, break_max;
    int64_t break_id;
    debug_watch *watches;
    int64_t *watch_ids;
    size_t watch_count, watch_max, watch_id_max;
    uint32_t watch_hit; /* the one that the last stop was at */

    dap_frame *frames; /* shown since the last stop; ids are places in it, from 1 */
    size_t frame_count, frame_max;
    dap_handle *handles; /* the same for references */
    size_t handle_count, handle_max;
} dap;

#endif
