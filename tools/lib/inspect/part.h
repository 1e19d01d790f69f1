/* SPDX-License-Identifier: MIT */
/* Where two recordings part, by context, and what differs between them: functions, paths, loops, latencies, accesses.
 *
 * A recording is a sequence of elements for each context: paths, by their number; instructions of a full recording, by
 * their address; of two builds, both by function and source line. First each recording is read once for its figures and
 * a trail of hashes (trail.h); then again, for what stands around the places where the trails part. Memory is that
 * of the program.
 *
 *     part_read_both(&a, &b)                 a.failed, b.failed: what is wrong
 *     part_compare(&result, &a, &b)          finds contexts and rows
 *     part_locate(&result, &a, &b)           finds the exact places */
#ifndef WEFT_TOOLS_LIB_INSPECT_PART_H
#define WEFT_TOOLS_LIB_INSPECT_PART_H

#include "tools/lib/inspect/part_side.h"

/* A context in which they part. */
typedef struct part_context {
    uint32_t number;
    bool parts;
    bool cut;          /* equal up to where one of them lacks something: what came then is not known */
    uint64_t a, b;     /* elements */
    uint64_t common;   /* equal ones before the parting, or all */
    uint64_t from;     /* the first difference is not before it */
    part_window at[2]; /* around it, of both sides; after part_locate */
} part_context;

typedef struct part_difference {
    part_kind kind;
    const part_row *a, *b; /* NULL: not in that one */
    double weight;         /* by how much they differ */
} part_difference;

typedef struct part_result {
    part_context *context; /* by number */
    size_t count, max;
    part_difference *row; /* by kind, the greatest weight first; only those that differ */
    size_t row_count, row_max;
    uint64_t common;
} part_result;

enum { PART_AROUND = 64 }; /* elements before and after that part_locate also finds */

/* Reads both, full recordings at the same time. */
void part_read_both(part_side *a, part_side *b);
void part_compare(part_result *r, const part_side *a, const part_side *b);
const char *part_locate(part_result *r, part_side *a, part_side *b);
void part_side_free(part_side *s);
void part_result_free(part_result *r);

/* The context that parts first, by the time of A; NULL: none. */
const part_context *part_first(const part_result *r);
/* The step at element `index` of a context. NULL: it was not collected, or there is none. */
const part_step *part_step_at(const part_window *w, uint64_t index);

#endif
