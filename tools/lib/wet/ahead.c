/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/ahead.h"

#include <pthread.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/squeeze/coded.h"
#include "tools/lib/wet/blocks.h"

#define HELPERS_MAX 4u                /* threads; each has tables of 1.2 MB */
#define HELD_MAX (UINT64_C(64) << 20) /* bytes decoded and not asked for. Less: threads wait for who reads */

enum { WAITING, RUNNING, DONE, TAKEN };

typedef struct job {
    uint32_t stream, block, when;
    uint8_t state;
    bool good;
    uint32_t *words;
} job;

typedef struct wet_ahead {
    wet_file *f;
    job *jobs;
    size_t count;
    uint32_t **numbers; /* of each stream: of each block its job + 1, or 0; NULL: none */
    pthread_t threads[HELPERS_MAX];
    unsigned thread_count;
    pthread_mutex_t lock; /* of all below, and of the states of jobs */
    pthread_cond_t done, room;
    size_t next, passed; /* jobs before them do not wait; are kept or taken */
    uint64_t held;       /* bytes of jobs that are running or done */
    bool stop;
} wet_ahead;

static uint64_t job_bytes(const wet_ahead *a, const job *j)
{
    return wet_stream_block_size(a->f, &a->f->streams[j->stream], j->block) * sizeof(uint32_t);
}

/* The next block to decode, which is running from now on; waits for room. NULL: there is none. */
static job *job_next(wet_ahead *a)
{
    while (!a->stop && a->held >= HELD_MAX)
        pthread_cond_wait(&a->room, &a->lock);
    while (a->next < a->count && a->jobs[a->next].state != WAITING)
        a->next++;
    if (a->stop || a->next == a->count)
        return NULL;
    job *j = &a->jobs[a->next++];
    j->state = RUNNING;
    a->held += job_bytes(a, j);
    return j;
}

static void job_run(const wet_ahead *a, job *j, squeeze_coder *coder)
{
    wet_stream *s = &a->f->streams[j->stream];
    uint32_t count = wet_stream_block_size(a->f, s, j->block);
    size_t size;
    const uint8_t *data = wet_stream_bytes(a->f, s, j->block, &size);
    j->words = memory_zero(count, sizeof *j->words);
    j->good = squeeze_decode(coder, data, size, j->words, count);
}

static void *help(void *context)
{
    wet_ahead *a = context;
    squeeze_coder *coder = squeeze_coder_new();
    pthread_mutex_lock(&a->lock);
    for (job *j; (j = job_next(a)) != NULL;) {
        pthread_mutex_unlock(&a->lock);
        job_run(a, j, coder);
        pthread_mutex_lock(&a->lock);
        j->state = DONE;
        pthread_cond_signal(&a->done);
    }
    pthread_mutex_unlock(&a->lock);
    squeeze_coder_free(coder);
    return NULL;
}

static int by_time(const void *a, const void *b)
{
    const wet_ahead_block *x = a, *y = b;
    if (x->when != y->when)
        return x->when < y->when ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return x->block < y->block ? -1 : x->block > y->block;
}

static void jobs_make(wet_ahead *a, wet_ahead_block *blocks, size_t count)
{
    wet_file *f = a->f;
    qsort(blocks, count, sizeof *blocks, by_time);
    a->jobs = memory_zero(count, sizeof *a->jobs);
    a->numbers = memory_zero(f->stream_count + 1, sizeof *a->numbers);
    for (size_t i = 0; i < count; i++) {
        const wet_ahead_block *b = &blocks[i];
        uint32_t **numbers = &a->numbers[b->stream];
        if (!*numbers)
            *numbers = memory_zero(wet_stream_block_count(f, &f->streams[b->stream]) + 1, sizeof **numbers);
        a->jobs[i] = (job){.stream = b->stream, .block = b->block, .when = b->when};
        (*numbers)[b->block] = (uint32_t)i + 1;
    }
    a->count = count;
}

void wet_ahead_begin(wet_file *f, wet_ahead_block *blocks, size_t count)
{
    size_t wanted = threads_count() - 1;
    if (wanted && count && count < UINT32_MAX) {
        wet_ahead *a = f->ahead = memory_zero(1, sizeof *a);
        a->f = f;
        jobs_make(a, blocks, count);
        pthread_mutex_init(&a->lock, NULL);
        pthread_cond_init(&a->done, NULL);
        pthread_cond_init(&a->room, NULL);
        while (a->thread_count < wanted && a->thread_count < HELPERS_MAX &&
               pthread_create(&a->threads[a->thread_count], NULL, help, a) == 0)
            a->thread_count++;
    }
    free(blocks);
}

/* What was decoded is the caller's. */
static uint32_t *job_take(wet_ahead *a, job *j)
{
    uint32_t *words = j->words;
    j->words = NULL;
    j->state = TAKEN;
    if (!words)
        return NULL;
    a->held -= job_bytes(a, j);
    a->f->damaged |= !j->good;
    pthread_cond_broadcast(&a->room);
    return words;
}

uint32_t *wet_ahead_take(wet_file *f, uint32_t stream, uint32_t block)
{
    wet_ahead *a = f->ahead;
    uint32_t number = a && a->numbers[stream] ? a->numbers[stream][block] : 0;
    if (!number)
        return NULL;
    job *j = &a->jobs[number - 1];
    pthread_mutex_lock(&a->lock);
    while (j->state == RUNNING)
        pthread_cond_wait(&a->done, &a->lock);
    uint32_t *words = job_take(a, j);
    pthread_mutex_unlock(&a->lock);
    return words;
}

void wet_ahead_pass(wet_file *f, uint32_t time)
{
    wet_ahead *a = f->ahead;
    for (; a && a->passed < a->count && a->jobs[a->passed].when < time; a->passed++) {
        const job *j = &a->jobs[a->passed];
        uint32_t *words = wet_ahead_take(f, j->stream, j->block);
        if (words)
            wet_stream_keep(f, j->stream, j->block, words);
    }
}

void wet_ahead_end(wet_file *f)
{
    wet_ahead *a = f->ahead;
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    pthread_cond_broadcast(&a->room);
    pthread_mutex_unlock(&a->lock);
    for (unsigned i = 0; i < a->thread_count; i++)
        pthread_join(a->threads[i], NULL);
    for (size_t i = 0; i < a->count; i++)
        free(a->jobs[i].words);
    for (uint32_t i = 0; i < f->stream_count; i++)
        free(a->numbers[i]);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->done);
    pthread_cond_destroy(&a->room);
    free(a->numbers);
    free(a->jobs);
    free(a);
    f->ahead = NULL;
}
