/* SPDX-License-Identifier: MIT */
/* A recording of probes, opened: what its pieces and activations mean. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_PROBES_RUN_H
#define WEFT_TOOLS_LIB_DEBUG_PROBES_RUN_H

#include "tools/lib/debug/probes_data.h"

/* NULL and a message: not such files. */
probes_run *probes_run_read(const char *weft, const char *elf, char *message, size_t message_size);
void probes_run_free(probes_run *r);

/* The instruction of an instant; 0: there is none. */
uint32_t probes_pc(const probes_run *r, debug_instant at);
/* The last piece of a context that begins at or before `piece`; PROBES_NONE: there is none. */
uint32_t probes_context_piece(const probes_run *r, uint32_t context, uint32_t piece);
/* Where the callers of an activation go on, the innermost first; with `activations`, whose code that is. */
size_t probes_callers(const probes_run *r, uint32_t activation, uint32_t *pcs, uint32_t *activations, size_t max);
/* A name for the function of an activation. */
const char *probes_function(const probes_run *r, uint32_t activation);

#endif
