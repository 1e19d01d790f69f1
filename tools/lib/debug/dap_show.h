/* SPDX-License-Identifier: MIT */
/* What a debug adapter shows of an instant: frames, variables, values of expressions. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_DAP_SHOW_H
#define WEFT_TOOLS_LIB_DEBUG_DAP_SHOW_H

#include "tools/lib/debug/dap_data.h"

/* The run stands at another instant now: forgets the frames and references that were shown. */
void dap_forget(dap *d);
/* Bodies of the answers; the keys are written into an open object. NULL: it is; else why not. */
const char *dap_show_threads(dap *d, json *j);
const char *dap_show_stack(dap *d, json *j, int64_t thread, int64_t start, int64_t levels);
const char *dap_show_scopes(dap *d, json *j, int64_t frame);
const char *dap_show_variables(dap *d, json *j, int64_t reference, int64_t start, int64_t count);
/* Values; on hover with how they came about; commands of `monitor weft` where they were typed in. *moved: it went
 * elsewhere. */
const char *dap_show_value(dap *d, json *j, const char *expression, int64_t frame, const char *context, bool *moved);
/* Where an expression is in memory. False: nowhere. */
bool dap_place_of(dap *d, const char *expression, int64_t reference, int64_t frame, debug_watch *place);

#endif
