/* SPDX-License-Identifier: MIT */
/* One stream of a node on its way into the file. */
#ifndef WEFT_TOOLS_LIB_WET_COLUMN_H
#define WEFT_TOOLS_LIB_WET_COLUMN_H

#include "tools/lib/squeeze/coded.h"
#include "tools/lib/wet/file.h"

typedef struct wet_column {
    uint8_t kind[2];             /* in tier 1 and tier 2 */
    uint32_t count, value, same; /* same: index among the node's columns */
    uint32_t *words;             /* while it is packed */
    uint64_t sums[2];            /* of the words, and their number: columns that agree are the same */
    bool hidden;                 /* no other is described by it */
    squeeze_bytes raw;           /* tier 1, where it is asked for */
    squeeze_bytes data;          /* tier 2 */
    squeeze_bytes sizes;         /* varints: sizes of the blocks */
    uint32_t unique, pattern;    /* columns of WET_PATTERN */
    bool coded;                  /* it has a form of its own in tier 2: `kind`, `data` and `sizes` say it */
    bool later;                  /* that form is not made yet: `bytes` is an estimate */
    uint64_t bytes[2];           /* in tier 1 and tier 2, those of unique and pattern not counted */
} wet_column;

/* All columns of a node. */
typedef struct wet_columns {
    wet_column *all;
    uint32_t count;
    size_t max;
    int tier; /* 1: keep the raw words too */
} wet_columns;

/* Compresses `words` (taken over) and appends it; returns its index. Patterns only where `values`. `later`: it may turn
 * out not to be needed, so a long one is only estimated in tier 2. */
uint32_t wet_columns_add(wet_columns *columns, squeeze_coder *coder, uint32_t *words, uint32_t count, bool values,
                         bool later);
/* Whether a column is needed that was only estimated; and makes it from its words. */
bool wet_columns_waits(const wet_columns *columns, uint32_t column);
void wet_columns_code(wet_columns *columns, squeeze_coder *coder, uint32_t column, uint32_t *words);
/* Bytes that it would take, about; nothing where it is the same as one before. */
uint64_t wet_columns_estimate(wet_columns *columns, squeeze_coder *coder, const uint32_t *words, uint32_t count);
/* Appends one that is found by other means. */
uint32_t wet_columns_infer(wet_columns *columns);
/* Bytes in a tier, with those of its parts. */
uint64_t wet_column_bytes(const wet_columns *columns, uint32_t index, int tier);
void wet_columns_free(wet_columns *columns);

/* In tier 2: the column itself, or the earlier one that is the same. */
static inline uint32_t wet_column_same(const wet_columns *columns, uint32_t column)
{
    return columns->all[column].kind[1] == WET_SAME ? columns->all[column].same : column;
}
/* The columns that are written for a column: itself, or the earlier one that is the same, or unique values and pattern.
 * Returns their number. */
uint32_t wet_columns_written(const wet_columns *columns, uint32_t column, uint32_t written[2]);
/* Bytes of a column in tier 2, also where it is the same as an earlier one. wet_columns_without leaves out the columns
 * with a number other than 0 in `without` (NULL: none). WET_NONE takes no bytes. */
uint64_t wet_columns_without(const wet_columns *columns, uint32_t column, const uint32_t *without);
uint64_t wet_columns_whole(const wet_columns *columns, uint32_t column);

/* Where the columns of a node go. */
typedef struct wet_column_writer {
    const wet_columns *columns;
    int tier;
    uint32_t *numbers; /* of each column in the file; WET_NONE: not written yet */
    uint32_t next;     /* number of the next one */
    squeeze_bytes *directory, *data;
    bool too_long; /* a column had more than WET_COLUMN_BYTES_MAX, and is not written */
} wet_column_writer;

/* Most bytes of a column that is in blocks: readers keep where each begins in 32 bits. */
#define WET_COLUMN_BYTES_MAX UINT32_MAX

/* Writes the description and the data of a column. A column that was written before is named by its number. */
void wet_column_write(wet_column_writer *writer, uint32_t index);

#endif
