/* SPDX-License-Identifier: MIT */
/* One event (D'Elia, procedure process_bl_path_id; see the header for how tau and beta became one node):
 *   1. find where the activation stands: nowhere yet, at a node, or at a node of an older segment (a stub is made)
 *   2. at depth 2k-2, follow the link to depth k-1; make the link's nodes the first time
 *   3. go to the child with the path's label; make it the first time
 *   4. count it
 * weft_ksf_push does this for the first two children of a node, and for the first root of a list. push_slowly does the
 * rest, and moves the child to the front. All nodes that an event needs are counted before the first is taken. */
#include "core/ksf.h"
#include "core/own.h"

#include <string.h>

enum { STUB = WEFT_NONE }; /* the parent of a stub; roots have parent 0 */

static void empty(weft_ksf *ksf)
{
    memset(ksf->roots, 0, (ksf->roots_mask + 1u) * sizeof *ksf->roots);
    ksf->used = 0;
    ksf->written = 0;
}

weft_status weft_ksf_init(weft_ksf *ksf, const weft_ksf_config *config)
{
    if (config->k < WEFT_KSF_K_MIN || config->k > WEFT_KSF_K_MAX || config->nodes_max < WEFT_KSF_NODES_MIN ||
        config->nodes_max > 65534u || config->roots_max < 1 || config->roots_max > 32768u ||
        (config->roots_max & (config->roots_max - 1)))
        return WEFT_CONFIG;
    ksf->generation = 1;
    ksf->first = 1;
    ksf->label = config->label;
    ksf->count = config->count;
    ksf->child = config->child;
    ksf->sibling = config->sibling;
    ksf->parent = config->parent;
    ksf->roots = config->roots;
    ksf->nodes_max = (weft_handle)config->nodes_max;
    ksf->roots_mask = (weft_handle)(config->roots_max - 1);
    ksf->high_water = 0;
    ksf->chunk = (uint8_t)(config->k - 1);
    ksf->label[0] = 0;
    ksf->count[0] = UINT32_MAX;
    ksf->child[0] = 0;
    ksf->sibling[0] = 0;
    empty(ksf);
    return WEFT_OK;
}

void weft_ksf_restart(weft_ksf *ksf, uint32_t generation)
{
    ksf->generation = generation;
    ksf->first = generation;
    empty(ksf);
}

/* The list that holds the children of a node, or the roots with a label's hash. */
static inline weft_handle *list_of(weft_ksf *ksf, weft_handle parent, uint32_t label)
{
    uint32_t hash = (label ^ label >> 7) & ksf->roots_mask;
    return parent ? &ksf->child[parent] : &ksf->roots[hash];
}

/* The child (parent 0: the root) with a label, moved to the front of its list; or 0. */
static weft_handle find(weft_ksf *ksf, weft_handle parent, uint32_t label)
{
    weft_handle *first = list_of(ksf, parent, label);
    for (weft_handle *link = first; *link; link = &ksf->sibling[*link]) {
        weft_handle node = *link;
        if (ksf->label[node] != label)
            continue;
        *link = ksf->sibling[node];
        ksf->sibling[node] = *first;
        return *first = node;
    }
    return 0;
}

/* A fresh node, in no list. */
static weft_handle take(weft_ksf *ksf, weft_handle parent, uint32_t label, uint32_t count)
{
    weft_handle node = ++ksf->used;
    if (node > ksf->high_water)
        ksf->high_water = node;
    ksf->label[node] = label;
    ksf->count[node] = count;
    ksf->child[node] = 0;
    ksf->sibling[node] = 0;
    ksf->parent[node] = parent;
    return node;
}

/* A fresh node at the front of its list, which holds none with the label. */
static weft_handle add(weft_ksf *ksf, weft_handle parent, uint32_t label)
{
    weft_handle node = take(ksf, parent, label, 0);
    weft_handle *first = list_of(ksf, parent, label);
    ksf->sibling[node] = *first;
    return *first = node;
}

static bool has_room(const weft_ksf *ksf, unsigned nodes)
{
    return ksf->used + nodes < ksf->nodes_max;
}

/* Step 2. The node where the last chunk above `leaf` begins anew. It is made if there is room for it and one more node;
 * 0: there is not. */
static weft_handle link_of(weft_ksf *ksf, weft_handle leaf)
{
    weft_handle chunk[WEFT_KSF_K_MAX - 1];
    weft_handle at = leaf;
    for (unsigned i = ksf->chunk; i > 0; i--) {
        if (ksf->parent[at] == STUB) /* the labels above it are in an older segment, where the host finds them */
            return has_room(ksf, 2) ? take(ksf, STUB, ksf->generation, 2u * leaf + 1) : 0;
        chunk[i - 1] = at;
        at = ksf->parent[at];
    }
    unsigned known = 0;
    at = 0;
    for (weft_handle next; known < ksf->chunk && (next = find(ksf, at, ksf->label[chunk[known]])); at = next)
        known++;
    if (!has_room(ksf, ksf->chunk - known + 1u))
        return 0;
    for (; known < ksf->chunk; known++)
        at = add(ksf, at, ksf->label[chunk[known]]);
    return at;
}

/* For an edge that was not used recently, or does not exist yet. */
static weft_status push_slowly(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    weft_handle at = activation->node;
    unsigned steps = activation->steps;
    if (ksf->written)
        return WEFT_FULL;
    if (activation->generation < ksf->first) { /* step 1 */
        at = 0;
        steps = 2u * ksf->chunk;
    } else if (activation->generation != ksf->generation) {
        if (!has_room(ksf, 2))
            return WEFT_FULL;
        at = take(ksf, STUB, activation->generation, 2u * at + (steps == 0));
        steps = steps ? steps : ksf->chunk;
    } else if (steps == 0) { /* step 2 */
        weft_handle leaf = at;
        at = ksf->child[leaf] ? ksf->child[leaf] : link_of(ksf, leaf);
        if (!at)
            return WEFT_FULL;
        ksf->child[leaf] = at;
        steps = ksf->chunk;
    }
    weft_handle node = find(ksf, at, path); /* step 3 */
    if (node ? ksf->count[node] == UINT32_MAX : !has_room(ksf, 1))
        return WEFT_FULL;
    if (!node)
        node = add(ksf, at, path);
    ksf->count[node]++; /* step 4 */
    activation->generation = ksf->generation;
    activation->node = node;
    activation->steps = (uint16_t)(steps - 1);
    return WEFT_OK;
}

/* The first path of an activation, if its root is the first of its list. */
static weft_status push_first(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    weft_handle node = *list_of(ksf, 0, path);
    uint32_t count = ksf->count[node] + 1;
    if (activation->generation >= ksf->first || ksf->written || ksf->label[node] != path || count == 0)
        return push_slowly(ksf, activation, path);
    ksf->count[node] = count;
    activation->generation = ksf->generation;
    activation->node = node;
    activation->steps = (uint16_t)(2u * ksf->chunk - 1u);
    return WEFT_OK;
}

/* Element 0 has no children, and its count is at the most: so "none" needs no question of its own. */
weft_status weft_ksf_push(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    if (activation->generation != ksf->generation)
        return push_first(ksf, activation, path);
    unsigned steps = activation->steps;
    weft_handle node = ksf->child[activation->node]; /* at depth 2k-2: the link */
    if (steps == 0) {
        steps = ksf->chunk;
        node = ksf->child[node];
    }
    if (ksf->label[node] != path) {
        node = ksf->sibling[node]; /* of two edges that alternate, the one used before */
        if (ksf->label[node] != path)
            return push_slowly(ksf, activation, path);
    }
    uint32_t count = ksf->count[node] + 1;
    if (count == 0)
        return push_slowly(ksf, activation, path);
    ksf->count[node] = count;
    activation->node = node;
    activation->steps = (uint16_t)(steps - 1);
    return WEFT_OK;
}

/* Bytes of a part's head and end, and of the smallest and the largest node. */
enum { AROUND_MAX = 5 + 1 + 3 + 3 + 1, NODE_MIN = 3, NODE_MAX = 3 + 5 + 5 };

/* Writes nodes from *node on, until one more might not fit: there are `room` bytes beyond what one takes. Returns
 * where they end. */
static uint8_t *put_nodes(const weft_ksf *ksf, weft_handle *node, uint32_t generation, uint8_t *to, size_t room)
{
    const uint32_t *label = ksf->label, *count = ksf->count; /* bytes that are stored cannot change these */
    const weft_handle *parents = ksf->parent;
    const uint8_t *last = to + room;
    weft_handle at = *node, used = ksf->used;
    for (; at <= used && to <= last; at++) {
        weft_handle parent = parents[at];
        to = weft_put_varint(to, parent == STUB ? 1u : parent ? at - parent + 1u : 0u);
        to = weft_put_varint(to, parent == STUB ? generation - label[at] : label[at]);
        to = weft_put_varint(to, count[at]);
    }
    *node = at;
    return to;
}

static inline unsigned varint_size(uint32_t value)
{
    return value < 0x80 ? 1 : value < 0x4000 ? 2 : 3;
}

/* The number of nodes, and as many as fit. The number is not known before they are written, so its place is kept free:
 * as long as it may become, and the nodes move up where it is shorter. */
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

weft_status weft_ksf_flush(weft_ksf *ksf, weft_writer *out)
{
    if (!ksf->used)
        return WEFT_OK;
    if (weft_writer_room(out) < WEFT_KSF_PART_MIN || out->status != WEFT_OK)
        return WEFT_FULL;
    if (!ksf->written) {
        ksf->generation++; /* from here on no activation takes the fast path */
        ksf->written = 1;
    }
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
    empty(ksf);
    return WEFT_OK;
}

/* Labels from a node up to its root or stub. One chunk stands above a stub of a link, at least one label above
 * others. */
static unsigned depth_of(const weft_ksf *ksf, weft_handle node)
{
    unsigned depth = 0;
    for (; node && ksf->parent[node] != STUB && depth <= 2u * ksf->chunk; node = ksf->parent[node])
        depth++;
    if (node && ksf->parent[node] == STUB)
        depth += ksf->count[node] & 1 ? ksf->chunk : 0;
    return depth;
}

static bool in_list(const weft_ksf *ksf, weft_handle first, weft_handle node)
{
    unsigned met = 0;
    for (weft_handle at = first; at && met <= ksf->used; at = ksf->sibling[at])
        if (at == node)
            return true;
        else
            met++;
    return false;
}

bool weft_ksf_check(const weft_ksf *ksf)
{
    if (ksf->used >= ksf->nodes_max || ksf->high_water < ksf->used)
        return false;
    for (weft_handle node = 1; node <= ksf->used; node++) {
        weft_handle parent = ksf->parent[node];
        if (parent == STUB)
            continue;
        uint32_t label = ksf->label[node];
        weft_handle first = parent ? ksf->child[parent] : ksf->roots[(label ^ label >> 7) & ksf->roots_mask];
        if (parent >= node || depth_of(ksf, node) > 2u * ksf->chunk || !in_list(ksf, first, node))
            return false;
        for (weft_handle other = ksf->sibling[node]; other; other = ksf->sibling[other])
            if (ksf->label[other] == label || ksf->parent[other] != parent)
                return false;
    }
    return true;
}
