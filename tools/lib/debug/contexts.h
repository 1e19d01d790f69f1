/* SPDX-License-Identifier: MIT */
/* Who runs at an instant, and who waits: threads of thread mode (a thread is what goes on from its frame; a frame that
 * the program made is a new thread) and handlers that are active. */
#ifndef WEFT_TOOLS_LIB_DEBUG_CONTEXTS_H
#define WEFT_TOOLS_LIB_DEBUG_CONTEXTS_H

#include "tools/lib/debug/run.h"

#define DEBUG_HANDLER_ID 0x1000u /* id of a handler: this and its exception number. Of a thread: 1, 2, 3... */

typedef struct debug_context {
    uint32_t id;
    debug_instant at; /* its registers are those before this step; the current context: the instant itself */
    bool has_pc;
    uint32_t pc, xpsr_it; /* where it goes on */
    uint32_t exception;   /* of one that waits: what interrupted it */
} debug_context;

typedef struct debug_contexts {
    debug_context *all; /* the current one first */
    uint32_t count;
} debug_contexts;

debug_contexts debug_contexts_at(debug_run *r, debug_instant at);
void debug_contexts_free(debug_contexts *c);
/* The name of a context: the exception and the function of its handler; or the thread and where it began. */
void debug_context_name(debug_run *r, uint32_t id, char *name, size_t size);

#endif
