/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/taking.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digest.h"
#include "tools/lib/base/memory.h"

static void add_paths(taking *t, const path_sums *sums)
{
    taking_image *of = t->image;
    for (uint32_t i = 0; i < sums->numbers.count; i++) {
        uint32_t path = sums->numbers.values[i];
        merged_path *p = merged_path_of(t->group, path);
        merged_sum(t->all, &p->count, sums->count[i]);
        p->recordings++;
        merged_sum_wide(t->all, &p->squares, (wide)sums->count[i] * sums->count[i]);
        if (!of)
            continue;
        uint32_t least = costs_of(of->costs, path).least;
        p->price = least + (least < UINT32_MAX);
        size_t f = taking_function_of(program_descriptors(of->app), path);
        merged_sum_wide(t->all, &p->cross, (wide)sums->count[i] * of->calls[f]);
    }
}

/* What the replay counted of a path beyond its price. */
static void add_leads(taking *t)
{
    for (size_t i = 0; t->functions && i < t->functions->path_count; i++) {
        const path_row *row = &t->functions->path[i];
        uint64_t priced = row->count * costs_of(t->image->costs, row->path).least;
        if (row->self > priced)
            merged_sum(t->all, &merged_path_of(t->group, row->path)->lead, row->self - priced);
    }
}

static void add_function(taking *t, uint32_t function)
{
    uint64_t calls = t->image->calls[function], self = t->image->self[function];
    if (!calls && !self)
        return;
    merged_function *to = merged_function_of(t->group, function);
    to->recordings++;
    merged_sum(t->all, &to->calls, calls);
    merged_sum(t->all, &to->self, self);
    merged_sum_wide(t->all, &to->calls_squares, (wide)calls * calls);
    merged_sum_wide(t->all, &to->self_squares, (wide)self * self);
    merged_sum_wide(t->all, &to->cross, (wide)calls * self);
    if (!t->functions)
        return;
    const function_cost *from = &t->functions->all[function];
    if (from->whole) {
        to->min = to->whole && to->min < from->min ? to->min : from->min;
        to->max = to->max > from->max ? to->max : from->max;
    }
    merged_sum(t->all, &to->more, from->more);
    merged_sum(t->all, &to->estimated, from->estimated);
    merged_sum(t->all, &to->inclusive, from->inclusive);
    merged_sum(t->all, &to->whole, from->whole);
    merged_sum(t->all, &to->whole_sum, from->whole_sum);
}

static void add_forest(taking *t)
{
    uint32_t nodes = kipf_nodes(t->forest), *to = memory_zero(nodes, sizeof *to);
    to[TRIE_UNKNOWN] = TRIE_UNKNOWN;
    for (uint32_t n = TRIE_FIRST; n < nodes; n++) {
        const trie_node *from = kipf_node(t->forest, n);
        to[n] = merged_add_node(t->all, t->group, to[from->parent], from->label, from->count,
                                from->count ? t->set : SETS_NONE);
    }
    free(to);
}

/* Chains of calls, and loops. */
static void add_stream(taking *t)
{
    const functions *from = t->functions;
    uint32_t *to = memory_zero(from->node_count, sizeof *to);
    for (uint32_t n = 1; n < from->node_count; n++) {
        const call_node *node = &from->node[n];
        uint32_t label = node->function == FUNCTIONS_NONE ? node->context : node->function;
        to[n] = merged_add_chain(t->all, t->group, to[node->parent], label, node->calls, node->self);
    }
    free(to);
    size_t loops;
    const rounds_loop *loop = rounds_loops(t->image->loops, &loops);
    for (size_t i = 0; i < loops; i++)
        if (loop[i].entries)
            merged_add_loop(t->all, t->group, &loop[i]);
}

/* Paths that are missing in what was counted. A forest may hold what the stream beside it lost; and it may lack what
 * the stream has, if its own frames are missing. */
static uint64_t lost_paths(const taking *t)
{
    uint64_t all = 0, counted = kipf_events(t->forest);
    for (uint32_t i = 0; i < container_recording_count(t->file) && !t->stream; i++) {
        weft_counts counts;
        if (!container_end_counts(t->file, i, &counts))
            return container_lost(t->file).paths;
        all += counts.paths;
    }
    return t->stream ? container_lost(t->file).paths : all > counted ? all - counted : 0;
}

/* Nothing is missing in the forest that was counted, whatever else the recording lost. */
static bool is_whole_forest(const taking *t)
{
    bool ended = !t->stream && container_recording_count(t->file) > 0;
    for (uint32_t i = 0; i < container_recording_count(t->file) && ended; i++) {
        weft_counts counts;
        ended = container_end_counts(t->file, i, &counts);
    }
    return ended && !lost_paths(t) && !kipf_gaps(t->forest);
}

static void add_totals(taking *t)
{
    merged_totals *to = &t->group->totals;
    size_t gaps = is_whole_forest(t) ? 0 : container_gap_count(t->file);
    uint64_t unread = t->unread + kipf_gaps(t->forest);
    to->recordings++;
    to->priced += t->image != NULL;
    to->streams += t->functions != NULL;
    to->gapped += gaps || unread;
    merged_sum(t->all, &to->paths, kipf_events(t->forest));
    merged_sum(t->all, &to->lost, lost_paths(t));
    merged_sum(t->all, &to->gaps, gaps);
    merged_sum(t->all, &to->unread, unread);
    if (t->functions) {
        merged_sum(t->all, &to->deeper, t->functions->deeper);
        merged_sum(t->all, &to->flat, t->functions->flat);
    }
}

/* Its image and its group. */
static void find_group(taking *t, const labels *l)
{
    uint8_t identity[TAKING_IDENTITY_MAX];
    uint32_t number = merged_image_of(t->all, identity, taking_identity(t, identity));
    merged_image *to = &t->all->image[number];
    if (t->image && !to->packed) {
        uint8_t *id = to->identity;
        size_t size = to->identity_size;
        *to = t->image->packed;
        to->identity = id;
        to->identity_size = size;
        to->packed = memory_zero(to->packed_size + 1, 1);
        memcpy(to->packed, t->image->packed.packed, to->packed_size);
    }
    t->group = merged_group_of(t->all, number, t->k, l->text, strlen(l->text));
}

void taking_add(taking *t, const path_sums *sums, const labels *l, uint64_t digest)
{
    char own[20];
    snprintf(own, sizeof own, "%016" PRIx64, digest);
    const char *device = l->device ? l->device : own;
    uint32_t member = texts_of(&t->all->names, device, strlen(device));
    digests_add(&t->all->recordings, digest);
    digests_add(&t->all->devices, digest_of(0, device, strlen(device)));
    t->set = sets_of(&t->all->sets, &member, 1);
    find_group(t, l);
    add_totals(t);
    add_paths(t, sums);
    add_leads(t);
    for (uint32_t f = 0; t->image && f < program_descriptors(t->image->app)->count; f++)
        add_function(t, f);
    add_forest(t);
    if (t->functions)
        add_stream(t);
}
