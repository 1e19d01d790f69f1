/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/trail.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/recording/by_context.h"

trail *trails_find(trails *t, uint32_t context)
{
    t->all = by_context(t->all, &t->count, &t->max, sizeof *t->all, context, &t->at);
    trail *found = &t->all[t->at];
    if (!found->mark) {
        found->every = 1;
        found->mark = memory_zero(TRAIL_MARKS, sizeof *found->mark);
    }
    return found;
}

void trail_mark(trail *t)
{
    t->mark[t->mark_count++] = t->hash;
    if (t->mark_count < TRAIL_MARKS)
        return;
    for (size_t i = 0; i < TRAIL_MARKS / 2; i++)
        t->mark[i] = t->mark[2 * i + 1];
    t->mark_count = TRAIL_MARKS / 2;
    t->every *= 2;
}

void trails_free(trails *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->all[i].mark);
    free(t->all);
    *t = (trails){0};
}

/* The hash after i * every elements; `every` is at least the trail's own. */
static uint64_t hash_after(const trail *t, uint64_t every, uint64_t i)
{
    return t->mark[i * (every / t->every) - 1];
}

bool trails_part(const trail *a, const trail *b, uint64_t *from, uint64_t *to)
{
    uint64_t every = a->every > b->every ? a->every : b->every;
    uint64_t shorter = a->count < b->count ? a->count : b->count;
    if (a->count == b->count && a->hash == b->hash)
        return false;
    uint64_t low = 0, high = shorter / every + 1; /* equal after low * every; not, or not known, after high * every */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (hash_after(a, every, middle) == hash_after(b, every, middle))
            low = middle;
        else
            high = middle;
    }
    *from = low * every;
    *to = high * every < shorter ? high * every : shorter + 1;
    return true;
}
