/* SPDX-License-Identifier: MIT */
/* Reads the records that core/tre.h writes, and generates their addresses one by one. */
#ifndef WEFT_TOOLS_LIB_AFFINE_TRE_H
#define WEFT_TOOLS_LIB_AFFINE_TRE_H

#include "core/tre.h"

/* A nest as core/tre.h describes it; without levels a plain list of addresses. */
typedef struct tre_record {
    uint32_t levels;
    uint32_t accesses; /* at least 1 */
    uint32_t base;     /* the first address */
    int32_t coefficient[WEFT_TRE_LEVELS_MAX], constant[WEFT_TRE_LEVELS_MAX];
    int32_t slope[WEFT_TRE_LEVELS_MAX]
                 [WEFT_TRE_LEVELS_MAX]; /* slope[l][m]: of level l's bound, to a level m outside it */
    weft_reader list; /* of a list: at the difference to the second address; stands on the bytes that were read */
} tre_record;

/* Reads one record. False: corrupt; then the reader stands anywhere. */
bool tre_read(weft_reader *reader, tre_record *record);

/* An address of a record. */
typedef struct tre_cursor {
    tre_record record;
    uint32_t address;
    int32_t index[WEFT_TRE_LEVELS_MAX], upper[WEFT_TRE_LEVELS_MAX];
} tre_cursor;

/* The cursor at the record's first address. */
void tre_first(tre_cursor *cursor, const tre_record *record);
/* Moves on to the next address. Not after the last: the record says how many there are. */
void tre_next(tre_cursor *cursor);

#endif
