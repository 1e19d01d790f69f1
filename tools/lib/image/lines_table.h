/* SPDX-License-Identifier: MIT */
/* Lines of an image while they are read: what the steps of lines_read.c share. */
#ifndef WEFT_TOOLS_LIB_IMAGE_LINES_TABLE_H
#define WEFT_TOOLS_LIB_IMAGE_LINES_TABLE_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "tools/lib/image/lines.h"

typedef struct lines_unit {
    Dwarf_Off die;
    uint64_t program; /* offset in .debug_line */
} lines_unit;

typedef struct lines_sequence {
    size_t unit, row; /* its unit, its first lines_row */
    uint32_t low, high;
    bool dropped;
} lines_sequence;

typedef struct lines_row {
    image_line at;
    uint32_t file;
    size_t sequence;
} lines_row;

typedef struct lines_table {
    Dwarf *dwarf;
    Elf *elf;
    const image_symbols *symbols;
    lines_unit *units;
    size_t unit_count, unit_max, running; /* running: the unit whose program runs */
    lines_row *rows;
    size_t row_count, row_max;
    lines_sequence *sequences;
    size_t sequence_count, sequence_max;
} lines_table;

/* Step 2: runs the line program of each unit; its rows name their files. */
void lines_programs_run(lines_table *t);
/* Step 3: marks the sequences of discarded functions. */
void lines_discarded_drop(lines_table *t);

#endif
