/* SPDX-License-Identifier: MIT */
/* The log of slices (slice_log.h): how it is held. Private to the room. */
#ifndef WEFT_TOOLS_LIB_WET_SLICE_LINKS_H
#define WEFT_TOOLS_LIB_WET_SLICE_LINKS_H

#include "tools/lib/wet/word.h"

#define SLICE_SPAN_BITS 16u /* 2^16 executions make a span. More: dearer starts of slices */
#define SLICE_OPERATION_BITS 6u
/* With this bit the rest of a link is a place in `groups`, where a count and that many targets stand. */
#define SLICE_GROUP (UINT32_C(1) << 31)
#define SLICE_NONE UINT32_MAX

/* The links of a node: its controls first, then those of the loads of each operation. */
typedef struct slice_log_node {
    uint32_t *first; /* of each operation, and one more, which is how many links there are */
    uint64_t loads;  /* operations that load */
} slice_log_node;

typedef struct slice_span {
    uint32_t *nodes, *links; /* of each execution; WET_NONE: the file is damaged */
    size_t size;             /* bytes, where they are a part of the temporary file; else 0 */
} slice_span;

typedef struct slice_log {
    uint32_t time; /* of the last execution that it holds */
    slice_log_node *nodes;
    uint32_t node_count;
    slice_span *spans;
    size_t span_max;
    uint64_t *groups, group_count; /* a target: its timestamp << SLICE_OPERATION_BITS | operation */
    size_t group_max;
    uint64_t held;               /* bytes in memory */
    void *file;                  /* a FILE; NULL: none yet */
    uint64_t file_size;          /* bytes */
    struct slice_resolver *make; /* what goes on where the log ends; NULL: it holds all */
    /* What slices share (walker.h): nodes, backward and forward; of each timestamp the marks, 0 between slices. NULL:
     * there was no slice yet. */
    struct slice_node *prepared[2];
    uint64_t *marks;
} slice_log;

#endif
