/* SPDX-License-Identifier: MIT */
/* Instants of a recording of probes, one after the other, as next and previous of a subject. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_PROBES_STEP_H
#define WEFT_TOOLS_LIB_DEBUG_PROBES_STEP_H

#include "tools/lib/debug/probes_data.h"

/* False: there is none. */
bool probes_next(const probes_run *r, debug_instant *at);
bool probes_previous(const probes_run *r, debug_instant *at);

#endif
