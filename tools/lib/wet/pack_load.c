/* SPDX-License-Identifier: MIT */
/* Step 1, loads: the edges of their bytes, and whether a loaded value follows from the store that its edge names. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/packing.h"

/* As of the first byte, but where the node's parts say otherwise. */
edge_words pack_load_words(const pack_work *w, uint32_t load, uint32_t byte)
{
    const wet_node *node = w->node;
    uint32_t at = wet_row_loads(node) + 3 * load;
    edge_words words = {pack_column(w, at), pack_column(w, at + 1), pack_column(w, at + 2), NULL};
    for (uint32_t i = 0; byte && i < node->part_count; i++) {
        const wet_part *p = &node->parts[i];
        if (p->load != load || p->byte != byte)
            continue;
        words.producers[p->instance] = p->producer;
        words.instances[p->instance] = p->producer_instance;
        words.ages[p->instance] = p->age;
    }
    return words;
}

static void part_add(const pack_work *w, uint32_t load, uint32_t byte, const uint32_t *addresses)
{
    packed_part *part = &w->out->parts[w->out->part_count++];
    *part = (packed_part){.load = load, .byte = byte};
    edge_words words = pack_load_words(w, load, byte);
    words.addresses = addresses;
    pack_edge(w, &part->edge, words, true);
}

/* Byte 0, and each further byte that ever has another producer. */
void pack_load(const pack_work *w, uint32_t load)
{
    const wet_node *node = w->node;
    packed_node *out = w->out;
    uint32_t bytes = 0, *addresses = pack_column(w, 1 + node->loads[load].slot);
    for (uint32_t i = 0; i < node->part_count; i++)
        if (node->parts[i].load == load)
            bytes |= 1u << node->parts[i].byte;
    out->parts = memory_grow(out->parts, out->part_count + node->loads[load].size, sizeof *out->parts);
    for (uint32_t byte = 1; byte < node->loads[load].size; byte++)
        if (bytes >> byte & 1)
            part_add(w, load, byte, addresses);
    part_add(w, load, 0, addresses);
    free(addresses);
}

uint32_t pack_plain_load(const wet_trace *t, const wet_node *node, uint32_t operation, const wet_slot *slot)
{
    const wet_statement *s = pack_statement(t, node, operation);
    const wet_operation *o = &s->operations[node->operation_in_statement[operation]];
    if (slot->kind != WET_VALUE || o->access_count != 1 || s->accesses[o->first_access].store ||
        s->accesses[o->first_access].size > 4 || (o->defines & (o->defines - 1)))
        return WET_NONE;
    for (uint32_t i = 0; i < node->load_count; i++)
        if (node->loads[i].operation == operation)
            return i;
    return WET_NONE;
}

plain_store pack_plain_store(const wet_trace *t, uint32_t producer)
{
    static const plain_store none = {NULL, 0, 0, 0};
    if (!producer)
        return none;
    plain_store store = {.node = &t->nodes[t->producer_node[producer]]};
    uint32_t operation = producer - store.node->base;
    const wet_statement *s = pack_statement(t, store.node, operation);
    const wet_operation *o = &s->operations[store.node->operation_in_statement[operation]];
    if (o->access_count != 1 || s->accesses[o->first_access].size > 4)
        return none;
    store.data = wet_slot_find(store.node, t->statements, operation, WET_DATA, 0);
    store.address = wet_slot_find(store.node, t->statements, operation, WET_ADDRESS, 0);
    store.size = s->accesses[o->first_access].size;
    return store.data != WET_NONE ? store : none;
}

/* A store that a load reads from, and its words. */
typedef struct source {
    uint32_t producer;
    plain_store store; /* node NULL: it is not plain */
    wet_cells data, address;
} source;

typedef struct sources {
    source *all;
    uint32_t count, last;
    size_t max;
} sources;

/* The source of a producer; it stays until sources_close, where it is may change. */
static source *source_of(const pack_work *w, sources *s, uint32_t producer)
{
    if (s->count && s->all[s->last].producer == producer)
        return &s->all[s->last];
    for (s->last = 0; s->last < s->count; s->last++)
        if (s->all[s->last].producer == producer)
            return &s->all[s->last];
    s->all = memory_room(s->all, s->count, &s->max, sizeof *s->all);
    source *new = &s->all[s->count++];
    *new = (source){.producer = producer, .store = pack_plain_store(w->t, producer)};
    if (new->store.node) {
        new->data = wet_cells_open(new->store.node->rows, 1 + new->store.data);
        new->address = wet_cells_open(new->store.node->rows, 1 + new->store.address);
    }
    return new;
}

static void sources_close(sources *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        wet_cells_close(&s->all[i].data);
        wet_cells_close(&s->all[i].address);
    }
    free(s->all);
}

/* One execution: the value is what the store of this instance has stored. */
static bool value_follows(const pack_work *w, source *from, uint32_t instance, uint32_t address, unsigned size,
                          bool sign, uint32_t value)
{
    if (!from->address.rows) /* the store is not plain */
        return false;
    uint32_t offset = address - wet_cells_get(w->reader, &from->address, instance);
    return offset + size <= from->store.size &&
           wet_load_word(wet_cells_get(w->reader, &from->data, instance), offset, size, sign) == value;
}

bool pack_load_follows(const pack_work *w, uint32_t load, uint32_t slot, bool sign)
{
    const wet_node *node = w->node;
    uint32_t at = wet_row_loads(node) + 3 * load;
    for (uint32_t i = 0; i < node->part_count; i++)
        if (node->parts[i].load == load)
            return false;
    sources from = {0};
    uint32_t *producers = pack_column(w, at), *instances = pack_column(w, at + 1);
    uint32_t *addresses = pack_column(w, 1 + node->loads[load].slot), *values = pack_column(w, 1 + slot);
    bool follows = true;
    for (uint32_t i = 0; i < node->count && follows; i++)
        follows = value_follows(w, source_of(w, &from, producers[i]), instances[i], addresses[i],
                                node->loads[load].size, sign, values[i]);
    free(producers);
    free(instances);
    free(addresses);
    free(values);
    sources_close(&from);
    return follows;
}

/* What the edges of a load take. */
static uint64_t load_bytes(const packed_node *out, uint32_t load)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < out->part_count; i++)
        if (out->parts[i].load == load)
            bytes += (out->parts[i].edge.newest ? 0 : wet_columns_whole(&out->columns, out->parts[i].edge.which)) +
                     wet_columns_whole(&out->columns, out->parts[i].edge.when);
    return bytes;
}

/* Whether the edges of a load would rather be left out. */
static bool load_is_dear(const packed_node *out, const wet_node *node, uint32_t load)
{
    return load_bytes(out, load) * 8 > node->count * PACK_SEARCH_BITS + 512;
}

/* The value follows from the edge, or the store is found by its address: where that takes few steps, for the value as
 * well. Else a value that is shorter than its edges stays. */
void pack_weigh_loads(const pack_work *w)
{
    packed_node *out = w->out;
    out->steps = memory_zero(w->node->load_count + 1, 1);
    for (uint32_t i = 0; i < w->node->slot_count; i++) {
        uint32_t operation = pack_slot_operation(w->node, i);
        if (out->way[i] != LOADED)
            continue;
        const wet_slot *slot = wet_slot_at(w->node, w->t->statements, operation, i);
        uint32_t load = pack_plain_load(w->t, w->node, operation, slot);
        if (load_is_dear(out, w->node, load))
            out->steps[load] = pack_search_steps(w, load);
        if (!out->steps[load] && load_bytes(out, load) > wet_columns_whole(&out->columns, out->slots[i]))
            out->way[i] = STORED;
    }
}

void pack_search_loads(const wet_trace *t, const wet_node *node, packed_node *out)
{
    out->searched = memory_zero(node->load_count + 1, 1);
    for (uint32_t i = 0; i < node->load_count; i++)
        out->searched[i] = load_is_dear(out, node, i);
    for (uint32_t i = 0; i < node->slot_count; i++) {
        uint32_t operation = pack_slot_operation(node, i);
        if (out->way[i] != LOADED || !out->dropped[i])
            continue;
        uint32_t load = pack_plain_load(t, node, operation, wet_slot_at(node, t->statements, operation, i));
        out->searched[load] &= out->steps[load] != 0;
    }
}
