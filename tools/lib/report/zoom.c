/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/zoom.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

void zoom_begin(zoom *z)
{
    *z = (zoom){.runs = grammar_runs_new()};
}

/* The grammar takes too much memory: drops it. */
static void give_up(zoom *z)
{
    if (z->runs)
        grammar_free(grammar_runs_finish(z->runs));
    z->runs = NULL;
}

static uint32_t *slot_of(const zoom *z, const zoom_terminal *t)
{
    uint64_t hash = (((uint64_t)t->node << 32 | t->path) ^ t->cost * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u;
    size_t at = (hash ^ hash >> 29) & (z->slot_max - 1);
    for (; z->slots[at]; at = (at + 1) & (z->slot_max - 1)) {
        const zoom_terminal *there = &z->terminal[z->slots[at] - 1];
        if (there->node == t->node && there->path == t->path && there->cost == t->cost)
            break;
    }
    return &z->slots[at];
}

static uint32_t number_of(zoom *z, const zoom_terminal *t)
{
    if (2 * z->count >= z->slot_max) {
        z->slot_max = z->slot_max ? 2 * z->slot_max : 1024;
        free(z->slots);
        z->slots = memory_zero(z->slot_max, sizeof *z->slots);
        for (uint32_t i = 0; i < z->count; i++)
            *slot_of(z, &z->terminal[i]) = i + 1;
    }
    uint32_t *slot = slot_of(z, t);
    if (!*slot) {
        z->terminal = memory_room(z->terminal, z->count, &z->max, sizeof *z->terminal);
        z->terminal[z->count] = *t;
        *slot = (uint32_t)++z->count;
    }
    return *slot - 1;
}

static void give(zoom *z)
{
    if (z->runs)
        grammar_runs_push(z->runs, z->waiting, z->waiting_count);
    z->waiting_count = 0;
    if (z->runs && (grammar_runs_bytes(z->runs) > ZOOM_BYTES || z->count > ZOOM_TERMINALS))
        give_up(z);
}

void zoom_spend(zoom *z, uint32_t node, uint32_t path, uint64_t cost)
{
    if (!z->runs || !cost)
        return;
    z->waiting[z->waiting_count++] = number_of(z, &(zoom_terminal){node, path, cost});
    if (z->waiting_count == sizeof z->waiting / sizeof *z->waiting)
        give(z);
}

void zoom_end(zoom *z)
{
    give(z);
    if (!z->runs)
        return;
    z->rules = grammar_runs_finish(z->runs);
    z->runs = NULL;
    if (grammar_symbols(z->rules) > ZOOM_SYMBOLS) {
        grammar_free(z->rules);
        z->rules = NULL;
    }
}

void zoom_free(zoom *z)
{
    give_up(z);
    grammar_free(z->rules);
    free(z->terminal);
    free(z->slots);
}
