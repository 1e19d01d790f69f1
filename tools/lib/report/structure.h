/* SPDX-License-Identifier: MIT */
/* The structure of the run: loops and hot subpaths of the sequence of all paths. Both are found while the paths come.
 * A run without structure would take memory for each path, so each stops when it holds STRUCTURE_BYTES; `looped` and
 * `ruled` say how many paths it is about. */
#ifndef WEFT_TOOLS_LIB_REPORT_STRUCTURE_H
#define WEFT_TOOLS_LIB_REPORT_STRUCTURE_H

#include "tools/lib/base/numbering.h"
#include "tools/lib/grammar/room.h"
#include "tools/lib/loops/room.h"

#define STRUCTURE_BYTES ((size_t)96 << 20)

typedef struct structure {
    nest_window *window; /* NULL: it has stopped */
    grammar_builder *builder;
    nest *nest;       /* when it has stopped or ended */
    grammar *grammar; /* likewise */
    uint64_t paths, looped, ruled;
    numbering numbers; /* of the distinct paths */
    uint64_t *cost;    /* of each, by its number: instructions */
    size_t cost_max;
    uint32_t waiting[1024]; /* paths that wait to be given to both */
    size_t count;
} structure;

void structure_begin(structure *s);
void structure_path(structure *s, uint32_t path, uint64_t cost);
/* Gives both what waits; the nest and the grammar are there. */
void structure_end(structure *s);
void structure_free(structure *s);

/* The hot subpaths of `weft hot`, with its limits; hot_free ends them. False: that takes too much memory. The symbols
 * are paths. */
bool structure_hot(structure *s, hot_paths *found, uint64_t *cost_of_all);

#endif
