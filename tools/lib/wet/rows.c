/* SPDX-License-Identifier: MIT */
/* A chunk's column is kept as the differences of its words, in as few bytes each as the largest needs, compressed. A
 * thread does that, while rows are added. */
#define _GNU_SOURCE
#include "tools/lib/wet/rows.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"

#define CHUNK_ROWS 4096u   /* that make a chunk. More: packed better, more memory */
#define CHUNK_ROWS_MIN 32u /* that make one where tails take too much */
#define BLOCK (1u << 20)   /* bytes of packed columns that are allocated at once */
#define LEVEL 1            /* of zstd */
#define SMALL 32u          /* bytes that are not compressed */
#define QUEUE 4u           /* tails that wait to be packed. More: more memory, rarer waits */

/* Where a column of a chunk is. */
typedef struct wet_rows_part {
    uint64_t at;   /* in the store; size 0: the first word, all of whose differences are `step` */
    uint32_t size; /* bytes */
    uint32_t step;
    uint8_t bytes; /* of each difference */
    bool plain;    /* not compressed */
} part;

/* Rows that become a chunk. */
typedef struct tail {
    uint32_t *rows; /* from malloc */
    uint32_t count, width;
    part *parts;
} tail;

struct wet_store {
    wet_rows **all;
    uint32_t count;
    size_t max;
    uint64_t memory_max, tails_max; /* bytes */
    uint64_t tails, tails_limit;    /* the limit grows with what cannot be packed yet */
    uint8_t **blocks;
    size_t block_count, block_max;
    uint64_t size;    /* of all packed columns; the first block_count * BLOCK bytes are in memory */
    FILE *file;       /* the rest */
    int error;        /* errno */
    pthread_t packer; /* while `packing`, it alone uses what stands above from `blocks` on, and below from `zstd` on */
    pthread_mutex_t lock; /* of the queue: */
    pthread_cond_t more, fewer;
    tail queue[QUEUE];
    uint32_t first, waiting;
    bool packing, ended;
    ZSTD_CCtx *zstd;
    uint32_t words[CHUNK_ROWS];
    uint8_t bytes[CHUNK_ROWS * 4], packed[CHUNK_ROWS * 4 + 1024];
};

wet_store *wet_store_new(uint64_t memory_max, uint64_t tails_max)
{
    wet_store *s = memory_zero(1, sizeof *s);
    s->zstd = memory_got(ZSTD_createCCtx());
    s->memory_max = memory_max;
    s->tails_max = s->tails_limit = tails_max;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->more, NULL);
    pthread_cond_init(&s->fewer, NULL);
    return s;
}

static void rows_free(wet_rows *rows)
{
    for (uint32_t i = 0; i < rows->chunk_count; i++)
        free(rows->chunks[i].parts);
    free(rows->chunks);
    free(rows->tail);
    free(rows);
}

wet_rows *wet_rows_new(wet_store *s, uint32_t width)
{
    wet_rows *rows = memory_zero(1, sizeof *rows);
    *rows = (wet_rows){.width = width, .store = s};
    s->all = memory_room(s->all, s->count, &s->max, sizeof *s->all);
    return s->all[s->count++] = rows;
}

/* ---- writing ---- */

static void disk_write(wet_store *s, const uint8_t *bytes, size_t size)
{
    if (!s->file && !(s->file = tmpfile()))
        s->error = s->error ? s->error : errno;
    if (s->file && fwrite(bytes, 1, size, s->file) != size)
        s->error = s->error ? s->error : errno;
}

/* A part does not lie across two blocks, nor across memory and disk. */
static uint64_t store_add(wet_store *s, const uint8_t *bytes, uint32_t size)
{
    uint64_t room = s->block_count * (uint64_t)BLOCK;
    if (!s->file && s->size + size > room) {
        s->size = room;
        if (room < s->memory_max) {
            s->blocks = memory_room(s->blocks, s->block_count, &s->block_max, sizeof *s->blocks);
            s->blocks[s->block_count++] = memory_grow(NULL, BLOCK, 1);
            room += BLOCK;
        }
    }
    uint64_t at = s->size;
    s->size += size;
    if (at < room)
        memcpy(s->blocks[at / BLOCK] + at % BLOCK, bytes, size);
    else
        disk_write(s, bytes, size);
    return at;
}

static unsigned bytes_needed(uint32_t all)
{
    return all < 1u << 8 ? 1 : all < 1u << 16 ? 2 : 4;
}

/* Step by step: differences, zigzag, few bytes each. */
static part column_pack(wet_store *s, const uint32_t *rows, uint32_t count, uint32_t width)
{
    uint32_t first = rows[0], step = count > 1 ? rows[width] - first : 0, any = 0;
    bool steady = true;
    s->words[0] = first;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t difference = rows[(size_t)i * width] - rows[(size_t)(i - 1) * width];
        steady &= difference == step;
        s->words[i] = weft_zigzag((int32_t)difference);
        any |= s->words[i];
    }
    part p = {.at = first, .step = step, .bytes = (uint8_t)bytes_needed(any)};
    if (steady)
        return p;
    uint32_t size = 4 + (count - 1) * p.bytes;
    memcpy(s->bytes, &first, 4);
    for (uint32_t i = 1; i < count; i++)
        memcpy(s->bytes + 4 + (size_t)(i - 1) * p.bytes, &s->words[i], p.bytes);
    size_t packed =
        size > SMALL ? ZSTD_compressCCtx(s->zstd, s->packed, sizeof s->packed, s->bytes, size, LEVEL) : size;
    p.plain = ZSTD_isError(packed) || packed >= size;
    p.size = p.plain ? size : (uint32_t)packed;
    p.at = store_add(s, p.plain ? s->bytes : s->packed, p.size);
    return p;
}

static void tail_write(wet_store *s, const tail *t)
{
    for (uint32_t w = 0; w < t->width; w++)
        t->parts[w] = column_pack(s, t->rows + w, t->count, t->width);
    free(t->rows);
}

static void *pack_thread(void *context)
{
    wet_store *s = context;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (!s->waiting && !s->ended)
            pthread_cond_wait(&s->more, &s->lock);
        if (!s->waiting)
            break;
        tail t = s->queue[s->first];
        pthread_mutex_unlock(&s->lock);
        tail_write(s, &t);
        pthread_mutex_lock(&s->lock);
        s->first = (s->first + 1) % QUEUE;
        s->waiting--;
        pthread_cond_signal(&s->fewer);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* To the thread; where none can be made, it is packed here. */
static void tail_give(wet_store *s, const tail *t)
{
    if (!s->packing)
        s->packing = pthread_create(&s->packer, NULL, pack_thread, s) == 0;
    if (!s->packing) {
        tail_write(s, t);
        return;
    }
    pthread_mutex_lock(&s->lock);
    while (s->waiting == QUEUE)
        pthread_cond_wait(&s->fewer, &s->lock);
    s->queue[(s->first + s->waiting++) % QUEUE] = *t;
    pthread_cond_signal(&s->more);
    pthread_mutex_unlock(&s->lock);
}

/* Waits until all that was given is packed. */
static void packer_end(wet_store *s)
{
    if (!s->packing)
        return;
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    pthread_cond_signal(&s->more);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->packer, NULL);
    s->packing = s->ended = false;
}

/* The tail becomes a chunk. */
static void tail_pack(wet_rows *rows)
{
    wet_store *s = rows->store;
    part *parts = memory_zero(rows->width, sizeof *parts);
    rows->chunks = memory_room(rows->chunks, rows->chunk_count, &rows->chunk_max, sizeof *rows->chunks);
    rows->chunks[rows->chunk_count++] = (wet_rows_chunk){rows->count - rows->tail_count, rows->tail_count, parts};
    s->tails -= (uint64_t)rows->tail_room * rows->width * sizeof *rows->tail;
    tail_give(s, &(tail){rows->tail, rows->tail_count, rows->width, parts});
    rows->tail = NULL;
    rows->tail_count = rows->tail_room = 0;
}

static void tails_pack(wet_store *s, uint32_t least)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->all[i]->tail_count >= least)
            tail_pack(s->all[i]);
}

uint32_t *wet_rows_add(wet_rows *rows)
{
    wet_store *s = rows->store;
    if (rows->tail_count == CHUNK_ROWS)
        tail_pack(rows);
    if (s->tails > s->tails_limit) {
        tails_pack(s, CHUNK_ROWS_MIN);
        s->tails_limit = s->tails > s->tails_max / 2 ? s->tails * 2 : s->tails_max;
    }
    if (rows->tail_count == rows->tail_room) {
        uint32_t room = rows->tail_room ? rows->tail_room * 2 : 4;
        s->tails += (uint64_t)(room - rows->tail_room) * rows->width * sizeof *rows->tail;
        rows->tail = memory_grow(rows->tail, (size_t)room * rows->width, sizeof *rows->tail);
        rows->tail_room = room;
    }
    rows->count++;
    return rows->tail + (size_t)rows->tail_count++ * rows->width;
}

bool wet_store_done(wet_store *s, char *message, size_t message_size)
{
    tails_pack(s, 1);
    packer_end(s);
    if (s->file && fflush(s->file))
        s->error = s->error ? s->error : errno;
    if (s->error)
        snprintf(message, message_size, "cannot write a temporary file: %s", strerror(s->error));
    return !s->error;
}

void wet_store_free(wet_store *s)
{
    packer_end(s);
    for (uint32_t i = 0; i < s->count; i++)
        rows_free(s->all[i]);
    for (size_t i = 0; i < s->block_count; i++)
        free(s->blocks[i]);
    free(s->all);
    free(s->blocks);
    if (s->file)
        fclose(s->file);
    ZSTD_freeCCtx(s->zstd);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->more);
    pthread_cond_destroy(&s->fewer);
    free(s);
}

/* ---- reading ---- */

struct wet_rows_reader {
    ZSTD_DCtx *zstd;
    uint8_t bytes[CHUNK_ROWS * 4], packed[CHUNK_ROWS * 4 + 1024];
};

wet_rows_reader *wet_rows_reader_new(void)
{
    wet_rows_reader *r = memory_zero(1, sizeof *r);
    r->zstd = memory_got(ZSTD_createDCtx());
    return r;
}

void wet_rows_reader_free(wet_rows_reader *r)
{
    ZSTD_freeDCtx(r->zstd);
    free(r);
}

/* The bytes of a part. The disk has them: they were written, or the store was not done. */
static const uint8_t *part_bytes(wet_rows_reader *r, const wet_store *s, const part *p)
{
    uint64_t room = s->block_count * (uint64_t)BLOCK;
    if (p->at < room)
        return s->blocks[p->at / BLOCK] + p->at % BLOCK;
    if (pread(fileno(s->file), r->packed, p->size, (off_t)(p->at - room)) != (ssize_t)p->size) {
        fprintf(stderr, "weft: cannot read a temporary file: %s\n", strerror(errno));
        exit(4);
    }
    return r->packed;
}

/* The words from their differences of one, two or four bytes. */
static void words_read(const uint8_t *bytes, unsigned width, uint32_t count, uint32_t *out)
{
    uint32_t word = out[0];
    for (uint32_t i = 1; i < count && width == 1; i++)
        out[i] = word += (uint32_t)weft_unzigzag(*bytes++);
    for (uint32_t i = 1; i < count && width == 2; i++, bytes += 2)
        out[i] = word += (uint32_t)weft_unzigzag(bytes[0] | (uint32_t)bytes[1] << 8);
    for (uint32_t i = 1, difference; i < count && width == 4; i++, bytes += 4) {
        memcpy(&difference, bytes, 4);
        out[i] = word += (uint32_t)weft_unzigzag(difference);
    }
}

static void part_read(wet_rows_reader *r, const wet_store *s, const part *p, uint32_t count, uint32_t *out)
{
    out[0] = (uint32_t)p->at;
    if (!p->size) {
        for (uint32_t i = 1; i < count; i++)
            out[i] = out[i - 1] + p->step;
        return;
    }
    const uint8_t *bytes = part_bytes(r, s, p);
    if (!p->plain) {
        ZSTD_decompressDCtx(r->zstd, r->bytes, sizeof r->bytes, bytes, p->size);
        bytes = r->bytes;
    }
    memcpy(out, bytes, 4);
    words_read(bytes + 4, p->bytes, count, out);
}

void wet_rows_column(wet_rows_reader *r, const wet_rows *rows, uint32_t column, uint32_t *out)
{
    for (uint32_t i = 0; i < rows->chunk_count; i++) {
        const wet_rows_chunk *chunk = &rows->chunks[i];
        part_read(r, rows->store, &chunk->parts[column], chunk->count, out + chunk->first);
    }
}

wet_cells wet_cells_open(const wet_rows *rows, uint32_t column)
{
    return (wet_cells){rows, column, 0, memory_zero(rows->chunk_count + 1, sizeof(uint32_t *))};
}

void wet_cells_close(wet_cells *cells)
{
    for (uint32_t i = 0; cells->chunks && i < cells->rows->chunk_count; i++)
        free(cells->chunks[i]);
    free(cells->chunks);
    cells->chunks = NULL;
}

const uint32_t *wet_cells_chunk(wet_rows_reader *r, wet_cells *cells, uint32_t row)
{
    const wet_rows *rows = cells->rows;
    uint32_t low = 0, high = rows->chunk_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (rows->chunks[middle].first <= row)
            low = middle;
        else
            high = middle;
    }
    const wet_rows_chunk *chunk = &rows->chunks[cells->at = low];
    if (!cells->chunks[low]) {
        cells->chunks[low] = memory_zero(chunk->count, sizeof(uint32_t));
        part_read(r, rows->store, &chunk->parts[cells->column], chunk->count, cells->chunks[low]);
    }
    return &cells->chunks[low][row - chunk->first];
}
