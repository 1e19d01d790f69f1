/* SPDX-License-Identifier: MIT */
/* A segment of the k-slab forest ends, and is written. */
#include "core/ksf_parts.h"
#include "core/own.h"

#include <string.h>

/* Bytes of a part's head and end, and of the smallest and the largest node. */
enum { AROUND_MAX = 5 + 1 + 3 + 3 + 1, NODE_MIN = 3, NODE_MAX = 3 + 5 + 5 };

#if WEFT_SMALL
static void put_node(const weft_ksf *ksf, weft_handle at, uint32_t generation, weft_writer *out)
{
    const weft_ksf_node *node = &ksf->node[at];
    bool stub = weft_ksf_is_stub(node->parent);
    weft_write_varint(out, stub ? 1u : node->parent ? at - node->parent + 1u : 0u);
    weft_write_varint(out, stub ? generation - node->label : node->label);
    weft_write_varint(out, stub ? weft_ksf_named(node) : node->count);
}

/* Writes nodes up to `last`, until there are more than `most` bytes. Returns where they end. */
static weft_handle put_nodes(const weft_ksf *ksf, weft_handle last, uint32_t generation, weft_writer *out, size_t most)
{
    weft_handle at = ksf->written;
    while (at <= last && out->size <= most)
        put_node(ksf, at++, generation, out);
    return at;
}

/* Writes the number of nodes, then these: as many as leave room for one more. */
static void write_nodes(weft_ksf *ksf, uint32_t generation, weft_writer *out, size_t room)
{
    weft_writer measure;
    weft_writer_init(&measure, NULL, 0);
    weft_handle end = put_nodes(ksf, ksf->used, generation, &measure, room);
    weft_write_varint(out, (uint32_t)end - ksf->written);
    ksf->written = put_nodes(ksf, end - 1u, generation, out, SIZE_MAX);
}
#else
static inline uint8_t *put_node(const weft_ksf_node *node, uint32_t at, uint32_t generation, uint8_t *to)
{
    uint32_t label = node->label, count = node->count, parent = node->parent, up = at - parent + 1u;
    if (parent - 1u >= at) { /* a root or a stub; a parent is made before its children */
        up = parent ? 1u : 0u;
        label = parent ? generation - label : label;
        count = parent ? weft_ksf_named(node) : count;
    }
    to = weft_put_varint(to, up);
    to = weft_put_varint(to, label);
    return weft_put_varint(to, count);
}

/* Writes nodes from *node on, until one more might not fit: there are `room` bytes beyond what one takes. Returns
 * where they end. Looks whether there is room after as many as fit in any case. */
static uint8_t *put_nodes(const weft_ksf *ksf, weft_handle *node, uint32_t generation, uint8_t *to, size_t room)
{
    const weft_ksf_node *all = ksf->node; /* bytes that are stored cannot change these */
    const uint8_t *last = to + room;
    uint32_t at = *node, end = ksf->used + 1u; /* below 65,536 */
    while (at != end && to <= last) {
        uint32_t fit = (uint32_t)(last - to) / NODE_MAX + 1u;
        uint32_t stop = fit < end - at ? at + fit : end;
        do {
            to = put_node(&all[at], at, generation, to);
        } while (++at != stop);
    }
    *node = (weft_handle)at;
    return to;
}

static inline unsigned varint_size(uint32_t value)
{
    return value < 0x80 ? 1 : value < 0x4000 ? 2 : 3;
}

/* Writes the number of nodes, then as many nodes as fit. The number is known only when they are written. So the longest
 * place that it may need is kept free before them; if it needs less, the nodes are moved to its end. */
static void write_nodes(weft_ksf *ksf, uint32_t generation, weft_writer *out, size_t room)
{
    weft_handle first = ksf->written;
    size_t left = ksf->used - first + 1u, fit = room / NODE_MIN + 1;
    unsigned kept = varint_size((uint32_t)(left < fit ? left : fit));
    uint8_t *from = out->bytes + out->size + kept;
    uint8_t *end = put_nodes(ksf, &ksf->written, generation, from, room);
    uint32_t nodes = (uint32_t)ksf->written - first;
    if (varint_size(nodes) < kept)
        memmove(out->bytes + out->size + varint_size(nodes), from, (size_t)(end - from));
    weft_write_varint(out, nodes);
    out->size += (size_t)(end - from);
}
#endif

uint64_t weft_ksf_close(weft_ksf *ksf)
{
    uint64_t paths = 0;
    weft_ksf_shut(ksf); /* an empty one, too: its recording may end */
    if (!ksf->used || ksf->written)
        return 0;
    ksf->generation++;          /* so that no live activation takes a fast path, */
    weft_ksf_forget_roots(ksf); /* nor a new one by its root */
    ksf->written = 1;
    const weft_ksf_node *node = ksf->node, *last = node + ksf->used;
    do
        paths += *(const volatile uint32_t *)&(++node)->count; /* not read before that */
    while (node != last);
    return paths;
}

weft_status weft_ksf_flush(weft_ksf *ksf, weft_writer *out)
{
    if (!ksf->used)
        return WEFT_OK;
    if (weft_writer_room(out) < WEFT_KSF_PART_MIN || out->status != WEFT_OK)
        return WEFT_FULL;
    (void)weft_ksf_close(ksf);
    uint32_t generation = ksf->generation - 1;
    size_t room = weft_writer_room(out) - AROUND_MAX - NODE_MAX;
    weft_write_varint(out, generation);
    weft_write_u8(out, (uint8_t)(ksf->chunk + 1));
    weft_write_varint(out, ksf->written);
    write_nodes(ksf, generation, out, room);
    bool last = ksf->written > ksf->used;
    weft_write_u8(out, !last);
    if (!last)
        return WEFT_AGAIN;
    weft_ksf_empty(ksf);
    return WEFT_OK;
}
