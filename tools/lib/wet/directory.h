/* SPDX-License-Identifier: MIT */
/* The directory of a file while it is read (format: FORMAT.md). The first error sticks: everything reads as 0 after it.
 * Private to the room.
 *
 * Steps: 1. the program: strings, symbols, static instructions, statements (directory_program.c)
 *        2. nodes and edges (directory_node.c), and their streams (directory_stream.c)
 *        3. what could not be known before all is read: the producers (directory_link.c) */
#ifndef WEFT_TOOLS_LIB_WET_DIRECTORY_H
#define WEFT_TOOLS_LIB_WET_DIRECTORY_H

#include "tools/lib/base/varint.h"
#include "tools/lib/wet/file.h"

typedef struct directory {
    wet_file *f;
    weft_reader in;
    size_t data_at;      /* in the file: where the next stream's data begin */
    size_t stream_max;   /* room for streams */
    uint32_t node_first; /* stream 0 of the node */
} directory;

static inline bool directory_good(const directory *d)
{
    return d->in.status == WEFT_OK;
}

static inline void directory_bad(directory *d)
{
    d->in.status = WEFT_CORRUPT;
}

static inline uint32_t directory_number(directory *d)
{
    uint32_t value = varint_read(&d->in);
    return directory_good(d) ? value : 0;
}

/* A count of things that take at least one byte each. */
static inline uint32_t directory_count(directory *d)
{
    uint32_t count = directory_number(d);
    if (count <= weft_reader_left(&d->in))
        return count;
    directory_bad(d);
    return 0;
}

/* A number below `limit`. */
static inline uint32_t directory_below(directory *d, uint64_t limit)
{
    uint32_t value = directory_number(d);
    if (value < limit)
        return value;
    directory_bad(d);
    return 0;
}

/* Step 1. */
void directory_program(directory *d);
/* Step 2. A stream of `count` numbers; its number. */
uint32_t directory_stream(directory *d, uint32_t count);
void directory_node(directory *d, wet_file_node *node);
/* Step 3. */
void directory_link(directory *d);
/* After these: an architecture history. */
void directory_history(directory *d);

#endif
