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
#include "core/ksf_parts.h"
#include "core/own.h"

/* Kept apart, so that the usual case saves no registers. */
#define APART __attribute__((noinline))

void weft_ksf_restart(weft_ksf *ksf, uint32_t generation)
{
    weft_ksf_shut(ksf);
    ksf->generation = generation;
    ksf->first = generation;
    weft_ksf_forget_roots(ksf);
    weft_ksf_empty(ksf);
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

/* The steps of what comes after a node, from the node's own: at depth 2k-2 a chunk begins again at depth k-1. */
static inline uint16_t below(const weft_ksf *ksf, unsigned steps)
{
    return (uint16_t)((steps ? steps : ksf->chunk) - 1u);
}

/* The steps of a node's children, or of roots. */
static inline uint16_t steps_of(const weft_ksf *ksf, weft_handle parent)
{
    return parent ? ksf->node[parent].below : (uint16_t)(2u * ksf->chunk - 1u);
}

/* With the label in it: its steps, count, and ring of siblings. */
static void place_at(weft_ksf *ksf, weft_ksf_place *place, weft_ksf_kind kind, weft_handle at, unsigned missing)
{
    place_fresh(ksf, place, kind, at, missing);
    place->steps = steps_of(ksf, at);
    place->fresh.below = below(ksf, place->steps);
    place->fresh.count = kind == WEFT_KSF_NEW;
    place->ring = ring_of(ksf, at, place->fresh.label);
}

/* The stub of a node of an older segment, or of the link of a node. It has no siblings, and what comes next is the path
 * itself. No other activation has the stub. */
static void place_stub(const weft_ksf *ksf, weft_ksf_place *place, uint32_t generation, uint32_t names, unsigned steps)
{
    place_fresh(ksf, place, WEFT_KSF_LINK, WEFT_KSF_STUB, 2);
    place->fresh.label = generation;
    place->fresh.count = names;
    place->fresh.below = below(ksf, steps);
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
        if (ksf->node[at].parent ==
            WEFT_KSF_STUB) { /* the labels above it are in an older segment, where the host finds them */
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
    weft_handle handle = (weft_handle)(activation->at >> 16);
    const weft_ksf_node *from = &ksf->node[handle];
    unsigned steps = activation->at & 0xffff;
    place->at = 0;
    if (activation->generation < ksf->first)
        return true;
    if (activation->generation != place->generation) {
        place_stub(ksf, place, activation->generation, 2u * handle + (steps == 0), steps ? steps : ksf->chunk);
        return false;
    }
    place->at = from->child ? ksf->node[from->child].parent : handle;
    if (place->at == WEFT_KSF_STUB) /* the forest was emptied meanwhile, and weft_ksf_take will see that */
        return false;
    return from->child || steps || find_link(ksf, handle, place);
}

/* A node of the link was made, or a stub. What comes next is new below it. */
static void go_on(weft_ksf *ksf, weft_handle leaf, uint32_t path, weft_ksf_place *place)
{
    unsigned left = ksf->chunk - place->known;
    for (unsigned i = 1; i < left && leaf != WEFT_KSF_STUB; i++)
        leaf = ksf->node[leaf].parent;
    place->fresh.label = left && leaf != WEFT_KSF_STUB ? ksf->node[leaf].label : path;
    place_at(ksf, place, left ? WEFT_KSF_LINK : WEFT_KSF_NEW, place->at, left + 1);
}

void weft_ksf_find(weft_ksf *ksf, const weft_ksf_activation *activation, uint32_t path, weft_ksf_place *place)
{
    if (place->kind == WEFT_KSF_GO_ON)
        go_on(ksf, (weft_handle)(activation->at >> 16), path, place);
    if (place->kind != WEFT_KSF_LOOK || !find_parent(ksf, activation, place))
        return;
    place->fresh.label = path;
    place->ring = ring_of(ksf, place->at, path);
    place->node = search(ksf, ksf->node[*place->ring].sibling, path, ksf->nodes_max); /* step 3 */
    place->steps = steps_of(ksf, place->at);
    if (place->node)
        place->kind = WEFT_KSF_FOUND;
    else
        place_at(ksf, place, WEFT_KSF_NEW, place->at, 1);
}

/* Step 4: the activation's path is at a node. */
static inline weft_status stand(weft_ksf *ksf, weft_ksf_activation *activation, weft_handle handle, unsigned steps)
{
    if (activation->generation == ksf->generation)
        ksf->node[activation->at >> 16].child = handle;
    activation->generation = ksf->generation;
    activation->at = (uint32_t)handle << 16 | steps;
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
    return stand(ksf, activation, make(ksf, place), place->steps);
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
    return stand(ksf, activation, place->node, place->steps);
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
    uint32_t at = activation->at;
    weft_handle handle = ksf->used + 1u, parent = (weft_handle)(at >> 16);
    if (!(at & 0xffff) || handle >= ksf->nodes_max)
        return false;
    at = (at & 0xffff) - 1;
    ksf->used = handle;
    ksf->node[parent].child = handle;
    ksf->node[handle] = (weft_ksf_node){below(ksf, at), 0, handle, parent, path, 1};
    activation->at = (uint32_t)handle << 16 | at;
    return true;
}

/* While the forest is being written, no generation is the present one and there are no roots. */
bool weft_ksf_near(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    bool begins = activation->generation < ksf->first;
    if (!begins && activation->generation != ksf->generation)
        return false;
    weft_ksf_node *from = &ksf->node[activation->at >> 16];
    if (!begins && !from->child)
        return sprout(ksf, activation, path);
    uint32_t steps = begins ? steps_of(ksf, 0) : from->below;
    weft_handle *link = begins ? ring_of(ksf, 0, path) : &from->child;
    weft_handle at = search(ksf, begins ? *link : ksf->node[*link].sibling, path, WEFT_KSF_NEAR);
    weft_ksf_node *node = &ksf->node[at];
    uint32_t count = node->count + 1;
    if (count == 0)
        return false;
    *link = at;
    node->count = count;
    activation->generation = ksf->generation;
    activation->at = (uint32_t)at << 16 | steps;
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
