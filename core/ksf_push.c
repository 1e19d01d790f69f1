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

/* Nodes that are made in one step: with interrupts masked, for 87 instructions at most on a Cortex-M3. */
#define NODES_PER_STEP (WEFT_SHORT_STEPS ? 1u : 4u)

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

static inline void found(const weft_ksf *ksf, weft_ksf_place *place, weft_ksf_kind kind, unsigned left)
{
    place->left = (uint8_t)left;
    place->kind = (uint8_t)(place->used + left < ksf->nodes_max ? kind : WEFT_KSF_NO_ROOM);
}

/* Steps 2 and 3: down from a node (0: from the roots), along the last `left` labels. If the forest is emptied meanwhile,
 * a ring may never come back to its start, so no more nodes are looked at than there are. */
static inline void walk(weft_ksf *ksf, weft_ksf_place *place, weft_handle at, unsigned left)
{
    const weft_ksf_node *all = ksf->node;
    const uint32_t *label = &place->label[left - 1];
    weft_handle *ring = weft_ksf_ring(ksf, at, *label), node;
    while ((node = weft_ksf_search(ksf, *ring, *label, ksf->nodes_max)) != 0 && --left) {
        at = node;
        ring = &ksf->node[node].child;
        label--;
    }
    place->at = node ? node : at;
    place->ring = ring;
    place->steps = at ? all[at].below : weft_ksf_steps(ksf, 0);
    found(ksf, place, left ? WEFT_KSF_NEW : WEFT_KSF_FOUND, left);
}

void weft_ksf_find(weft_ksf *ksf, const weft_ksf_activation *activation, uint32_t path, weft_ksf_place *place)
{
    const weft_ksf_node *all = ksf->node;
    weft_handle handle = (weft_handle)(activation->at >> 16), at = 0;
    unsigned left = 1;
    place->label[0] = path;
    if (place->kind != WEFT_KSF_LOOK)
        return;
    if (activation->generation == place->generation) { /* step 1 */
        at = all[handle].child;
        if (at) {
            at = all[at].parent;
            if (weft_ksf_is_stub(at)) /* the forest was emptied meanwhile, and weft_ksf_take will see that */
                return;
        } else if (activation->at & 0xffff) {
            at = handle;
        } else {
            do {
                place->label[left++] = all[handle].label;
                handle = all[handle].parent;
            } while (left <= ksf->chunk && !weft_ksf_is_stub(handle));
            if (weft_ksf_is_stub(handle)) { /* labels are in an older segment, where the host finds them */
                found(ksf, place, WEFT_KSF_STUB, 2);
                return;
            }
        }
    } else if (activation->generation >= ksf->first) {
        found(ksf, place, WEFT_KSF_STUB, 2);
        return;
    }
    walk(ksf, place, at, left);
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

static inline weft_status take_found(weft_ksf *ksf, weft_ksf_activation *activation, weft_ksf_place *place)
{
    weft_ksf_node *node = &ksf->node[place->at];
    if (node->count == UINT32_MAX)
        return WEFT_FULL;
    node->count++;
    *place->ring = place->at;
    return stand(ksf, activation, place->at, place->steps);
}

/* The nodes of a chunk that are missing, and the path's. All but the first are alone in their rings. */
static inline weft_status take_new(weft_ksf *ksf, weft_ksf_activation *activation, weft_ksf_place *place)
{
    weft_ksf_node *all = ksf->node;
    uint32_t handle = ksf->used + 1u, first = *place->ring, sibling = handle, at = place->at, steps = place->steps;
    unsigned left = place->left;
    const uint32_t *label = &place->label[left - 1];
    weft_ksf_node *node = &all[handle];
    *place->ring = (weft_handle)handle;
    if (first) {
        sibling = all[first].sibling;
        all[first].sibling = (weft_handle)handle;
    }
    for (;;) {
        node->sibling = (weft_handle)sibling;
        node->parent = (weft_handle)at;
        node->label = *label--;
        node->child = 0;
        if (!--left)
            break;
        node->below = (uint16_t)--steps; /* it is not at depth 2k-2 */
        node->count = 0;
        if (left % NODES_PER_STEP == 0) {
            place->at = place->used = ksf->used = (weft_handle)handle;
            place->steps = (uint16_t)steps;
            place->left = (uint8_t)left;
            place->ring = &node->child;
            return WEFT_AGAIN;
        }
        at = handle++;
        sibling = handle;
        node->child = (weft_handle)handle;
        node++;
    }
    node->below = weft_ksf_below(ksf, steps);
    node->count = 1;
    ksf->used = (weft_handle)handle;
    return stand(ksf, activation, (weft_handle)handle, steps);
}

/* The stub of the node where the activation stands, or of its link. It has no siblings, and what comes next is the path
 * itself. No other activation has the stub. */
static weft_status take_stub(weft_ksf *ksf, const weft_ksf_activation *activation, weft_ksf_place *place)
{
    weft_handle handle = place->used + 1u;
    unsigned steps = activation->at & 0xffff;
    ksf->used = handle;
    ksf->node[handle] = (weft_ksf_node){
        weft_ksf_below(ksf, steps), 0, (weft_handle)(activation->at >> 16), steps ? WEFT_KSF_OF_NODE : WEFT_KSF_OF_LINK,
        activation->generation,     0};
    place->at = place->used = handle;
    place->steps = ksf->node[handle].below;
    place->left = 1;
    place->ring = &ksf->node[handle].child;
    place->kind = WEFT_KSF_NEW;
    return WEFT_AGAIN;
}

weft_status weft_ksf_take(weft_ksf *ksf, weft_ksf_activation *activation, weft_ksf_place *place)
{
    unsigned kind = place->kind;
    bool changed = place->generation != ksf->generation || (kind != WEFT_KSF_FOUND && place->used != ksf->used);
    if (changed || kind == WEFT_KSF_LOOK)
        return weft_ksf_look(ksf, place);
    if (kind == WEFT_KSF_NEW)
        return take_new(ksf, activation, place);
    if (kind == WEFT_KSF_FOUND)
        return take_found(ksf, activation, place);
    return kind == WEFT_KSF_STUB ? take_stub(ksf, activation, place) : WEFT_FULL;
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
