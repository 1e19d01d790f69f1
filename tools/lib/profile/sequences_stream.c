/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/sequences_stream.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/profile/sequences_sieve.h"

enum { PART = 1 << 18 /* paths of a part : 2^12 to 2^22 : fewer: threads begin more often; more: memory */ };

typedef struct part {
    sequences *counts; /* of the first part: the caller's */
    uint64_t sum, events;
} part;

struct sequences_stream {
    size_t parts, keep;           /* keep: paths before a part that its state depends on */
    uint32_t last[SEQUENCES_MAX]; /* the last ones of the activation, at most `keep` */
    size_t last_count;
    const uint32_t *paths, *star; /* the block */
    size_t count;
    uint64_t sum, events;
    part part[THREADS_MAX];
};

sequences_stream *sequences_stream_new(sequences *counts)
{
    sequences_stream *s = memory_zero(1, sizeof *s);
    s->parts = threads_count();
    s->keep = sequences_k(counts) - 1;
    for (size_t i = 0; i < s->parts; i++)
        s->part[i].counts = i ? sequences_like(counts) : counts;
    return s;
}

size_t sequences_stream_block(void)
{
    return threads_count() * PART;
}

void sequences_stream_enter(sequences_stream *s)
{
    s->last_count = 0;
    s->sum++;
}

/* The last paths of the activation that is open before the block's path `at`, the oldest first: how many. */
static size_t paths_before(const sequences_stream *s, size_t at, uint32_t *paths)
{
    size_t own = 0, older = 0;
    while (own < at && own < s->keep && !(s->star && s->paths[at - 1 - own] == *s->star))
        own++;
    if (own == at)
        older = s->keep - own < s->last_count ? s->keep - own : s->last_count;
    memmove(paths, s->last + s->last_count - older, older * sizeof *paths);
    memcpy(paths + older, s->paths + at - own, own * sizeof *paths);
    return older + own;
}

static void count_part(void *own, size_t number)
{
    sequences_stream *s = own;
    part *p = &s->part[number];
    uint32_t place, before[SEQUENCES_MAX];
    uint64_t sum = p->sum;
    size_t first = threads_first(s->count, s->parts, number), end = threads_first(s->count, s->parts, number + 1);
    if (first == end)
        return;
    sequences_resume(p->counts, &place, before, paths_before(s, first, before));
    for (size_t i = first; i < end; i++) {
        sum = (sum + s->paths[i] + 1) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 32;
        if (s->star && s->paths[i] == *s->star)
            place = 0;
        else
            sequences_push(p->counts, &place, s->paths[i]);
    }
    p->sum = sum;
}

void sequences_stream_push(sequences_stream *s, const uint32_t *paths, size_t count, const uint32_t *star)
{
    s->paths = paths;
    s->count = count;
    s->star = star;
    threads_run(s->parts, count_part, s);
    s->last_count = paths_before(s, count, s->last);
    s->events = 0;
    for (size_t i = 0; i < s->parts; i++)
        s->events += sequences_events(s->part[i].counts);
}

uint64_t sequences_stream_events(const sequences_stream *s)
{
    return s->events;
}

uint64_t sequences_stream_close(sequences_stream *s)
{
    uint64_t sum = s->sum;
    for (size_t i = 0; i < s->parts; i++) {
        sum = (sum ^ s->part[i].sum) * 0xd6e8feb86659fd93u;
        if (!i)
            continue;
        sequences_merge(s->part[0].counts, s->part[i].counts);
        sequences_free(s->part[i].counts);
    }
    free(s);
    return sum;
}
