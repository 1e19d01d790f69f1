/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/begun.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/squeeze/coded.h"
#include "tools/lib/wet/blocks.h"
#include "tools/lib/wet/store.h"

#define MARGIN 2048u  /* numbers decoded beyond those asked for. More: dearer jumps, rarer pauses of steps after them */
#define THREADS_MAX 4 /* each has tables of 1.2 MB */
#define JOBS_MIN 6u   /* blocks that make another thread worthwhile */

/* A block that is to be decoded. */
typedef struct job {
    uint32_t stream, block, count, size; /* numbers wanted, and those of the block */
    uint32_t *words;
    bool good;
} job;

typedef struct jobs {
    wet_file *f;
    job *all;
    uint32_t count;
    size_t max;
    atomic_uint next;
} jobs;

/* Adds a block, if fewer than `count` of its numbers are there. */
static void job_add(jobs *j, uint32_t stream, uint32_t block, uint32_t count)
{
    wet_stream *s = &j->f->streams[stream];
    wet_begun *b = &wet_stream_blocks(j->f, s)[block].begun;
    if (wet_stream_kept(s, block) || b->count >= count)
        return;
    job new = {.stream = stream, .block = block, .size = wet_stream_block_size(j->f, s, block)};
    new.count = b->count || (count + MARGIN) * 4 >= new.size * 3 ? new.size : count + MARGIN;
    if (b->job && j->all) { /* it is listed already */
        job *same = &j->all[b->job - 1];
        same->count = new.count > same->count ? new.count : same->count;
        return;
    }
    j->all = memory_room(j->all, j->count, &j->max, sizeof *j->all);
    j->all[j->count++] = new;
    b->job = j->count;
}

static void job_run(const wet_file *f, job *k, squeeze_coder *coder)
{
    size_t size;
    const uint8_t *data = wet_stream_bytes(f, &f->streams[k->stream], k->block, &size);
    k->good = squeeze_decode_first(coder, data, size, k->size, k->words, k->count);
}

static void *jobs_run(void *context)
{
    jobs *j = context;
    squeeze_coder *coder = squeeze_coder_new();
    for (uint32_t i; (i = atomic_fetch_add(&j->next, 1)) < j->count;)
        job_run(j->f, &j->all[i], coder);
    squeeze_coder_free(coder);
    return NULL;
}

static void jobs_share(jobs *j)
{
    pthread_t threads[THREADS_MAX];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int count = 0, wanted = (int)(cores > THREADS_MAX ? THREADS_MAX : cores) - 1;
    while (count < wanted && (uint32_t)count < j->count / JOBS_MIN &&
           pthread_create(&threads[count], NULL, jobs_run, j) == 0)
        count++;
    if (!j->f->coder)
        j->f->coder = squeeze_coder_new();
    for (uint32_t i; (i = atomic_fetch_add(&j->next, 1)) < j->count;)
        job_run(j->f, &j->all[i], j->f->coder);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* Check sums first, then all blocks, then they are kept. */
static void jobs_end(jobs *j)
{
    wet_file *f = j->f;
    for (uint32_t i = 0; i < j->count; i++) {
        size_t bytes;
        const uint8_t *data = wet_stream_bytes(f, &f->streams[j->all[i].stream], j->all[i].block, &bytes);
        wet_stream_check(f, data, bytes);
        j->all[i].words = memory_zero(j->all[i].count, sizeof(uint32_t));
    }
    if (j->count >= JOBS_MIN)
        wet_store_pause(f, true);
    jobs_share(j);
    if (j->count >= JOBS_MIN)
        wet_store_pause(f, false);
    for (uint32_t i = 0; i < j->count; i++) {
        job *k = &j->all[i];
        f->damaged |= !k->good;
        wet_stream_known(&f->streams[k->stream], k->block)->begun.job = 0;
        if (k->count == k->size)
            wet_stream_keep(f, k->stream, k->block, k->words);
        else
            wet_begun_keep(f, k->stream, k->block, k->words, k->count);
    }
    free(j->all);
}

const uint32_t *wet_begun_words(wet_file *f, uint32_t stream, uint32_t block, uint32_t count)
{
    jobs j = {.f = f};
    const wet_stream *s = &f->streams[stream];
    job_add(&j, stream, block, count);
    jobs_end(&j);
    const uint32_t *kept = wet_stream_kept(s, block);
    return kept ? kept : wet_stream_known(s, block)->begun.words;
}

bool wet_begun_ahead(wet_file *f, const wet_numbers *wanted, uint32_t count)
{
    jobs j = {.f = f};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t stream = wanted[i].stream, from = wanted[i].from, to = wanted[i].to;
        while (stream < f->stream_count && f->streams[stream].kind == WET_PATTERN)
            stream = f->streams[stream].second;
        if (stream >= f->stream_count || f->streams[stream].kind != WET_CODED || to > f->streams[stream].count)
            continue;
        while (from < to) {
            uint32_t block = from >> f->block_bits, first = block << f->block_bits,
                     size = wet_stream_block_size(f, &f->streams[stream], block);
            uint32_t here = to - first < size ? to - first : size;
            if (!wet_store_block(&f->streams[stream], block))
                job_add(&j, stream, block, here);
            from = first + here;
        }
    }
    jobs_end(&j);
    return j.count > 0;
}
