/* SPDX-License-Identifier: MIT */
/* Who runs at an instant, and who waits: threads of thread mode (a thread is what goes on from its frame; a frame that
 * the program made is a new thread) and handlers that are active. */
#ifndef WEFT_TOOLS_LIB_DEBUG_CONTEXTS_H
#define WEFT_TOOLS_LIB_DEBUG_CONTEXTS_H

#include "tools/lib/debug/run.h"

debug_contexts debug_contexts_at(debug_run *r, debug_instant at);
/* As runs_again of a subject (subject.h). */
bool debug_contexts_again(debug_run *r, debug_instant at, uint32_t id, bool backward, debug_instant *found);
/* The exception and the function of its handler; or the thread and where it began. */
void debug_context_name(debug_run *r, uint32_t id, char *name, size_t size);

#endif
