/* SPDX-License-Identifier: MIT */
/* Every exception of a run, in order: entries, returns, handlers that start in place of another. */
#ifndef WEFT_TOOLS_LIB_DEBUG_EXCEPTIONS_H
#define WEFT_TOOLS_LIB_DEBUG_EXCEPTIONS_H

#include "tools/lib/wet/past.h"

enum { DEBUG_ENTRY = 1, DEBUG_RETURN = 2, DEBUG_CHAINED = 3 };

typedef struct debug_exception {
    uint32_t time; /* timestamp of its execution */
    uint32_t kind; /* wet_static */
    uint16_t from, to;
    uint32_t frame;   /* where the core stacks or loads; 0: chained */
    uint32_t entries; /* entries before it */
    uint32_t thread;  /* of thread mode, from 1: the thread that runs after it, or that will go on */
} debug_exception;

typedef struct debug_exceptions {
    debug_exception *all;
    uint32_t count;
    uint32_t threads; /* at least 1 */
} debug_exceptions;

void debug_exceptions_read(debug_exceptions *e, wet_file *f);
void debug_exceptions_free(debug_exceptions *e);
/* How many have a timestamp below `time`. */
uint32_t debug_exceptions_before(const debug_exceptions *e, uint32_t time);

#endif
