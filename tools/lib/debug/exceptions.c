/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/exceptions.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/who_runs.h"
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

static void threads_find(debug_exceptions *e)
{
    who_runs who = {0};
    uint32_t entries = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        debug_exception *x = &e->all[i];
        x->entries = entries;
        entries += x->kind == DEBUG_ENTRY;
        bool kept = x->kind == DEBUG_CHAINED; /* the registers stay where they are */
        const who_exception step = {x->to, kept ? who_runs_frame(&who) : x->frame, x->kind != DEBUG_RETURN, kept};
        who_runs_exception(&who, &step);
        x->thread = who.threads.running + 1;
    }
    e->threads = who.threads.begun + 1;
    who_runs_free(&who);
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
