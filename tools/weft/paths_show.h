/* SPDX-License-Identifier: MIT */
/* What `weft paths` counted, and how it is printed. */
#ifndef WEFT_TOOLS_WEFT_PATHS_SHOW_H
#define WEFT_TOOLS_WEFT_PATHS_SHOW_H

#include <limits.h>

#include "tools/lib/image/places.h"
#include "tools/lib/input/input.h"
#include "tools/lib/profile/kipf.h"
#include "tools/lib/profile/sequences.h"
#include "tools/lib/recording/filter.h"

enum { PATHS_K_MAX = 64 };
#define PATHS_ALL LLONG_MAX /* of --top */

typedef struct paths_options {
    long long k, top;
    input_format format;
    bool as_json, summary;
    const char *elf, *from; /* from: NULL: choose */
    event_choice choice;
} paths_options;

/* What was counted: on the host, or by targets; or both, which is joined before it is read. */
typedef struct paths_counts {
    sequences *host;
    kipf *targets;
} paths_counts;

/* Before they are read. */
void paths_counts_join(paths_counts *c);
void paths_counts_free(paths_counts *c);

/* `in`: of raw streams, has the names of the symbols; else NULL. `where`: of recordings, or NULL. */
void paths_show(const paths_counts *c, const input *in, const paths_options *o, const path_places *where);

#endif
