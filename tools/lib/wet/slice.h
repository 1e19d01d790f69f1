/* SPDX-License-Identifier: MIT */
/* Slices of a whole execution trace: all instances of operations that an instance depends on, through data and control
 * (backward), or that depend on it (forward). Zhang & Gupta, sections 2 and 5.2.
 *
 * The first slice finds where all edges lead, up to its instance (slice_log.h). Each one then walks the trace once,
 * from the instance on. Registers need no edge: the next definition met is the producer.
 *
 *     ldr r0, [x]        backward from the store to y: itself, adds (which defined r1), ldr (which defined r0), and
 *     movs r2, #5        the store that ldr read. Not movs, which nothing of these reads
 *     adds r1, r0, #1    forward from ldr: itself, adds, the store to y, and what loads y later
 *     str r1, [y] */
#ifndef WEFT_TOOLS_LIB_WET_SLICE_H
#define WEFT_TOOLS_LIB_WET_SLICE_H

#include "tools/lib/wet/word.h"

/* An instance of a statement of a node. */
typedef struct wet_instance {
    uint32_t node, statement, instance; /* statement: its place on the path */
} wet_instance;

/* Where a slice or an explanation begins: at some operations of an instance, numbered as in its node. */
typedef struct wet_start {
    wet_instance at;
    uint64_t operations; /* a mask; 0: all of the statement */
} wet_start;

typedef struct wet_slice {
    uint64_t *counts;    /* instances of each static instruction */
    uint64_t instances;  /* of statements */
    uint32_t statements; /* static instructions */
    uint32_t unknown;    /* of these, those whose reads are not known (decode.h); forward: any that may belong to it */
} wet_slice;

/* Told of each execution with the operations that belong to the slice, in the order of the walk. */
typedef void wet_slice_visit(void *context, uint32_t node, uint32_t instance, uint64_t operations);

/* visit may be NULL. Exceptions are not counted, but followed. */
wet_slice *wet_slice_run(wet_file *f, wet_start from, bool forward, wet_slice_visit *visit, void *context);
void wet_slice_free(wet_slice *slice);

#endif
