/* SPDX-License-Identifier: MIT */
/* Lines of `weft paths`: COUNT, tab, the sequence as terminals_print writes it, and what ends it. Most sequences are
 * the one before and one path more, so of their text only the end is made again. */
#ifndef WEFT_TOOLS_WEFT_PATHS_LINES_H
#define WEFT_TOOLS_WEFT_PATHS_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "tools/lib/input/input.h"
#include "tools/lib/profile/sequences.h"

/* All but the first two begin as zeros. */
typedef struct path_lines {
    const input *in; /* has the names of the symbols; NULL: they are numbers */
    input_format format;
    char *bytes; /* the lines; whoever takes them sets `size` to 0 */
    size_t size, max;
    char *text; /* of the last sequence */
    size_t text_max;
    unsigned length;
    uint32_t path[SEQUENCES_MAX];
    size_t end[SEQUENCES_MAX + 1]; /* of the text of the first N paths */
} path_lines;

/* Adds a line that ends with `last`. length <= SEQUENCES_MAX. */
void path_lines_add(path_lines *l, const uint32_t *path, unsigned length, uint64_t count, char last);
void path_lines_free(path_lines *l);

/* Writes all sequences of up to `depth` paths to standard output, in the order by `rank`, a line each. The lines are
 * made on all cores, in pieces of 1 MB. Errors of writing are left to the stream. */
void paths_lines_print(sequences *all, unsigned depth, const uint32_t *rank, const input *in, input_format format);

#endif
