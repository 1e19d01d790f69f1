/* SPDX-License-Identifier: MIT */
/* Sites of a program often walk together: the fields of one structure, the loads and stores of one element. Their
 * addresses differ by a constant, so one model does for all of them with its base moved. Steps:
 *   1. group the streams by their differences;
 *   2. model one of each group, the longest first, each thread taking the next when it is free;
 *   3. move the result to the others of the group. */
#include "tools/lib/affine/many.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/affine/memo.h"
#include "tools/lib/base/clock.h"
#include "tools/lib/base/memory.h"

/* Values within these bounds can be moved without leaving 64 bits on the way, which a search would notice. */
#define MOVABLE_MAX ((int64_t)1 << 60)

/* one stream gets the time left, divided by this : 1 to 100 : leaves more to the others */
enum { TIME_SHARE = 4 };

typedef struct member {
    const many_stream *stream;
    uint64_t hash; /* of the differences */
    size_t number;
} member;

typedef struct task {
    model *out;
    const many_options *options;
    member *member; /* by group, longest streams first */
    size_t members;
    size_t *group; /* the first member of each group, and the end */
    size_t groups;
    double deadline;
    atomic_size_t next; /* group to take */
    pthread_mutex_t lock;
    uint64_t done; /* streams, under the lock */
} task;

unsigned many_threads(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MANY_THREADS ? MANY_THREADS : (unsigned)cores;
}

/* ---- step 1: groups ---- */

static uint64_t difference(const int64_t *values, uint64_t k)
{
    return (uint64_t)values[k] - (uint64_t)values[k - 1];
}

/* Streams that cannot be moved get a hash of their own. */
static uint64_t hash_stream(const many_stream *s, size_t number)
{
    uint64_t hash = s->count;
    for (uint64_t k = 0; k < s->count; k++) {
        if (s->values[k] > MOVABLE_MAX || s->values[k] < -MOVABLE_MAX)
            return number;
        hash = (hash ^ (k ? difference(s->values, k) : 0)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static bool same_differences(const many_stream *a, const many_stream *b)
{
    if (a->count != b->count)
        return false;
    for (uint64_t k = 1; k < a->count; k++)
        if (difference(a->values, k) != difference(b->values, k))
            return false;
    return true;
}

/* The longest first, since they take longest; then by group, in the order given. */
static int by_group(const void *left, const void *right)
{
    const member *a = left, *b = right;
    if (a->stream->count != b->stream->count)
        return a->stream->count > b->stream->count ? -1 : 1;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void find_groups(task *t, const many_stream *stream, size_t streams)
{
    t->members = streams;
    t->member = memory_grow(NULL, streams, sizeof *t->member);
    t->group = memory_grow(NULL, streams + 1, sizeof *t->group);
    for (size_t i = 0; i < streams; i++)
        t->member[i] = (member){&stream[i], hash_stream(&stream[i], i), i};
    if (streams)
        qsort(t->member, streams, sizeof *t->member, by_group);
    for (size_t i = 0; i < streams; i++)
        if (!i || t->member[i].hash != t->member[i - 1].hash ||
            !same_differences(t->member[i].stream, t->member[i - 1].stream))
            t->group[t->groups++] = i;
    t->group[t->groups] = streams;
}

/* ---- steps 2 and 3: models ---- */

static void find_one(task *t, const member *m, memo *memory)
{
    model_options own = t->options->model;
    double left = t->deadline - clock_seconds();
    own.time_limit = left > 0 ? left / TIME_SHARE : 0;
    own.threads = 1;
    own.progress = NULL;
    own.memory = memory;
    model_find(&t->out[m->number], m->stream->values, m->stream->count, &own);
}

static bool is_movable(const model *m)
{
    bool movable = m->movable;
    for (size_t i = 0; i < m->nests; i++)
        movable = movable && m->nest[i].base <= 2 * MOVABLE_MAX && m->nest[i].base >= -2 * MOVABLE_MAX;
    return movable;
}

static int64_t *moved_values(const int64_t *values, uint64_t count, int64_t by)
{
    int64_t *moved = memory_grow(NULL, count, sizeof *moved);
    for (uint64_t i = 0; i < count; i++)
        moved[i] = values[i] + by;
    return moved;
}

static affine_nest moved_nest(const affine_nest *nest, int64_t by)
{
    affine_nest moved = *nest;
    moved.base = (int64_t)((uint64_t)nest->base + (uint64_t)by);
    if (nest->raw)
        moved.raw = moved_values(nest->raw, nest->accesses, by);
    if (nest->level) {
        moved.level = memory_grow(NULL, nest->depth, sizeof *moved.level);
        memcpy(moved.level, nest->level, nest->depth * sizeof *moved.level);
    }
    return moved;
}

static void move_model(model *to, const model *from, int64_t by)
{
    *to = *from;
    to->nest = memory_grow(NULL, from->nests, sizeof *to->nest);
    to->nests_max = from->nests;
    for (size_t i = 0; i < from->nests; i++)
        to->nest[i] = moved_nest(&from->nest[i], by);
}

static void find_group(task *t, size_t group, memo *memory)
{
    const member *first = &t->member[t->group[group]], *end = &t->member[t->group[group + 1]];
    const model *known = &t->out[first->number];
    find_one(t, first, memory);
    bool movable = is_movable(known);
    for (const member *m = first + 1; m < end; m++)
        if (movable)
            move_model(&t->out[m->number], known,
                       m->stream->count ? m->stream->values[0] - first->stream->values[0] : 0);
        else
            find_one(t, m, memory);
    if (!t->options->progress)
        return;
    pthread_mutex_lock(&t->lock);
    t->done += (uint64_t)(end - first);
    t->options->progress(t->done, t->members);
    pthread_mutex_unlock(&t->lock);
}

static void *run(void *argument)
{
    task *t = argument;
    memo *memory = memo_new();
    for (size_t group; (group = atomic_fetch_add(&t->next, 1)) < t->groups;)
        find_group(t, group, memory);
    memo_free(memory);
    return NULL;
}

void many_find(model *out, const many_stream *stream, size_t streams, const many_options *options)
{
    task t = {.out = out, .options = options, .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread[MANY_THREADS];
    unsigned threads = options->threads < MANY_THREADS ? options->threads : MANY_THREADS, running = 0;
    t.deadline = clock_seconds() + options->model.time_limit;
    find_groups(&t, stream, streams);
    while (running + 1 < threads && running + 1 < t.groups && !pthread_create(&thread[running], NULL, run, &t))
        running++;
    run(&t);
    while (running)
        pthread_join(thread[--running], NULL);
    free(t.member);
    free(t.group);
}
