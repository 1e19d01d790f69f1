/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/store.h"

#include <pthread.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/squeeze/coded.h"
#include "tools/lib/wet/blocks.h"

/* The order in which streams are decoded. */
enum { NOT_NEEDED, TIMES, WORDS, EDGES };

typedef struct wet_store {
    wet_file *f;
    pthread_t thread;
    bool running;
    pthread_mutex_t lock; /* of the two below */
    pthread_cond_t changed;
    bool stop, paused;
    uint64_t max;
    /* of the thread */
    uint64_t bytes;  /* of blocks */
    uint8_t *turns;  /* of each stream, when it is decoded */
    uint8_t *good;   /* of each chunk of the data: its check sum was right */
    uint32_t *words; /* of a block */
    squeeze_coder *coder;
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
    stream_need(t, n->times, TIMES);
    for (uint32_t i = 0; i < n->n.slot_count; i++)
        stream_need(t, n->slots[i], WORDS);
    for (uint32_t i = 0; i < n->n.load_count; i++)
        for (uint32_t k = 0; k < n->loads[i].part_count; k++)
            edge_need(t, &n->loads[i].parts[k].edge, WORDS);
    for (uint32_t i = 0; i < n->n.input_count; i++)
        edge_need(t, &n->inputs[i], EDGES);
    for (uint32_t i = 0; i < n->n.control_count; i++)
        edge_need(t, &n->controls[i], EDGES);
}

/* ---- the thread ---- */

static bool data_good(wet_store *t, const uint8_t *data, size_t size)
{
    const wet_file *f = t->f;
    size_t at = (size_t)(data - f->bytes) - f->data_at, left = f->size - f->data_at;
    for (size_t i = at / WET_CHUNK; i * WET_CHUNK < at + size; i++) {
        size_t first = i * WET_CHUNK, length = left - first < WET_CHUNK ? left - first : WET_CHUNK;
        if (!t->good[i] && weft_crc32(0, f->bytes + f->data_at + first, length) != f->sums[i])
            return false;
        t->good[i] = 1;
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

static void block_make(wet_store *t, const wet_stream *s, uint32_t block, struct wet_stored *_Atomic *stored)
{
    uint32_t count = wet_stream_block_size(t->f, s, block);
    const uint8_t *data = s->data + s->offsets[block];
    size_t size = s->offsets[block + 1] - s->offsets[block];
    uint64_t bytes;
    if (!count || !data_good(t, data, size) || !squeeze_decode(t->coder, data, size, t->words, count))
        return;
    wet_stored *b = pack(t->words, count, &bytes);
    t->bytes += bytes;
    atomic_store_explicit(&stored[block], b, memory_order_release);
}

/* Waits while it is paused. */
static bool is_stopped(wet_store *t)
{
    pthread_mutex_lock(&t->lock);
    while (t->paused && !t->stop)
        pthread_cond_wait(&t->changed, &t->lock);
    bool stop = t->stop;
    pthread_mutex_unlock(&t->lock);
    return stop;
}

/* False: it is to stop, or there is no room for another block. */
static bool stream_make(wet_store *t, wet_stream *s)
{
    uint32_t count = wet_stream_block_count(t->f, s);
    struct wet_stored *_Atomic *stored = memory_zero(count + UINT64_C(1), sizeof *stored);
    atomic_store_explicit(&s->stored, stored, memory_order_release);
    for (uint32_t block = 0; block < count; block++) {
        uint64_t most = wet_stream_block_size(t->f, s, block) * UINT64_C(4) + sizeof(wet_stored);
        if (t->bytes + most > t->max || is_stopped(t))
            return false;
        block_make(t, s, block, stored);
    }
    return true;
}

static void *blocks_make(void *context)
{
    wet_store *t = context;
    wet_file *f = t->f;
    bool more = true;
    t->coder = squeeze_coder_new();
    for (uint32_t i = 0; i < f->node_count; i++)
        node_need(t, &f->nodes[i]);
    for (uint8_t turn = TIMES; turn <= EDGES && more; turn++)
        for (uint32_t i = 0; i < f->stream_count && more; i++)
            if (t->turns[i] == turn && f->streams[i].kind == WET_CODED)
                more = stream_make(t, &f->streams[i]);
    squeeze_coder_free(t->coder);
    return NULL;
}

/* ---- for the owner of the file ---- */

static void change(wet_store *t, bool *what, bool to)
{
    pthread_mutex_lock(&t->lock);
    *what = to;
    pthread_cond_signal(&t->changed);
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
    t->good = memory_zero((f->size - f->data_at) / WET_CHUNK + 1, 1);
    t->words = memory_grow(NULL, wet_block_mask(f) + UINT64_C(1), sizeof *t->words);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    t->running = pthread_create(&t->thread, NULL, blocks_make, t) == 0;
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
        wet_stream *s = &f->streams[i];
        struct wet_stored *_Atomic *stored = atomic_exchange(&s->stored, NULL);
        for (uint32_t block = 0; stored && block < wet_stream_block_count(f, s); block++)
            free(atomic_load(&stored[block]));
        free(stored);
    }
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->changed);
    free(t->turns);
    free(t->good);
    free(t->words);
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
