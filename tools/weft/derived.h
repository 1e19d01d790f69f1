/* SPDX-License-Identifier: MIT */
/* How a recording's events are known with its program: for weft info. */
#ifndef WEFT_TOOLS_WEFT_DERIVED_H
#define WEFT_TOOLS_WEFT_DERIVED_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/container.h"

typedef struct derived_counts {
    uint64_t recorded, derived; /* accesses whose address is in the recording, or follows */
    uint64_t unknown;           /* accesses whose address follows from one that is missing */
    bool counted_loops;         /* loops of one path recorded their passes where they ended (DESCRIPTOR_COUNTED) */
} derived_counts;

/* False, and a message: the recording does not fit the program. */
bool derived_count(const container *file, const program *app, derived_counts *counts, char *message,
                   size_t message_size);

#endif
