/* SPDX-License-Identifier: MIT */
/* What a black box of either form held. */
#ifndef WEFT_TOOLS_LIB_RECORDING_BLACKBOX_PATHS_H
#define WEFT_TOOLS_LIB_RECORDING_BLACKBOX_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/blackbox.h"

/* Symbols of the compressed form that follow from the table as it was then: a few bytes stand for hundreds of them, so
 * they are kept as runs (tools/lib/recording/blackbox_packed.c). */
typedef struct blackbox_run {
    uint16_t symbol, count; /* the newest one; 0: the run has none */
    uint16_t set;           /* of the table, which an entry of the ring changed before the symbols of the newer run */
    bool changed;           /* false: it changed nothing */
    uint32_t pair;          /* what the set was after that */
} blackbox_run;

/* Whether memory is as it was when the box was held: WEFT_META_BLACKBOX_SUM. */
typedef enum blackbox_sum {
    BLACKBOX_UNSUMMED, /* it was not held, or by a Weft that made no sum */
    BLACKBOX_UNCHANGED,
    BLACKBOX_CHANGED, /* some of the paths may be others */
} blackbox_sum;

typedef struct blackbox {
    weft_blackbox head;
    size_t head_size;
    blackbox_sum sum;
    uint32_t *path;    /* the plain form: oldest first, WEFT_BLACKBOX_RESET and _PAUSE among them; it has no contexts */
    blackbox_run *run; /* the compressed form: newest first */
    size_t runs;
    uint32_t *table;             /* as it was at the oldest symbol */
    uint32_t sets_log2, context; /* the context of the oldest symbols */
    uint64_t count;              /* of paths, resets and pauses */
    uint64_t overwritten;        /* paths and marks (and switches of context) before these */
    uint32_t total;              /* of these and those, modulo 2^32 */
    bool torn;                   /* a path was being pushed: it is not there */
} blackbox;

#endif
