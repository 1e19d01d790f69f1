/* SPDX-License-Identifier: MIT */
/* One stream of a node on its way into the file. */
#ifndef WEFT_TOOLS_LIB_WET_COLUMN_H
#define WEFT_TOOLS_LIB_WET_COLUMN_H

#include "tools/lib/squeeze/squeeze.h"
#include "tools/lib/wet/file.h"

typedef struct wet_column {
    uint8_t kind[2];             /* in tier 1 and tier 2 */
    uint32_t count, value, same; /* same: index among the node's columns */
    uint32_t *words;             /* while the node is packed */
    squeeze_bytes raw;           /* tier 1, where it is asked for */
    squeeze_bytes data;          /* tier 2 */
    squeeze_bytes sizes;         /* varints: sizes of the blocks */
    uint32_t unique, pattern;    /* columns of WET_PATTERN */
    uint64_t bytes[2];           /* in tier 1 and tier 2, those of unique and pattern not counted */
} wet_column;

/* All columns of a node. */
typedef struct wet_columns {
    wet_column *all;
    uint32_t count, room;
    int tier; /* 1: keep the raw words too */
} wet_columns;

/* Compresses `words` (taken over) and appends it; returns its index. Patterns only where `values`. */
uint32_t wet_columns_add(wet_columns *columns, squeeze_packer *packer, uint32_t *words, uint32_t count, bool values);
/* Appends one that is found by other means. */
uint32_t wet_columns_infer(wet_columns *columns);
/* Bytes in a tier, with those of its parts. */
uint64_t wet_column_bytes(const wet_columns *columns, uint32_t index, int tier);
/* Frees the words; what is packed stays. */
void wet_columns_done(wet_columns *columns);
void wet_columns_free(wet_columns *columns);

/* Writes the description and the data of a column; columns that are the same as an earlier one name its number in
 * `numbers`, which gives the number of each written column. */
void wet_column_write(const wet_columns *columns, uint32_t index, int tier, uint32_t *numbers, uint32_t *next,
                      squeeze_bytes *directory, squeeze_bytes *data);

#endif
