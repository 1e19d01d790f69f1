/* SPDX-License-Identifier: MIT */
/* The structure of the run: loops and hot subpaths of the sequence of all paths, or of all blocks of a run that is
 * known by its instructions. Both are found while these come. A run without structure would take memory for each path,
 * so each stops when it holds STRUCTURE_BYTES; `looped` and `ruled` say how many paths it is about. */
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
    uint32_t *end;     /* of each block, by its number: the address after it; NULL: they are paths */
    size_t cost_max, end_max;
    uint32_t waiting[1024]; /* paths that wait to be given to both */
    size_t count;
} structure;

void structure_begin(structure *s);
void structure_path(structure *s, uint32_t path, uint64_t cost);
/* The symbol of a block is its address; it ends before `end`. */
void structure_block(structure *s, uint32_t block, uint32_t end, uint64_t cost);
/* Where a block ends. */
uint32_t structure_block_end(structure *s, uint32_t block);
/* Gives both what waits; the nest and the grammar are there. */
void structure_end(structure *s);
void structure_free(structure *s);

/* The hot subpaths of `weft hot`, with its limits, and what the first `most` of them cover; hot_free ends them. They
 * are shorter where the search would take more than 2 STRUCTURE_BYTES. False: even the shortest take too much memory.
 * The symbols are paths. */
bool structure_hot(structure *s, size_t most, hot_paths *found, uint64_t *cost_of_all);

#endif
