/* SPDX-License-Identifier: MIT */
/* One event (D'Elia, procedure process_bl_path_id; see the header for how tau and beta became one node):
 *   1. find where the activation stands: nowhere yet, at a node, or at a node of an older segment (a stub is made)
 *   2. at depth 2k-2, go to the node at depth k-1 where the last chunk begins anew; make what is missing of it
 *   3. go to the child with the path's label; make it the first time
 *   4. count it
 * weft_ksf_push does this for the edge used last, push_other for the other edges of a node, push_new for new ones,
 * push_first for the root used last among those with its hash, and push_slowly for the rest. All nodes that an event
 * needs are counted before the first is taken.
 *
 * A node's `child` is what came next the last time, at any depth. Step 2 needs no place of its own for its link: the
 * node that it leads to is the parent of what came next. */
#include "core/ksf.h"
#include "core/own.h"

#include <string.h>

/* Kept apart, so that the usual case saves no registers. */
#define APART __attribute__((noinline))

enum { STUB = WEFT_NONE }; /* the parent of a stub; roots have parent 0 */

static void forget_roots(weft_ksf *ksf)
{
    memset(ksf->roots, 0, (ksf->roots_mask + 1u) * sizeof *ksf->roots);
}

static void empty(weft_ksf *ksf)
{
    ksf->high_water = weft_ksf_high_water(ksf);
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
    ksf->node = config->node;
    ksf->roots = config->roots;
    ksf->nodes_max = (weft_handle)config->nodes_max;
    ksf->roots_mask = (weft_handle)(config->roots_max - 1);
    ksf->used = 0;
    ksf->high_water = 0;
    ksf->chunk = (uint8_t)(config->k - 1);
    ksf->node[0] = (weft_ksf_node){.count = UINT32_MAX};
    forget_roots(ksf);
    empty(ksf);
    return WEFT_OK;
}

void weft_ksf_restart(weft_ksf *ksf, uint32_t generation)
{
    ksf->generation = generation;
    ksf->first = generation;
    forget_roots(ksf);
    empty(ksf);
}

/* A child of a node, or a root with a label's hash: where the search for a label begins. */
static inline weft_handle *ring_of(weft_ksf *ksf, weft_handle parent, uint32_t label)
{
    uint32_t hash = (label ^ label >> 7) & ksf->roots_mask;
    return parent ? &ksf->node[parent].child : &ksf->roots[hash];
}

/* The node with a label in a ring of siblings; 0: there is none. */
static inline weft_handle find(const weft_ksf *ksf, weft_handle first, uint32_t label)
{
    const weft_ksf_node *all = ksf->node;
    weft_handle node = first;
    do {
        node = all[node].sibling;
        if (all[node].label == label)
            return node;
    } while (node != first);
    return 0;
}

/* The child of a node (0: the root) with the label; 0: there is none. */
static inline weft_handle child_of(weft_ksf *ksf, weft_handle parent, uint32_t label)
{
    return find(ksf, *ring_of(ksf, parent, label), label);
}

/* A fresh node. */
static inline weft_handle take(weft_ksf *ksf, weft_handle parent, uint32_t label, uint32_t count, unsigned steps)
{
    weft_handle node = ++ksf->used;
    ksf->node[node] =
        (weft_ksf_node){.steps = (uint16_t)steps, .sibling = node, .parent = parent, .label = label, .count = count};
    return node;
}

/* A fresh node in the ring of its siblings, which holds none with the label. */
static weft_handle add(weft_ksf *ksf, weft_handle parent, uint32_t label)
{
    weft_handle *first = ring_of(ksf, parent, label);
    unsigned steps = parent ? ksf->node[parent].steps : 2u * ksf->chunk;
    weft_handle node = take(ksf, parent, label, 0, steps - 1);
    if (*first) {
        ksf->node[node].sibling = ksf->node[*first].sibling;
        ksf->node[*first].sibling = node;
    }
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
        if (ksf->node[at].parent == STUB) /* the labels above it are in an older segment, where the host finds them */
            return has_room(ksf, 2) ? take(ksf, STUB, ksf->generation, 2u * leaf + 1, ksf->chunk) : 0;
        chunk[i - 1] = at;
        at = ksf->node[at].parent;
    }
    unsigned known = 0;
    at = 0;
    for (weft_handle next; known < ksf->chunk && (next = child_of(ksf, at, ksf->node[chunk[known]].label)); at = next)
        known++;
    if (!has_room(ksf, ksf->chunk - known + 1u))
        return 0;
    for (; known < ksf->chunk; known++)
        at = add(ksf, at, ksf->node[chunk[known]].label);
    return at;
}

/* Steps 1 and 2, for an activation whose next edge is not known. False: there is no room. */
static bool stand(weft_ksf *ksf, const weft_ksf_activation *activation, weft_handle *at)
{
    const weft_ksf_node *node = activation->node;
    weft_handle handle = (weft_handle)(node - ksf->node);
    *at = 0;
    if (activation->generation < ksf->first)
        return true;
    if (activation->generation != ksf->generation) {
        unsigned steps = activation->steps;
        if (has_room(ksf, 2))
            *at = take(ksf, STUB, activation->generation, 2u * handle + (steps == 0), steps ? steps : ksf->chunk);
    } else {
        *at = link_of(ksf, handle); /* at depth 2k-2, and nothing came next yet */
    }
    return *at;
}

/* For an edge that leads out of an older segment, or to a root, or from depth 2k-2 for the first time. */
static APART weft_status push_slowly(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    weft_handle at;
    if (ksf->written || !stand(ksf, activation, &at))
        return WEFT_FULL;
    weft_handle node = child_of(ksf, at, path); /* step 3 */
    if (node ? ksf->node[node].count == UINT32_MAX : !has_room(ksf, 1))
        return WEFT_FULL;
    if (!node)
        node = add(ksf, at, path);
    ksf->node[node].count++; /* step 4 */
    *ring_of(ksf, at, path) = node;
    if (activation->generation == ksf->generation)
        activation->node->child = node;
    activation->generation = ksf->generation;
    activation->node = &ksf->node[node];
    activation->steps = ksf->node[node].steps;
    return WEFT_OK;
}

/* The first path of an activation, if its root is the one used last. */
static APART weft_status push_first(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    weft_ksf_node *root = &ksf->node[*ring_of(ksf, 0, path)];
    if (activation->generation != 0 || root->label != path || root->count == UINT32_MAX)
        return push_slowly(ksf, activation, path);
    root->count++;
    activation->generation = ksf->generation;
    activation->steps = root->steps;
    activation->node = root;
    return WEFT_OK;
}

/* A new edge. What is made is a sibling of what came next the last time, or the first child. */
static APART weft_status push_new(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    weft_ksf_node *all = ksf->node, *from = activation->node, *node;
    weft_handle handle = ksf->used + 1u, sibling = handle, parent;
    if (handle >= ksf->nodes_max)
        return WEFT_FULL;
    if (from->child) {
        parent = all[from->child].parent;
        sibling = all[from->child].sibling;
        all[from->child].sibling = handle;
    } else if (from->steps) {
        parent = (weft_handle)(from - all);
    } else {
        return push_slowly(ksf, activation, path);
    }
    ksf->used = handle;
    node = &all[handle];
    node->child = 0;
    node->steps = (uint16_t)(all[parent].steps - 1u);
    node->sibling = sibling;
    node->parent = parent;
    node->label = path;
    node->count = 1;
    from->child = handle;
    activation->steps = node->steps;
    activation->node = node;
    return WEFT_OK;
}

/* An edge of the segment that is not the one used last. */
static APART weft_status push_other(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    weft_ksf_node *all = ksf->node, *from = activation->node, *node;
    weft_handle first = from->child, handle = first;
    do {
        handle = all[handle].sibling;
        node = &all[handle];
        if (node->label == path)
            break;
    } while (handle != first);
    if (node->label != path || !handle)
        return push_new(ksf, activation, path);
    if (node->count == UINT32_MAX)
        return WEFT_FULL;
    node->count++;
    from->child = handle;
    activation->steps = node->steps;
    activation->node = node;
    return WEFT_OK;
}

/* Element 0 is a ring of its own, and its count is at the maximum. So "none" needs no test of its own. */
weft_status weft_ksf_push(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    if (activation->generation != ksf->generation)
        return push_first(ksf, activation, path);
    weft_ksf_node *node = &ksf->node[activation->node->child];
    uint32_t count = node->count + 1;
    if (node->label != path || count == 0)
        return push_other(ksf, activation, path);
    node->count = count;
    activation->steps = node->steps;
    activation->node = node;
    return WEFT_OK;
}

/* Bytes of a part's head and end, and of the smallest and the largest node. */
enum { AROUND_MAX = 5 + 1 + 3 + 3 + 1, NODE_MIN = 3, NODE_MAX = 3 + 5 + 5 };

/* Writes nodes from *node on, until one more might not fit: there are `room` bytes beyond what one takes. Returns
 * where they end. */
static uint8_t *put_nodes(const weft_ksf *ksf, weft_handle *node, uint32_t generation, uint8_t *to, size_t room)
{
    const weft_ksf_node *all = ksf->node; /* bytes that are stored cannot change these */
    const uint8_t *last = to + room;
    weft_handle at = *node, used = ksf->used;
    for (; at <= used && to <= last; at++) {
        uint32_t label = all[at].label, count = all[at].count;
        weft_handle parent = all[at].parent;
        to = weft_put_varint(to, parent == STUB ? 1u : parent ? at - parent + 1u : 0u);
        to = weft_put_varint(to, parent == STUB ? generation - label : label);
        to = weft_put_varint(to, count);
    }
    *node = at;
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

weft_status weft_ksf_flush(weft_ksf *ksf, weft_writer *out)
{
    if (!ksf->used)
        return WEFT_OK;
    if (weft_writer_room(out) < WEFT_KSF_PART_MIN || out->status != WEFT_OK)
        return WEFT_FULL;
    if (!ksf->written) {
        ksf->generation++; /* so that no live activation takes a fast path, */
        forget_roots(ksf); /* nor a new one by its root */
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

/* The ring of a node's siblings, in which `first` is one of them. */
static bool in_ring(const weft_ksf *ksf, weft_handle first, weft_handle node)
{
    unsigned met = 0;
    weft_handle at = first;
    for (; at && at <= ksf->used && at != node && met <= ksf->used; met++)
        at = ksf->node[at].sibling;
    return at == node;
}

/* Whether the last chunk above `leaf` begins anew at `link`, as far as the labels are in this segment. */
static bool is_link(const weft_ksf *ksf, weft_handle leaf, weft_handle link)
{
    for (unsigned i = 0; i < ksf->chunk; i++) {
        const weft_ksf_node *a = &ksf->node[leaf], *b = &ksf->node[link];
        if (a->parent == STUB || b->parent == STUB)
            return true;
        if (a->label != b->label)
            return false;
        leaf = a->parent;
        link = b->parent;
    }
    return link == 0;
}

/* A node leads to a child of its own, or at depth 2k-2 to one of its link. */
static bool leads_on(const weft_ksf *ksf, weft_handle node)
{
    const weft_ksf_node *n = &ksf->node[node];
    weft_handle parent = ksf->node[n->child].parent;
    return !n->child || (n->steps ? parent == node : parent && is_link(ksf, node, parent));
}

/* It comes back to the node, and the others have other labels and the same parent. */
static bool is_ring(const weft_ksf *ksf, weft_handle node)
{
    const weft_ksf_node *n = &ksf->node[node];
    unsigned met = 0;
    for (weft_handle other = n->sibling; other != node; other = ksf->node[other].sibling)
        if (!other || other > ksf->used || ksf->node[other].label == n->label || ksf->node[other].parent != n->parent ||
            met++ > ksf->used)
            return false;
    return true;
}

bool weft_ksf_check(const weft_ksf *ksf)
{
    if (ksf->used >= ksf->nodes_max)
        return false;
    for (weft_handle node = 1; node <= ksf->used; node++) {
        const weft_ksf_node *n = &ksf->node[node];
        if (!leads_on(ksf, node))
            return false;
        if (n->parent == STUB)
            continue;
        weft_handle first =
            n->parent ? ksf->node[n->parent].child : ksf->roots[(n->label ^ n->label >> 7) & ksf->roots_mask];
        unsigned steps = n->parent ? ksf->node[n->parent].steps : 2u * ksf->chunk;
        if (n->parent >= node || n->steps + 1u != steps || !in_ring(ksf, first, node) || !is_ring(ksf, node))
            return false;
    }
    return true;
}
