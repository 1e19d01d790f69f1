/* SPDX-License-Identifier: MIT */
/* One event (D'Elia, procedure process_bl_path_id; see the header for how tau and beta became one node):
 *   1. find where the activation stands: nowhere yet, at a node, or at a node of an older segment (a stub is made)
 *   2. at depth 2k-2, go to the node at depth k-1 that ends the last chunk read from a root; make missing nodes
 *   3. go to the child with the path's label; make it if it does not exist yet
 *   4. count it
 * weft_ksf_known does this for the edge used last. For the rest weft_ksf_find looks, and changes nothing, and
 * weft_ksf_take counts the node, or makes some. There is room for all nodes that an event needs before the first is
 * taken.
 *
 * A node's `child` is what came next the last time, at any depth. Step 2 needs no place of its own for its link: the
 * node that it leads to is the parent of what came next. So steps 2 and 3 are one walk from a root down, along the
 * labels of the chunk and that of the path. */
#include "core/ksf_parts.h"
#include "core/own.h"

/* Kept apart, so that the usual case saves no registers. */
#define APART __attribute__((noinline))

void weft_ksf_restart(weft_ksf *ksf, uint32_t generation)
{
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
    *ksf = (weft_ksf){
        .node = config->node,
        .roots = config->roots,
    };
    ksf->chunk = (uint8_t)(config->k - 1);
    ksf->again = (uint8_t)(config->k - 2);
    ksf->nodes_max = (weft_handle)config->nodes_max;
    ksf->roots_mask = (weft_handle)(config->roots_max - 1);
    ksf->node[0] = (weft_ksf_node){.count = UINT32_MAX};
    weft_ksf_restart(ksf, 1);
    return WEFT_OK;
}

/* Puts together the nodes of the next step, so that little is left to do for weft_ksf_take: `left` are to be made. The
 * first one has its parent and sibling. The others are alone in their rings. */
static APART void prepare(const weft_ksf *ksf, weft_ksf_place *place, unsigned left)
{
    uint32_t handle = place->used, steps = place->steps;
    const uint32_t *label = &place->label[left - 1];
    weft_ksf_node *node = place->fresh;
    place->kind = handle + left < ksf->nodes_max ? WEFT_KSF_NEW : WEFT_KSF_NO_ROOM;
    for (;;) {
        handle++;
        steps--;
        node->label = *label--;
        node->count = 0;
        if (--left % WEFT_KSF_STEP == 0)
            break;
        node->below = (uint16_t)steps;
        node->child = (weft_handle)(handle + 1u);
        node++;
        node->sibling = (weft_handle)(handle + 1u);
        node->parent = (weft_handle)handle;
    }
    node->child = 0;
    node->below = (uint16_t)steps;
    if (!left) { /* the path's */
        steps++;
        node->below = weft_ksf_below(ksf, steps);
        node->count = 1;
    }
    place->at = (weft_handle)handle;
    place->steps = (uint16_t)steps;
    place->left = (uint8_t)left;
}

/* Steps 2 and 3: down from a node (0: from the roots), along the last `left` labels. If the forest is emptied
 * meanwhile, a ring may never come back to its start, so no more nodes are looked at than there are. */
static inline void walk(weft_ksf *ksf, weft_ksf_place *place, weft_handle at, unsigned left)
{
    weft_ksf_node *all = ksf->node;
    const uint32_t *label = &place->label[left - 1];
    weft_handle *ring = weft_ksf_ring(ksf, at, *label), node;
    while ((node = weft_ksf_search(ksf, *ring, *label, ksf->nodes_max)) != 0 && --left) {
        at = node;
        ring = &all[node].child;
        label--;
    }
    weft_handle first = *ring;
    place->ring = ring;
    place->steps = at ? all[at].below : weft_ksf_steps(ksf, 0);
    if (node) {
        place->at = node;
        place->kind = WEFT_KSF_FOUND;
        return;
    }
    place->before = first ? &all[first].sibling : ring;
    place->fresh[0].sibling = first ? all[first].sibling : (weft_handle)(place->used + 1u);
    place->fresh[0].parent = at;
    prepare(ksf, place, left);
}

/* A stub of the node where the activation stands, or of its link, and the path's node below it. It is in no ring, and
 * no other activation has it. Labels above it are in an older segment, where the host finds them. */
static APART void place_stub(const weft_ksf *ksf, const weft_ksf_activation *activation, weft_ksf_place *place)
{
    unsigned steps = activation->at & 0xffff;
    place->ring = place->before = &place->nowhere;
    place->steps = (uint16_t)(steps ? steps : ksf->chunk);
    place->label[1] = activation->generation;
    place->fresh[0].sibling = (weft_handle)(activation->at >> 16);
    place->fresh[0].parent = steps ? WEFT_KSF_OF_NODE : WEFT_KSF_OF_LINK;
    prepare(ksf, place, 2);
}

/* After a step. */
static APART void go_on(weft_ksf *ksf, weft_ksf_place *place)
{
    place->used = place->at;
    place->ring = place->before = &ksf->node[place->at].child;
    place->fresh[0].sibling = place->at + 1u;
    place->fresh[0].parent = place->at;
    prepare(ksf, place, place->left);
}

/* Reads the labels of the last chunk above a leaf, from its end on. False: some are in an older segment. */
static inline bool read_chunk(const weft_ksf *ksf, weft_ksf_place *place, weft_handle leaf)
{
    const weft_ksf_node *all = ksf->node;
    uint32_t *label = place->label, *last = label + ksf->chunk;
    weft_handle node = leaf;
    do {
        *++label = all[node].label;
        node = all[node].parent;
        if (weft_ksf_is_stub(node))
            return false;
    } while (label != last);
    return true;
}

void weft_ksf_find(weft_ksf *ksf, const weft_ksf_activation *activation, uint32_t path, weft_ksf_place *place)
{
    weft_ksf_node *all = ksf->node;
    uint32_t handle = activation->at >> 16, steps = activation->at & 0xffff;
    weft_handle at = 0;
    unsigned left = 1;
    place->label[0] = path;
    if (place->kind == WEFT_KSF_GO_ON) {
        go_on(ksf, place);
        return;
    }
    if (activation->generation == place->generation) { /* step 1 */
        place->from = &all[handle].child;
        at = (weft_handle)handle;
        if (all[handle].child) {
            at = all[all[handle].child].parent;
            if (weft_ksf_is_stub(at)) /* the forest was emptied meanwhile, and weft_ksf_take will see that */
                return;
        } else if (!steps) {
            if (!read_chunk(ksf, place, at)) {
                place_stub(ksf, activation, place);
                return;
            }
            at = 0;
            left = ksf->chunk + 1u;
        }
    } else {
        place->from = &place->nowhere;
        if (activation->generation >= ksf->first) {
            place_stub(ksf, activation, place);
            return;
        }
    }
    walk(ksf, place, at, left);
}

/* The nodes of a step. */
static inline void make(weft_ksf *ksf, const weft_ksf_place *place, weft_handle at)
{
    weft_handle first = place->used + 1u;
    weft_ksf_node *node = &ksf->node[first];
    const weft_ksf_node *last = &ksf->node[at], *fresh = place->fresh;
    weft_handle *before = place->before, *ring = place->ring;
    *before = first;
    *ring = first;
    ksf->used = at;
    *node = *fresh;
    while (WEFT_KSF_STEP > 1 && node != last)
        *++node = *++fresh;
}

weft_status weft_ksf_take(weft_ksf *ksf, weft_ksf_activation *activation, weft_ksf_place *place)
{
    unsigned kind = place->kind;
    weft_handle at = place->at;
    if (place->generation != ksf->generation || (kind != WEFT_KSF_FOUND && place->used != ksf->used))
        return weft_ksf_look(ksf, place);
    if (kind == WEFT_KSF_FOUND) {
        weft_ksf_node *node = &ksf->node[at];
        if (node->count == UINT32_MAX)
            return WEFT_FULL;
        node->count++;
        *place->ring = at;
    } else if (kind == WEFT_KSF_NEW) {
        make(ksf, place, at);
        if (place->left) {
            place->kind = WEFT_KSF_GO_ON;
            return WEFT_AGAIN;
        }
    } else {
        return kind == WEFT_KSF_NO_ROOM ? WEFT_FULL : weft_ksf_look(ksf, place);
    }
    *place->from = at; /* step 4 */
    activation->generation = place->generation;
    activation->at = (uint32_t)at << 16 | place->steps;
    return WEFT_OK;
}

bool weft_ksf_sprout(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    uint32_t at = activation->at;
    weft_handle handle = ksf->used + 1u, parent = (weft_handle)(at >> 16);
    if (!(at & 0xffff) || handle >= ksf->nodes_max)
        return false;
    at = (at & 0xffff) - 1;
    ksf->used = handle;
    ksf->node[parent].child = handle;
    ksf->node[handle] = (weft_ksf_node){weft_ksf_below(ksf, at), 0, handle, parent, path, 1};
    activation->at = (uint32_t)handle << 16 | at;
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
