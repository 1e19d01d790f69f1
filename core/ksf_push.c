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
/* Where it counts how long a step is; and where it counts how long a search is. */
#if WEFT_SMALL
#define BY_ITSELF
#define WITHIN APART
#else
#define BY_ITSELF APART
#define WITHIN inline
#endif

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
    *ksf = (weft_ksf){.node = config->node, .roots = config->roots, .chunk = (uint8_t)(config->k - 1)};
    ksf->nodes_max = (weft_handle)config->nodes_max;
    ksf->roots_mask = (weft_handle)(config->roots_max - 1);
    ksf->node[0] = (weft_ksf_node){.count = UINT32_MAX};
    weft_ksf_restart(ksf, 1);
    return WEFT_OK;
}

static bool has_room(const weft_ksf *ksf, weft_handle used, unsigned nodes)
{
    return used + nodes < ksf->nodes_max;
}

/* A node that is to be made, with the label and the ring in it, and how many nodes the path needs with it. */
static WITHIN void place_at(weft_ksf *ksf, weft_ksf_place *place, weft_ksf_kind kind, weft_handle at, unsigned missing)
{
    place->kind = has_room(ksf, place->used, missing) ? kind : WEFT_KSF_NO_ROOM;
    place->fresh.below = weft_ksf_below(ksf, weft_ksf_steps(ksf, at));
    place->fresh.child = 0;
    place->fresh.sibling = place->used + 1u;
    place->fresh.parent = at;
    place->fresh.count = kind == WEFT_KSF_NEW;
}

/* The stub of a node of an older segment, or of the link of a node. It has no siblings, and what comes next is the path
 * itself. No other activation has the stub. */
static APART void place_stub(weft_ksf *ksf, weft_ksf_place *place, uint32_t generation, weft_handle node,
                             unsigned steps)
{
    place->fresh.label = generation;
    place_at(ksf, place, WEFT_KSF_LINK, 0, 2);
    place->fresh.below = weft_ksf_below(ksf, steps);
    place->fresh.parent = WEFT_KSF_STUB;
    place->fresh.count = 2u * node + !steps;
    place->node = 0;
    place->ring = &place->node;
    place->left = 1;
}

/* The node that is `levels` above; WEFT_KSF_STUB: a stub is, or it is what the other stands below. */
static WITHIN weft_handle above(const weft_ksf *ksf, weft_handle node, unsigned levels)
{
    for (; levels && node != WEFT_KSF_STUB; levels--)
        node = ksf->node[node].parent;
    return node;
}

/* A node's child with the label, or a root; 0: there is none. It may be made there then. */
static WITHIN weft_handle find_child(weft_ksf *ksf, weft_ksf_place *place, uint32_t label)
{
    place->fresh.label = label;
    place->ring = weft_ksf_ring(ksf, place->at, label);
    return weft_ksf_search(ksf, *place->ring, label, ksf->nodes_max);
}

/* Step 2. Where the last chunk above `leaf` begins again. False: something of it is to be made first. */
#if WEFT_SMALL
static bool find_link(weft_ksf *ksf, weft_handle leaf, weft_ksf_place *place)
{
    unsigned left = ksf->chunk;                    /* at least 1 */
    if (above(ksf, leaf, left) == WEFT_KSF_STUB) { /* labels are in an older segment, where the host finds them */
        place_stub(ksf, place, place->generation, leaf, 0);
        return false;
    }
    for (; left; left--) {
        weft_handle next = find_child(ksf, place, ksf->node[above(ksf, leaf, left - 1)].label);
        if (!next) {
            place->left = (uint8_t)left;
            place_at(ksf, place, WEFT_KSF_LINK, place->at, left + 1);
            return false;
        }
        place->at = next;
    }
    return true;
}
#else
static APART bool find_link(weft_ksf *ksf, weft_handle leaf, weft_ksf_place *place)
{
    const weft_ksf_node *all = ksf->node;
    uint32_t label[WEFT_KSF_K_MAX - 1];     /* of the chunk, from its end on */
    unsigned left = 0, levels = ksf->chunk; /* at least 1 */
    weft_handle node = leaf, at = 0;
    do {
        label[left++] = all[node].label;
        node = all[node].parent;
    } while (node != WEFT_KSF_STUB && left < levels);
    if (node == WEFT_KSF_STUB) { /* labels are in an older segment, where the host finds them */
        place_stub(ksf, place, place->generation, leaf, 0);
        return false;
    }
    do {
        weft_handle *ring = weft_ksf_ring(ksf, at, label[left - 1]);
        node = weft_ksf_search(ksf, *ring, label[left - 1], ksf->nodes_max);
        if (!node) {
            place->fresh.label = label[left - 1];
            place->ring = ring;
            place->left = (uint8_t)left;
            place_at(ksf, place, WEFT_KSF_LINK, at, left + 1);
            break;
        }
        at = node;
    } while (--left);
    place->at = at;
    return !left;
}
#endif

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
        place_stub(ksf, place, activation->generation, handle, steps);
        return false;
    }
    if (!from->child && !steps)
        return find_link(ksf, handle, place);
    place->at = from->child ? ksf->node[from->child].parent : handle;
    return place->at != WEFT_KSF_STUB; /* else the forest was emptied meanwhile, and weft_ksf_take will see that */
}

/* A node of the link was made, or a stub. The label of what comes next, which is new below it. */
static inline uint32_t next_label(const weft_ksf *ksf, weft_handle leaf, uint32_t path, unsigned left)
{
    weft_handle next = left ? above(ksf, leaf, left - 1) : WEFT_KSF_STUB;
    return next != WEFT_KSF_STUB ? ksf->node[next].label : path;
}

/* What comes next below the node that was just made: there is nothing yet, and room for it. If others have made
 * something meanwhile, weft_ksf_take sees that. */
static BY_ITSELF void go_on(weft_ksf *ksf, const weft_ksf_activation *activation, uint32_t path, weft_ksf_place *place)
{
    unsigned left = place->left;
    place->fresh.below = weft_ksf_below(ksf, place->fresh.below);
    place->fresh.sibling = place->used + 1u;
    place->fresh.parent = place->at;
    place->fresh.label = next_label(ksf, (weft_handle)(activation->at >> 16), path, left);
    place->fresh.count = !left;
    place->ring = &ksf->node[place->at].child;
    place->kind = left ? WEFT_KSF_LINK : WEFT_KSF_NEW;
}

void weft_ksf_find(weft_ksf *ksf, const weft_ksf_activation *activation, uint32_t path, weft_ksf_place *place)
{
    bool look = place->kind == WEFT_KSF_LOOK;
    unsigned left = 0;
    uint32_t label = path;
    if (!WEFT_SMALL && place->kind == WEFT_KSF_GO_ON) {
        go_on(ksf, activation, path, place);
        return;
    }
    if (place->kind == WEFT_KSF_GO_ON) {
        left = place->left;
        label = next_label(ksf, (weft_handle)(activation->at >> 16), path, left);
    } else if (!look || !find_parent(ksf, activation, place)) {
        return;
    }
    place->node = find_child(ksf, place, label); /* step 3 */
    if (place->node && look)
        place->kind = WEFT_KSF_FOUND;
    else /* if others have just made it, weft_ksf_take will see that */
        place_at(ksf, place, left ? WEFT_KSF_LINK : WEFT_KSF_NEW, place->at, left + 1);
}

/* Step 4: the activation's path is at a node. */
static inline weft_status stand(weft_ksf *ksf, weft_ksf_activation *activation, weft_handle handle)
{
    if (activation->generation == ksf->generation)
        ksf->node[activation->at >> 16].child = handle;
    activation->generation = ksf->generation;
    activation->at = (uint32_t)handle << 16 | weft_ksf_steps(ksf, ksf->node[handle].parent);
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

static BY_ITSELF weft_status take_new(weft_ksf *ksf, weft_ksf_activation *activation, weft_ksf_place *place)
{
    return stand(ksf, activation, make(ksf, place));
}

static BY_ITSELF weft_status take_link(weft_ksf *ksf, weft_ksf_place *place)
{
    place->at = place->used = make(ksf, place);
    place->left--;
    place->kind = WEFT_KSF_GO_ON;
    return WEFT_AGAIN;
}

static BY_ITSELF weft_status take_found(weft_ksf *ksf, weft_ksf_activation *activation, weft_ksf_place *place)
{
    weft_ksf_node *node = &ksf->node[place->node];
    if (node->count == UINT32_MAX)
        return WEFT_FULL;
    node->count++;
    *place->ring = place->node;
    return stand(ksf, activation, place->node);
}

weft_status weft_ksf_take(weft_ksf *ksf, weft_ksf_activation *activation, weft_ksf_place *place)
{
    weft_ksf_kind kind = place->kind;
    bool changed = place->generation != ksf->generation || (kind != WEFT_KSF_FOUND && place->used != ksf->used);
    if (changed || kind == WEFT_KSF_LOOK)
        return weft_ksf_look(ksf, place);
    if (kind == WEFT_KSF_FOUND)
        return take_found(ksf, activation, place);
    if (kind == WEFT_KSF_NEW)
        return take_new(ksf, activation, place);
    return kind == WEFT_KSF_LINK ? take_link(ksf, place) : WEFT_FULL;
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
