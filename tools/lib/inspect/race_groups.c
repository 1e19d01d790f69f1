/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/inspect/race_groups.h"

/* A race, and where it stands among all. */
typedef struct numbered {
    const race *r;
    size_t at;
} numbered;

static const char thread[] = "thread ";

bool race_has_name(const char *context)
{
    size_t known = sizeof thread - 1;
    return strncmp(context, thread, known) || context[known + strspn(context + known, "0123456789")];
}

/* A context's name but for the number of a thread: `thread 515 (worker)` is ` (worker)`, `thread 515` is `thread `. */
static const char *name_of(const char *text)
{
    const char *name = strncmp(text, thread, sizeof thread - 1) ? NULL : strchr(text, '(');
    return name ? name : race_has_name(text) ? text : thread;
}

static int by_numbers(const race *x, const race *y)
{
    const uint32_t a[] = {(uint32_t)x->kind, x->address, x->size, x->step[0].pc, x->step[1].pc, x->step[2].pc};
    const uint32_t b[] = {(uint32_t)y->kind, y->address, y->size, y->step[0].pc, y->step[1].pc, y->step[2].pc};
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int by_group(const race *x, const race *y)
{
    int order = by_numbers(x, y);
    order = order ? order : x->step[1].store - y->step[1].store;
    order = order ? order : strcmp(x->object, y->object);
    order = order ? order : strcmp(name_of(x->over), name_of(y->over));
    return order ? order : strcmp(name_of(x->by), name_of(y->by));
}

static int by_group_then_place(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    int order = by_group(x->r, y->r);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* How many contexts are step `step` of the races. */
static uint32_t contexts_of(const numbered *all, size_t count, unsigned step, uint32_t *room)
{
    uint32_t different = 0;
    for (size_t i = 0; i < count; i++)
        room[i] = all[i].r->step[step].context;
    qsort(room, count, sizeof *room, by_number);
    for (size_t i = 0; i < count; i++)
        different += !i || room[i] != room[i - 1];
    return different;
}

static race_group group_of(const numbered *all, size_t count, uint32_t *room)
{
    race_group g = {all[0].r, count, UINT64_MAX, 0, 0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        g.least = all[i].r->windows < g.least ? all[i].r->windows : g.least;
        g.most = all[i].r->windows > g.most ? all[i].r->windows : g.most;
        g.seen = all[i].r->seen > g.seen ? all[i].r->seen : g.seen;
    }
    g.over = contexts_of(all, count, 0, room);
    g.by = contexts_of(all, count, 1, room);
    return g;
}

/* The races given are elements of one array, in its order. */
static int by_first(const void *a, const void *b)
{
    const race_group *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

race_group *race_groups(const race *const *all, size_t count, size_t *groups)
{
    numbered *sorted = memory_zero(count + 1, sizeof *sorted);
    uint32_t *room = memory_zero(count + 1, sizeof *room);
    race_group *out = memory_zero(count + 1, sizeof *out);
    *groups = 0;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (numbered){all[i], i};
    qsort(sorted, count, sizeof *sorted, by_group_then_place);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && by_group(sorted[i].r, sorted[end].r) == 0; end++)
            continue;
        out[(*groups)++] = group_of(sorted + i, end - i, room);
    }
    qsort(out, *groups, sizeof *out, by_first);
    free(sorted);
    free(room);
    return out;
}
