/* SPDX-License-Identifier: MIT */
/* The rows of all nodes while a recording is read and packed: compressed column by column as soon as a node has some
 * thousand of them, and moved to a file on disk when they take much memory. So the memory that they take does not
 * grow with the run.
 *
 * A store holds the rows of many nodes. Rows are added by one thread. Once all are there, many threads may read, each
 * with a reader of its own. */
#ifndef WEFT_TOOLS_LIB_WET_ROWS_H
#define WEFT_TOOLS_LIB_WET_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROWS_MEMORY_MAX (UINT64_C(96) << 20) /* more: fewer reads from disk */
#define ROWS_TAILS_MAX (UINT64_C(64) << 20)  /* fewer: packed worse */

typedef struct wet_store wet_store;

typedef struct wet_rows_chunk {
    uint32_t first, count;       /* rows */
    struct wet_rows_part *parts; /* of each column */
} wet_rows_chunk;

typedef struct wet_rows {
    uint32_t width, count;
    wet_store *store;
    uint32_t *tail; /* the rows that are not in chunks yet */
    uint32_t tail_count, tail_room;
    wet_rows_chunk *chunks;
    uint32_t chunk_count;
    size_t chunk_max;
} wet_rows;

/* Keeps `memory_max` bytes of packed columns in memory; more go to a file without a name in the folder for temporary
 * files. `tails_max`: bytes of rows that wait for more of their node. */
wet_store *wet_store_new(uint64_t memory_max, uint64_t tails_max);
/* With the rows of all nodes. */
void wet_store_free(wet_store *store);
/* All rows were added. False and a message: the disk failed. */
bool wet_store_done(wet_store *store, char *message, size_t message_size);
/* Rows of `width` words, none yet. They stay the store's. */
wet_rows *wet_rows_new(wet_store *store, uint32_t width);
/* A new row, to be filled before the next is added. */
uint32_t *wet_rows_add(wet_rows *rows);

/* What a thread reads with. */
typedef struct wet_rows_reader wet_rows_reader;
wet_rows_reader *wet_rows_reader_new(void);
void wet_rows_reader_free(wet_rows_reader *reader);
/* A column, of all rows. */
void wet_rows_column(wet_rows_reader *reader, const wet_rows *rows, uint32_t column, uint32_t *out);

/* Single words of a column, wherever they are. */
typedef struct wet_cells {
    const wet_rows *rows;
    uint32_t column;
    uint32_t at; /* the current chunk */
    uint32_t **chunks;
} wet_cells;

wet_cells wet_cells_open(const wet_rows *rows, uint32_t column);
void wet_cells_close(wet_cells *cells);
const uint32_t *wet_cells_chunk(wet_rows_reader *reader, wet_cells *cells, uint32_t row);
static inline uint32_t wet_cells_get(wet_rows_reader *reader, wet_cells *cells, uint32_t row)
{
    const wet_rows_chunk *chunk = &cells->rows->chunks[cells->at];
    if (cells->chunks[cells->at] && row - chunk->first < chunk->count)
        return cells->chunks[cells->at][row - chunk->first];
    return *wet_cells_chunk(reader, cells, row);
}

#endif
