/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/exceptions.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/word.h"

static int time_order(const void *a, const void *b)
{
    const debug_exception *x = a, *y = b;
    return x->time < y->time ? -1 : x->time > y->time;
}

static void read_node(debug_exceptions *e, size_t *max, wet_file *f, uint32_t node)
{
    const wet_file_node *n = &f->nodes[node];
    const wet_static *s = &f->statics[f->statements[n->n.statements[0]].instruction];
    uint32_t address = 0;
    while (address < n->n.slot_count && n->slot[address]->kind != WET_ADDRESS)
        address++;
    for (uint32_t i = 0; i < n->n.count; i++) {
        e->all = memory_room(e->all, e->count, max, sizeof *e->all);
        e->all[e->count++] = (debug_exception){.time = wet_time(f, node, i),
                                               .kind = s->exception,
                                               .from = s->from,
                                               .to = s->to,
                                               .frame = address < n->n.slot_count ? wet_word(f, node, address, i) : 0};
    }
}

/* What waits on a frame: which thread. */
typedef struct parked {
    uint32_t frame, thread;
} parked;

typedef struct park {
    parked *all;
    uint32_t count;
    size_t max;
} park;

static void park_put(park *p, uint32_t frame, uint32_t thread)
{
    uint32_t at = 0;
    while (at < p->count && p->all[at].frame != frame)
        at++;
    if (at == p->count) {
        p->all = memory_room(p->all, p->count, &p->max, sizeof *p->all);
        p->count++;
    }
    p->all[at] = (parked){frame, thread};
}

/* 0: nothing waits there. */
static uint32_t park_take(park *p, uint32_t frame)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->all[i].frame == frame) {
            uint32_t thread = p->all[i].thread;
            p->all[i] = p->all[--p->count];
            return thread;
        }
    return 0;
}

/* A return to thread mode goes on with what was stacked on its frame; a frame that the program made is a new thread. */
static void threads_find(debug_exceptions *e)
{
    park waiting = {0};
    uint32_t thread = 1, entries = 0;
    e->threads = 1;
    for (uint32_t i = 0; i < e->count; i++) {
        debug_exception *x = &e->all[i];
        x->entries = entries;
        entries += x->kind == DEBUG_ENTRY;
        if (x->kind == DEBUG_ENTRY && !x->from)
            park_put(&waiting, x->frame, thread);
        if (x->kind == DEBUG_RETURN && !x->to) {
            uint32_t next = park_take(&waiting, x->frame);
            thread = next ? next : ++e->threads;
        }
        x->thread = thread;
    }
    free(waiting.all);
}

void debug_exceptions_read(debug_exceptions *e, wet_file *f)
{
    size_t max = 0;
    *e = (debug_exceptions){0};
    for (uint32_t i = 0; i < f->node_count; i++)
        if (f->statics[f->statements[f->nodes[i].n.statements[0]].instruction].exception)
            read_node(e, &max, f, i);
    if (e->count)
        qsort(e->all, e->count, sizeof *e->all, time_order);
    threads_find(e);
}

void debug_exceptions_free(debug_exceptions *e)
{
    free(e->all);
}

uint32_t debug_exceptions_before(const debug_exceptions *e, uint32_t time)
{
    uint32_t low = 0, high = e->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (e->all[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
