/* SPDX-License-Identifier: MIT */
/* What a whole execution trace takes, in bytes. */
#ifndef WEFT_TOOLS_LIB_WET_SIZES_H
#define WEFT_TOOLS_LIB_WET_SIZES_H

#include <stdint.h>

/* Bytes by what they say. */
typedef struct wet_sizes {
    uint64_t timestamps, values, edges, program;
} wet_sizes;

typedef struct wet_report {
    wet_sizes original; /* as the paper counts: 4 bytes per timestamp of a statement, 4 per value, 8 per edge pair */
    wet_sizes tier1, tier2;
    uint64_t bytes;     /* of the file */
    uint64_t snapshots; /* of these, for questions about an instant */
    uint64_t history;   /* of these, the columns of the architecture history */
} wet_report;

#endif
