/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/sequences_kept.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/profile/sequences_places.h"

enum { REGULAR = 16 /* paths per different sequence of k from which on they are counted as they come : 4 to 64 */ };

sequences *sequences_keep(unsigned k, size_t most, size_t trial)
{
    sequences *all = sequences_new(k);
    all->stream = memory_zero(1, sizeof *all->stream);
    all->stream->most = most;
    all->stream->trial = trial;
    return all;
}

static void keep(kept_stream *s, bool begins, const uint32_t *paths, size_t count)
{
    if (begins) {
        s->starts = memory_room(s->starts, s->start_count, &s->starts_max, sizeof *s->starts);
        s->starts[s->start_count++] = s->count;
    }
    s->numbers = memory_room(s->numbers, s->count + count - 1, &s->max, sizeof *s->numbers);
    for (size_t i = 0; i < count; i++)
        s->numbers[s->count++] = numbering_of(&s->of, paths[i]);
}

static void push(sequences *all, uint32_t *place, const uint32_t *paths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sequences_push(all, place, paths[i]);
}

static void keep_no_more(sequences *all)
{
    free(all->stream->numbers);
    numbering_free(&all->stream->of);
    free(all->stream->starts);
    free(all->stream);
    all->stream = NULL;
}

/* Counts what was only kept. *place is that of the last activation. */
static void count_kept(sequences *all, uint32_t *place)
{
    kept_stream *s = all->stream;
    uint32_t last = 0;
    if (s->only) {
        all->events = 0;
        for (size_t i = 0; i < s->start_count; i++) {
            size_t end = i + 1 < s->start_count ? s->starts[i + 1] : s->count;
            last = 0;
            for (size_t n = s->starts[i]; n < end; n++)
                sequences_push(all, &last, s->of.values[s->numbers[n]]);
        }
        *place = *place ? last : 0;
    }
    keep_no_more(all);
}

/* Paths are kept and counted, until it is known whether counting them takes long. Then one of the two is done. */
static void decide(sequences *all, uint32_t *place)
{
    kept_stream *s = all->stream;
    if (s->only || s->count < s->trial)
        return;
    if ((uint64_t)all->edge_count * REGULAR < s->count) {
        keep_no_more(all);
        return;
    }
    s->only = true;
    sequences_forget(all);
    all->events = s->count;
    *place = *place != 0;
}

/* Paths of one activation. While they are only kept, *place is 1. */
static void take(sequences *all, uint32_t *place, const uint32_t *paths, size_t count)
{
    if (all->stream && count > all->stream->most - all->stream->count)
        count_kept(all, place);
    if (all->stream)
        keep(all->stream, !*place, paths, count);
    if (!all->stream || !all->stream->only) {
        push(all, place, paths, count);
    } else {
        all->events += count;
        *place = 1;
    }
    if (all->stream)
        decide(all, place);
}

void sequences_take(sequences *all, uint32_t *place, const uint32_t *paths, size_t count, const uint32_t *star)
{
    for (size_t i = 0, end; i < count; i = end + 1) {
        for (end = i; end < count && !(star && paths[end] == *star); end++)
            ;
        if (end > i)
            take(all, place, paths + i, end - i);
        if (end < count)
            *place = 0;
    }
}
