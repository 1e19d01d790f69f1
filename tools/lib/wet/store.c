/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/store.h"

#include <pthread.h>
#include <stdlib.h>

#include "tools/lib/base/checksum.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/squeeze/coded.h"
#include "tools/lib/wet/blocks.h"

#define STORE_THREADS 4 /* at most, and as many as cores. More: sooner ready, 1.5 MB each */

/* What streams are for, and so the order in which they are decoded: windows (debug/window.h), then what edges add. */
enum { NOT_NEEDED, WINDOWS, EDGES };

/* A stream, when its turn comes. */
typedef struct queued {
    uint32_t stream, count;
    uint8_t turn;
} queued;

typedef struct wet_store {
    wet_file *f;
    pthread_t thread; /* plans, and begins the others */
    bool running;
    uint8_t *turns; /* of each stream */
    queued *queue;
    uint32_t queued_count;
    atomic_uchar *good;   /* of each chunk of the data: its check sum was right */
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    bool stop, paused;
    uint32_t next, block; /* what is made next, in the queue and of its stream */
    uint64_t bytes, max;  /* of blocks; of those that are being made: the most that they can have */
} wet_store;

/* ---- which streams ---- */

static void stream_need(wet_store *t, uint32_t stream, uint8_t turn)
{
    const wet_file *f = t->f;
    while (stream < f->stream_count && (!t->turns[stream] || turn < t->turns[stream])) {
        const wet_stream *s = &f->streams[stream];
        t->turns[stream] = turn;
        if (s->kind != WET_PATTERN)
            return;
        if (s->first < f->stream_count && !t->turns[s->first])
            t->turns[s->first] = turn;
        stream = s->second;
    }
}

static void edge_need(wet_store *t, const wet_edge *edge, uint8_t turn)
{
    stream_need(t, edge->which, turn);
    stream_need(t, edge->when, turn);
}

static void node_need(wet_store *t, const wet_file_node *n)
{
    stream_need(t, n->times, WINDOWS);
    for (uint32_t i = 0; i < n->n.slot_count; i++)
        stream_need(t, n->slots[i], WINDOWS);
    for (uint32_t i = 0; i < n->n.load_count; i++)
        for (uint32_t k = 0; k < n->loads[i].part_count; k++)
            edge_need(t, &n->loads[i].parts[k].edge, WINDOWS);
    for (uint32_t i = 0; i < n->n.input_count; i++)
        edge_need(t, &n->inputs[i], EDGES);
    for (uint32_t i = 0; i < n->n.control_count; i++)
        edge_need(t, &n->controls[i], EDGES);
}

/* Short streams first: each of their blocks serves more windows. */
static int queued_compare(const void *one, const void *other)
{
    const queued *a = one, *b = other;
    if (a->turn != b->turn)
        return a->turn < b->turn ? -1 : 1;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return a->stream < b->stream ? -1 : a->stream > b->stream;
}

static void plan(wet_store *t)
{
    const wet_file *f = t->f;
    for (uint32_t i = 0; i < f->node_count; i++)
        node_need(t, &f->nodes[i]);
    for (uint32_t i = 0; i < f->stream_count; i++)
        if (t->turns[i] && f->streams[i].kind == WET_CODED)
            t->queue[t->queued_count++] = (queued){i, f->streams[i].count, t->turns[i]};
    qsort(t->queue, t->queued_count, sizeof *t->queue, queued_compare);
}

/* ---- the threads ---- */

static bool data_good(wet_store *t, const uint8_t *data, size_t size)
{
    const wet_file *f = t->f;
    size_t at = (size_t)(data - f->bytes) - f->data_at, left = f->size - f->data_at;
    for (size_t i = at / WET_CHUNK; i * WET_CHUNK < at + size; i++) {
        size_t first = i * WET_CHUNK, length = left - first < WET_CHUNK ? left - first : WET_CHUNK;
        if (!atomic_load_explicit(&t->good[i], memory_order_relaxed) &&
            checksum_crc32(0, f->bytes + f->data_at + first, length) != f->sums[i])
            return false;
        atomic_store_explicit(&t->good[i], 1, memory_order_relaxed);
    }
    return true;
}

static wet_stored *pack(const uint32_t *words, uint32_t count, uint64_t *bytes)
{
    uint32_t least = words[0], most = words[0];
    for (uint32_t i = 1; i < count; i++) {
        least = words[i] < least ? words[i] : least;
        most = words[i] > most ? words[i] : most;
    }
    uint32_t width = most - least < 1u << 8 ? 1 : most - least < 1u << 16 ? 2 : 4;
    *bytes = sizeof(wet_stored) + (uint64_t)count * width;
    wet_stored *b = memory_grow(NULL, (size_t)*bytes, 1);
    b->least = least;
    b->width = width;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = words[i] - least;
        uint16_t half = (uint16_t)word;
        if (width == 1)
            b->bytes[i] = (uint8_t)word;
        else
            memcpy(b->bytes + (size_t)width * i, width == 2 ? (const void *)&half : &word, width);
    }
    return b;
}

static uint64_t bytes_most(const wet_store *t, const wet_stream *s, uint32_t block)
{
    return wet_stream_block_size(t->f, s, block) * UINT64_C(4) + sizeof(wet_stored);
}

/* Of a block; 0: it is damaged. `words` has room for a block. */
static uint64_t block_make(wet_store *t, wet_stream *s, uint32_t block, squeeze_coder *coder, uint32_t *words)
{
    uint32_t count = wet_stream_block_size(t->f, s, block);
    size_t size;
    const uint8_t *data = wet_stream_bytes(t->f, s, block, &size);
    uint64_t bytes;
    if (!count || !data_good(t, data, size) || !squeeze_decode(coder, data, size, words, count))
        return 0;
    wet_stored *b = pack(words, count, &bytes);
    atomic_store_explicit(&wet_stream_known(s, block)->stored, b, memory_order_release);
    return bytes;
}

/* The next block of the queue. Waits while that is paused. NULL: it is to stop, all are made or being made, or there is
 * no room for another one. */
static wet_stream *block_take(wet_store *t, uint32_t *block)
{
    wet_stream *s = NULL;
    pthread_mutex_lock(&t->lock);
    while (t->paused && !t->stop)
        pthread_cond_wait(&t->changed, &t->lock);
    while (!t->stop && t->next < t->queued_count) {
        s = &t->f->streams[t->queue[t->next].stream];
        if (t->block < wet_stream_block_count(t->f, s))
            break;
        s = NULL;
        t->next++;
        t->block = 0;
    }
    if (s && t->bytes + bytes_most(t, s, t->block) > t->max) {
        s = NULL;
        t->next = t->queued_count;
    }
    if (s)
        t->bytes += bytes_most(t, s, *block = t->block++);
    pthread_mutex_unlock(&t->lock);
    return s;
}

static void *blocks_make(void *context)
{
    wet_store *t = context;
    squeeze_coder *coder = squeeze_coder_new();
    uint32_t *words = memory_grow(NULL, wet_block_mask(t->f) + UINT64_C(1), sizeof *words), block;
    for (wet_stream *s; (s = block_take(t, &block));) {
        uint64_t bytes = block_make(t, s, block, coder, words);
        pthread_mutex_lock(&t->lock);
        t->bytes -= bytes_most(t, s, block) - bytes;
        pthread_mutex_unlock(&t->lock);
    }
    free(words);
    squeeze_coder_free(coder);
    return NULL;
}

static void *all_make(void *context)
{
    wet_store *t = context;
    pthread_t others[STORE_THREADS - 1];
    size_t count = 0, wanted = threads_count() < STORE_THREADS ? threads_count() : STORE_THREADS;
    plan(t);
    while (count + 1 < wanted && pthread_create(&others[count], NULL, blocks_make, t) == 0)
        count++;
    blocks_make(t);
    while (count)
        pthread_join(others[--count], NULL);
    return NULL;
}

/* ---- for the owner of the file ---- */

static void change(wet_store *t, bool *what, bool to)
{
    pthread_mutex_lock(&t->lock);
    *what = to;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

void wet_store_begin(wet_file *f, uint64_t max)
{
    wet_store_end(f);
    if (threads_count() < 2 || !f->sums)
        return;
    wet_store *t = f->store = memory_zero(1, sizeof *t);
    t->f = f;
    t->max = max;
    t->turns = memory_zero(f->stream_count + 1, 1);
    t->queue = memory_zero(f->stream_count + UINT64_C(1), sizeof *t->queue);
    t->good = memory_zero((f->size - f->data_at) / WET_CHUNK + 1, sizeof *t->good);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    t->running = pthread_create(&t->thread, NULL, all_make, t) == 0;
}

void wet_store_wait(wet_file *f)
{
    wet_store *t = f->store;
    if (t && t->running)
        pthread_join(t->thread, NULL);
    if (t)
        t->running = false;
}

void wet_store_end(wet_file *f)
{
    wet_store *t = f->store;
    if (!t)
        return;
    change(t, &t->stop, true);
    wet_store_wait(f);
    for (uint32_t i = 0; i < f->stream_count; i++) {
        const wet_stream *s = &f->streams[i];
        wet_block *blocks = wet_stream_known(s, 0);
        for (uint32_t block = 0; blocks && block < wet_stream_block_count(f, s); block++)
            free(atomic_exchange(&blocks[block].stored, NULL));
    }
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->changed);
    free(t->turns);
    free(t->queue);
    free(t->good);
    free(t);
    f->store = NULL;
}

void wet_store_pause(wet_file *f, bool paused)
{
    if (f->store)
        change(f->store, &f->store->paused, paused);
}

void wet_stored_read(const wet_stored *b, uint32_t at, uint32_t count, uint32_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = wet_stored_get(b, at + i);
}
