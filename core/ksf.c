/* SPDX-License-Identifier: MIT */
/* One event (D'Elia, procedure process_bl_path_id; see the header for how tau and beta became one node):
 *   1. find where the activation stands: nowhere yet, at a node, or at a node of an older segment (a stub is made)
 *   2. at depth 2k-2, go to the node at depth k-1 that ends the last chunk read from a root; make missing nodes
 *   3. go to the child with the path's label; make it if it does not exist yet
 *   4. count it
 * weft_ksf_known does this for the edge used last. For the rest weft_ksf_find looks, and changes nothing, and
 * weft_ksf_take makes or counts one node. There is room for all nodes that an event needs before the first is taken.
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

void weft_ksf_restart(weft_ksf *ksf, uint32_t generation)
{
    ksf->generation = generation;
    ksf->first = generation;
    forget_roots(ksf);
    empty(ksf);
}

weft_status weft_ksf_init(weft_ksf *ksf, const weft_ksf_config *config)
{
    if (config->k < WEFT_KSF_K_MIN || config->k > WEFT_KSF_K_MAX || config->nodes_max < WEFT_KSF_NODES_MIN ||
        config->nodes_max > 65534u || config->roots_max < 1 || config->roots_max > 32768u ||
        (config->roots_max & (config->roots_max - 1)))
        return WEFT_CONFIG;
    *ksf = (weft_ksf){.node = config->node, .roots = config->roots, .chunk = (uint8_t)(config->k - 1)};
    ksf->nodes_max = (weft_handle)config->nodes_max;
    ksf->roots_mask = (weft_handle)(config->roots_max - 1);
    ksf->node[0] = (weft_ksf_node){.count = UINT32_MAX};
    weft_ksf_restart(ksf, 1);
    return WEFT_OK;
}

/* A child of a node, or a root with a label's hash: where the search for a label begins. */
static inline weft_handle *ring_of(weft_ksf *ksf, weft_handle parent, uint32_t label)
{
    uint32_t hash = (label ^ label >> 7) & ksf->roots_mask;
    return parent ? &ksf->node[parent].child : &ksf->roots[hash];
}

/* The node with the label among `left` nodes of a ring, from `start` on; 0: it is not among these. If the forest is
 * emptied meanwhile, the ring may never come back to its start, so it is never more than there are nodes. */
static inline weft_handle search(const weft_ksf *ksf, weft_handle start, uint32_t label, unsigned left)
{
    const weft_ksf_node *all = ksf->node;
    weft_handle node = start;
    do {
        if (all[node].label == label)
            return node;
        node = all[node].sibling;
    } while (node != start && --left);
    return 0;
}

static bool has_room(const weft_ksf *ksf, weft_handle used, unsigned nodes)
{
    return used + nodes < ksf->nodes_max;
}

/* A node that is to be made, and how many nodes the path needs with it. */
static void place_fresh(const weft_ksf *ksf, weft_ksf_place *place, weft_ksf_kind kind, weft_handle parent,
                        unsigned missing)
{
    place->kind = has_room(ksf, place->used, missing) ? kind : WEFT_KSF_NO_ROOM;
    place->fresh.child = 0;
    place->fresh.sibling = place->used + 1u;
    place->fresh.parent = parent;
}

/* With the label in it: its steps, count, and ring of siblings. */
static void place_at(weft_ksf *ksf, weft_ksf_place *place, weft_ksf_kind kind, weft_handle at, unsigned missing)
{
    place_fresh(ksf, place, kind, at, missing);
    place->fresh.steps = (uint16_t)((at ? ksf->node[at].steps : 2u * ksf->chunk) - 1u);
    place->fresh.count = kind == WEFT_KSF_NEW;
    place->ring = ring_of(ksf, at, place->fresh.label);
}

/* The stub of a node of an older segment, or of the link of a node. It has no siblings, and what comes next is the path
 * itself. No other activation has the stub. */
static void place_stub(const weft_ksf *ksf, weft_ksf_place *place, uint32_t generation, uint32_t names, unsigned steps)
{
    place_fresh(ksf, place, WEFT_KSF_LINK, STUB, 2);
    place->fresh.label = generation;
    place->fresh.count = names;
    place->fresh.steps = (uint16_t)steps;
    place->node = 0;
    place->ring = &place->node;
    place->known = (uint8_t)(ksf->chunk - 1u);
}

/* Step 2. Where the last chunk above `leaf` begins again. False: something of it is to be made first. */
static bool find_link(weft_ksf *ksf, weft_handle leaf, weft_ksf_place *place)
{
    weft_handle chunk[WEFT_KSF_K_MAX - 1]; /* not cleared: that takes as long as the rest */
    weft_handle at = leaf;
    unsigned left = ksf->chunk; /* at least 1 */
    do {
        if (ksf->node[at].parent == STUB) { /* the labels above it are in an older segment, where the host finds them */
            place_stub(ksf, place, place->generation, 2u * leaf + 1, ksf->chunk);
            return false;
        }
        chunk[--left] = at;
        at = ksf->node[at].parent;
    } while (left);
    at = 0;
    for (unsigned known = 0; known < ksf->chunk; known++) {
        uint32_t label = ksf->node[chunk[known]].label;
        weft_handle next = search(ksf, *ring_of(ksf, at, label), label, ksf->nodes_max);
        if (!next) {
            place->known = (uint8_t)known;
            place->fresh.label = label;
            place_at(ksf, place, WEFT_KSF_LINK, at, ksf->chunk - known + 1u);
            return false;
        }
        at = next;
    }
    place->at = at;
    return true;
}

/* Steps 1 and 2. False: something is to be made before step 3. */
static bool find_parent(weft_ksf *ksf, const weft_ksf_activation *activation, weft_ksf_place *place)
{
    const weft_ksf_node *from = activation->node;
    weft_handle handle = (weft_handle)(from - ksf->node);
    place->at = 0;
    if (activation->generation < ksf->first)
        return true;
    if (activation->generation != place->generation) {
        unsigned steps = activation->steps;
        place_stub(ksf, place, activation->generation, 2u * handle + (steps == 0), steps ? steps : ksf->chunk);
        return false;
    }
    place->at = from->child ? ksf->node[from->child].parent : handle;
    if (place->at == STUB) /* the forest was emptied meanwhile, and weft_ksf_take will see that */
        return false;
    return from->child || from->steps || find_link(ksf, handle, place);
}

/* A node of the link was made, or a stub. What comes next is new below it. */
static void go_on(weft_ksf *ksf, weft_handle leaf, uint32_t path, weft_ksf_place *place)
{
    unsigned left = ksf->chunk - place->known;
    for (unsigned i = 1; i < left && leaf != STUB; i++)
        leaf = ksf->node[leaf].parent;
    place->fresh.label = left && leaf != STUB ? ksf->node[leaf].label : path;
    place_at(ksf, place, left ? WEFT_KSF_LINK : WEFT_KSF_NEW, place->at, left + 1);
}

void weft_ksf_find(weft_ksf *ksf, const weft_ksf_activation *activation, uint32_t path, weft_ksf_place *place)
{
    if (place->kind == WEFT_KSF_GO_ON)
        go_on(ksf, (weft_handle)(activation->node - ksf->node), path, place);
    if (place->kind != WEFT_KSF_LOOK || !find_parent(ksf, activation, place))
        return;
    place->fresh.label = path;
    place->ring = ring_of(ksf, place->at, path);
    place->node = search(ksf, ksf->node[*place->ring].sibling, path, ksf->nodes_max); /* step 3 */
    if (place->node)
        place->kind = WEFT_KSF_FOUND;
    else
        place_at(ksf, place, WEFT_KSF_NEW, place->at, 1);
}

/* Step 4: the activation's path is at a node. */
static inline weft_status stand(weft_ksf *ksf, weft_ksf_activation *activation, weft_handle handle, unsigned steps)
{
    weft_ksf_node *node = &ksf->node[handle];
    if (activation->generation == ksf->generation)
        activation->node->child = handle;
    activation->generation = ksf->generation;
    activation->node = node;
    activation->steps = steps;
    return WEFT_OK;
}

/* The fresh node in its ring. It is copied last, so that few registers are in use at once. */
static inline weft_handle make(weft_ksf *ksf, weft_ksf_place *place)
{
    weft_handle handle = place->fresh.sibling, first = *place->ring;
    if (first) {
        place->fresh.sibling = ksf->node[first].sibling;
        ksf->node[first].sibling = handle;
    }
    *place->ring = handle;
    ksf->used = handle;
    ksf->node[handle] = place->fresh;
    return handle;
}

static APART weft_status take_new(weft_ksf *ksf, weft_ksf_activation *activation, weft_ksf_place *place)
{
    return stand(ksf, activation, make(ksf, place), place->fresh.steps);
}

static APART weft_status take_link(weft_ksf *ksf, weft_ksf_place *place)
{
    place->at = place->used = make(ksf, place);
    place->known++;
    place->kind = WEFT_KSF_GO_ON;
    return WEFT_AGAIN;
}

static APART weft_status take_found(weft_ksf *ksf, weft_ksf_activation *activation, weft_ksf_place *place)
{
    weft_ksf_node *node = &ksf->node[place->node];
    if (node->count == UINT32_MAX)
        return WEFT_FULL;
    node->count++;
    *place->ring = place->node;
    return stand(ksf, activation, place->node, node->steps);
}

weft_status weft_ksf_take(weft_ksf *ksf, weft_ksf_activation *activation, weft_ksf_place *place)
{
    if (place->generation != ksf->generation)
        return weft_ksf_look(ksf, place);
    if (place->kind == WEFT_KSF_FOUND)
        return take_found(ksf, activation, place);
    if (place->used != ksf->used)
        return weft_ksf_look(ksf, place);
    if (place->kind == WEFT_KSF_NEW)
        return take_new(ksf, activation, place);
    if (place->kind == WEFT_KSF_LINK)
        return take_link(ksf, place);
    return place->kind == WEFT_KSF_LOOK ? weft_ksf_look(ksf, place) : WEFT_FULL;
}

/* The first child of a node. False: there is no room, or the node is at depth 2k-2. */
static APART bool sprout(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    weft_ksf_node *node = activation->node;
    unsigned steps = node->steps;
    if (!steps || !has_room(ksf, ksf->used, 1))
        return false;
    weft_handle handle = ksf->used + 1u, parent = (weft_handle)(node - ksf->node);
    steps--;
    ksf->used = handle;
    ksf->node[handle] = (weft_ksf_node){0, (uint16_t)steps, handle, parent, path, 1};
    node->child = handle;
    activation->steps = steps;
    activation->node = &ksf->node[handle];
    return true;
}

/* While the forest is being written, no generation is the present one and there are no roots. */
bool weft_ksf_near(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    bool begins = activation->generation < ksf->first;
    if (!begins && activation->generation != ksf->generation)
        return false;
    if (!begins && !activation->node->child)
        return sprout(ksf, activation, path);
    weft_handle *link = begins ? ring_of(ksf, 0, path) : &activation->node->child;
    weft_handle at = search(ksf, begins ? *link : ksf->node[*link].sibling, path, WEFT_KSF_NEAR);
    weft_ksf_node *node = &ksf->node[at];
    uint32_t count = node->count + 1;
    if (count == 0)
        return false;
    *link = at;
    node->count = count;
    activation->generation = ksf->generation;
    activation->steps = node->steps;
    activation->node = node;
    return true;
}

weft_status weft_ksf_push(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    weft_ksf_place place;
    /* The search finds it, too. */
    if (!WEFT_SMALL && (weft_ksf_known(ksf, activation, path) || weft_ksf_near(ksf, activation, path)))
        return WEFT_OK;
    weft_status status = weft_ksf_look(ksf, &place);
    while (status == WEFT_AGAIN) {
        weft_ksf_find(ksf, activation, path, &place);
        status = weft_ksf_take(ksf, activation, &place);
    }
    return status;
}

/* Bytes of a part's head and end, and of the smallest and the largest node. */
enum { AROUND_MAX = 5 + 1 + 3 + 3 + 1, NODE_MIN = 3, NODE_MAX = 3 + 5 + 5 };

#if WEFT_SMALL
static void put_node(const weft_ksf *ksf, weft_handle at, uint32_t generation, weft_writer *out)
{
    const weft_ksf_node *node = &ksf->node[at];
    bool stub = node->parent == STUB;
    weft_write_varint(out, stub ? 1u : node->parent ? at - node->parent + 1u : 0u);
    weft_write_varint(out, stub ? generation - node->label : node->label);
    weft_write_varint(out, node->count);
}

/* Writes the number of nodes, then these: as many as leave room for one more. */
static void write_nodes(weft_ksf *ksf, uint32_t generation, weft_writer *out, size_t room)
{
    weft_handle at = ksf->written, end = at;
    weft_writer measure;
    weft_writer_init(&measure, NULL, 0);
    while (end <= ksf->used && measure.size <= room)
        put_node(ksf, end++, generation, &measure);
    ksf->written = end;
    weft_write_varint(out, (uint32_t)end - at);
    while (at < end)
        put_node(ksf, at++, generation, out);
}
#else
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
#endif

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
