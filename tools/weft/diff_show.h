/* SPDX-License-Identifier: MIT */
/* What `weft diff` prints. */
#ifndef WEFT_TOOLS_WEFT_DIFF_SHOW_H
#define WEFT_TOOLS_WEFT_DIFF_SHOW_H

#include "tools/lib/inspect/part.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/script.h"

typedef struct diff_options {
    bool around;      /* also the elements before and after the parting */
    size_t top;       /* rows of each table */
    unsigned columns; /* of a screen; 0: all figures */
} diff_options;

void diff_print(const part_result *r, part_side *a, part_side *b, diff_options o);
void diff_put(const part_result *r, part_side *a, part_side *b, diff_options o);

#endif
