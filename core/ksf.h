/* SPDX-License-Identifier: MIT */
/* k-slab forest: counts every sequence of up to k consecutive paths of an activation, at the price of one node per
 * event (D'Elia, "Multi-iteration path profiling", section "Algorithms"). The host turns it into the k-iteration path
 * forest (tools/lib/profile/kipf.h).
 *
 *   depth 1 .. k-1      upper slab: a chunk of k-1 paths          6        0       2      roots, hashed by label
 *   depth k .. 2k-2     lower slab: the chunk that came next      |       / \      |
 *                                                                 2      2   0     0
 *   A path down the forest is two chunks in a row. A node at       ...
 *   depth 2k-2 has no children. Its link is the node at depth k-1 where its last k-1 labels begin; what follows it
 *   are children of that.
 *
 * So the paper's pair (tau, beta) is one node, and a step follows one edge. Tau is beta's last chunk; its nodes are
 * made when that chunk is complete, which yields exactly the forest of the paper's definition. The paper's n is the
 * number of steps left to depth 2k-2.
 *
 * The paths a b a b of one activation, for k = 2: chunks of one path, depth 2k-2 = 2. A node is its handle, label and
 * count.
 *
 *   a    no node yet: a root is made                                1 a 1
 *   b    a child at depth 2                                         1 a 1 -- 2 b 1
 *   a    node 2 has no children. Its link leads to the root of b,   1 a 1 -- 2 b 1 ..> 3 b 0
 *        which is made with count 0; a is a child of that           3 b 0 -- 4 a 1
 *   b    the link of node 4 leads to root a, which exists;          1 a 1 -- 2 b 2 ..> 3
 *        its child b is counted                                     3 b 0 -- 4 a 1 ..> 1
 *
 *   Read off: `a b` came twice, `b a` once. A path that starts an activation is counted at its root.
 *
 * Segments. When the pool is full the forest is written out and emptied. What lies between two such moments is a
 * segment, numbered by its generation. An activation carries the generation of its node. If it goes on in a later
 * segment, its node is kept there as a *stub*: a root with count 0 that names the node of the older segment, so that
 * the labels above it need no room. Hence any number of live activations works with any pool. An activation that never
 * comes back (longjmp) costs nothing. The sum of the segments is the forest of the unbroken stream.
 *
 * Written form, in parts that fit the caller's buffers (varints unless noted):
 *   generation, k (1 byte), first handle, number of nodes n, then n nodes in the order of their handles, each
 *     c = 0: root, label, count      c = 1: stub, older generation = generation - next value, handle * 2 + link
 *     c > 1: child of handle - (c - 1), label, count
 * A stub with link = 1 stands for the link of the node that it names. Handles start at 1. The last part of a segment
 * ends with one byte 0, each other part with one byte 1. The forest above is
 *
 *   1  2  1 4   0 'a' 1   2 'b' 2   0 'b' 0   2 'a' 1   0 */
#ifndef WEFT_CORE_KSF_H
#define WEFT_CORE_KSF_H

#include "core/base.h"
#include "core/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_KSF_K_MIN 2u
#define WEFT_KSF_K_MAX 32u

/* 16 bytes, so that one address gives all of it. Where bytes are little-endian, the first two fields are one word: what
 * weft_ksf_activation.at becomes at the child. A stub's label is the generation of what it names, its sibling the
 * handle; its parent says whether it stands for the link. Its count is 0. */
typedef struct weft_ksf_node {
    uint16_t below;      /* steps from what comes next to depth 2k-2 */
    weft_handle child;   /* what came next the last time: a child, or at depth 2k-2 one of the link; 0: nothing yet */
    weft_handle sibling; /* the parent's next child; the last one leads to the first */
    weft_handle parent;
    uint32_t label, count;
} weft_ksf_node;

/* State of one activation of a routine: all zero at its entry, then ours until it ends. 16 bytes at most. */
typedef struct weft_ksf_activation {
    uint32_t generation; /* of the segment that holds the node; 0: no path yet */
    uint32_t at;         /* node * 65536 + its steps to depth 2k-2, which are needed when the segment is gone */
} weft_ksf_activation;

/* For a probe in assembler: the two words that tell it whether a forest takes paths, and where its nodes are. A gate
 * stays the same for all recordings, and is shut while no forest is lent to it. */
typedef struct weft_ksf_gate {
    volatile uint32_t open; /* the forest's generation, or WEFT_KSF_SHUT */
    weft_ksf_node *node;    /* while it is open */
} weft_ksf_gate;

#define WEFT_KSF_SHUT 0xffffffffu /* no generation: 2^32 segments are some 20 TB */

/* Nodes and roots stay a forest's while the program runs: if an interrupt ends a recording amid a probe's look for a
 * node, the probe reads on there. What it finds is not counted then, but it follows handles as it goes. */
typedef struct weft_ksf_config {
    unsigned k;          /* 2..32 */
    weft_ksf_node *node; /* nodes_max of them. Element 0 stands for "none": it is ours */
    size_t nodes_max;    /* WEFT_KSF_NODES_MIN .. 65,534 */
    weft_handle *roots;  /* hash table of the roots */
    size_t roots_max;    /* a power of two, 1..32768 */
} weft_ksf_config;

/* After a flush an event needs a stub and its child. */
#define WEFT_KSF_NODES_MIN 3u

typedef struct weft_ksf {
    uint32_t generation;
    uint32_t first; /* activations of older generations start again */
    weft_ksf_node *node;
    weft_handle *roots;
    weft_ksf_gate *gate; /* through which it may be open; or NULL */
    weft_handle nodes_max, roots_mask;
    weft_handle used;       /* handles 1..used are taken */
    weft_handle written;    /* during a flush, handles below this one are out; else 0 */
    weft_handle high_water; /* of earlier segments */
    uint8_t chunk;          /* k - 1 */
    uint8_t again;          /* k - 2: steps to depth 2k-2 of what comes after a chunk that began again */
} weft_ksf;

/* Declares a forest `name`, its memory `name`_memory and its configuration `name`_config:
 *     WEFT_KSF_DEF(forest, 4, 1000, 64);  weft_ksf_init(&forest, &forest_config); */
#define WEFT_KSF_DEF(name, k_, nodes_, roots_)                                                                         \
    static struct {                                                                                                    \
        weft_ksf_node node[nodes_];                                                                                    \
        weft_handle roots[roots_];                                                                                     \
    } name##_memory;                                                                                                   \
    static weft_ksf name;                                                                                              \
    static const weft_ksf_config name##_config = {k_, name##_memory.node, nodes_, name##_memory.roots, roots_}

/* WEFT_CONFIG if a size or k is out of its range. */
weft_status weft_ksf_init(weft_ksf *ksf, const weft_ksf_config *config);

/* The forest is empty, and no activation goes on in it: each one's next path is its first. For a recording that begins
 * while activations live, which no decoder can join to the one before. `generation`: of the next segment, above all
 * that live activations may name. */
void weft_ksf_restart(weft_ksf *ksf, uint32_t generation);

/* One path of an activation. WEFT_FULL: nothing was taken; flush until WEFT_OK, and push again, which then succeeds.
 * Constant work on the edge used last; else at most the children of k nodes are searched. */
weft_status weft_ksf_push(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path);

/* From where the activation stands in these nodes, along the edge used last. False: nothing was done. Element 0 stands
 * for "no edge". Its count is at the maximum, so that it needs no test of its own. */
static inline bool weft_ksf_go(weft_ksf_node *nodes, weft_ksf_activation *activation, uint32_t path)
{
    const weft_ksf_node *from = &nodes[activation->at >> 16];
    weft_ksf_node *node = &nodes[from->child];
    uint32_t count = node->count + 1;
    if (node->label != path || count == 0)
        return false;
    node->count = count;
    activation->at = (uint32_t)from->child << 16 | from->below;
    return true;
}

/* Takes a path that follows the edge used last, as most do. False: nothing was done. */
static inline bool weft_ksf_known(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    return activation->generation == ksf->generation && weft_ksf_go(ksf->node, activation, path);
}

/* ---- the gate: with interrupts masked, or where no other context works on the forest ---- */

/* Paths may be taken through the gate, unless the forest is being written. It is shut again before the forest is
 * written, restarted, or changed in more than one step. */
static inline void weft_ksf_open(weft_ksf *ksf, weft_ksf_gate *gate)
{
    ksf->gate = gate;
    gate->node = ksf->node;
    gate->open = ksf->written ? WEFT_KSF_SHUT : ksf->generation;
}

static inline void weft_ksf_shut(weft_ksf *ksf)
{
    if (ksf->gate)
        ksf->gate->open = WEFT_KSF_SHUT;
}

/* weft_ksf_known of the forest that the gate is open for. False: nothing was done. */
static inline bool weft_ksf_pass(const weft_ksf_gate *gate, weft_ksf_activation *activation, uint32_t path)
{
    return activation->generation == gate->open && weft_ksf_go(gate->node, activation, path);
}

/* ---- parts of weft_ksf_near ---- */

/* A child of a node, or a root with a label's hash: where the search for a label begins. */
static inline weft_handle *weft_ksf_ring(weft_ksf *ksf, weft_handle parent, uint32_t label)
{
    uint32_t hash = (label ^ label >> 7) & ksf->roots_mask;
    return parent ? &ksf->node[parent].child : &ksf->roots[hash];
}

/* The node with the label among `left` nodes of a ring, from `start` on; 0: it is not among these. If the forest is
 * emptied meanwhile, the ring may never come back to its start, so it is never more than there are nodes. */
static inline weft_handle weft_ksf_search(const weft_ksf *ksf, weft_handle start, uint32_t label, unsigned left)
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

/* The steps to depth 2k-2 of a node's children, or of roots. */
static inline uint16_t weft_ksf_steps(const weft_ksf *ksf, weft_handle parent)
{
    return parent ? ksf->node[parent].below : (uint16_t)(2u * ksf->chunk - 1u);
}

/* Makes the first child of the activation's node. False: there is no room, or the node is at depth 2k-2. */
bool weft_ksf_sprout(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path);

/* Takes a path that follows another edge, if its node is one of the next WEFT_KSF_NEAR siblings of the one used last; a
 * path that begins an activation, if its node is one of the first of its ring of roots; or the first path after a node,
 * which it makes, unless a link is to be found. After weft_ksf_known, and nearly as short: a caller that masks
 * interrupts may keep them masked. False: nothing was done. While the forest is being written, no generation is the
 * present one and there are no roots. */
#define WEFT_KSF_NEAR 4u
static inline bool weft_ksf_near(weft_ksf *ksf, weft_ksf_activation *activation, uint32_t path)
{
    bool begins = activation->generation < ksf->first;
    if (!begins && activation->generation != ksf->generation)
        return false;
    weft_ksf_node *from = &ksf->node[activation->at >> 16];
    if (!begins && !from->child)
        return weft_ksf_sprout(ksf, activation, path);
    uint32_t steps = begins ? weft_ksf_steps(ksf, 0) : from->below;
    weft_handle *link = begins ? weft_ksf_ring(ksf, 0, path) : &from->child;
    weft_handle at = weft_ksf_search(ksf, begins ? *link : ksf->node[*link].sibling, path, WEFT_KSF_NEAR);
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

/* The same in parts, for a caller that masks interrupts. Each part is a few steps, but for weft_ksf_find, which only
 * reads: others may push and flush while it looks.
 *
 *     if (weft_ksf_known(...)) done                    masked
 *     if (weft_ksf_near(...)) done                     masked
 *     status = weft_ksf_look(...)                      not masked
 *     while (status == WEFT_AGAIN) {
 *         weft_ksf_find(...)                           not masked
 *         status = weft_ksf_take(...) }                masked
 *
 * No other context may work on the activation meanwhile. A path that fails with WEFT_FULL after WEFT_AGAIN may leave
 * nodes of count 0, if others took the room that it found. */
typedef enum weft_ksf_kind {
    WEFT_KSF_LOOK,  /* to be looked for */
    WEFT_KSF_FOUND, /* the path's node is there */
    WEFT_KSF_NEW, /* it is to be made, after those above it that are missing: of a chunk that begins again, or a stub */
    WEFT_KSF_GO_ON, /* some of these were made */
    WEFT_KSF_NO_ROOM,
} weft_ksf_kind;

/* Nodes that are made in one step with interrupts masked: 78 instructions at most on a Cortex-M3. A power of two. */
#define WEFT_KSF_STEP (WEFT_SHORT_STEPS ? 1u : 4u)

/* What weft_ksf_find found, for weft_ksf_take. */
typedef struct weft_ksf_place {
    uint32_t generation; /* of the forest when the search began */
    weft_handle *ring;   /* where the ring of the path's node, or of the first one to be made, begins */
    weft_handle *before; /* of the sibling before that one; `ring` if there is none */
    weft_handle *from;   /* of where the activation stands, the edge used last */
    weft_handle nowhere; /* to which those lead that need not lead anywhere */
    weft_handle used;    /* nodes when the search began: what was not found then is new if there are as many now */
    weft_handle at;      /* the path's node, or the last one of this step */
    uint16_t steps;      /* from the path's node to depth 2k-2, or from the first one of the next step */
    uint8_t left;        /* nodes that are to be made after this step */
    uint8_t kind;        /* weft_ksf_kind */
    weft_ksf_node fresh[WEFT_KSF_STEP]; /* nodes of this step, as they are to be */
    uint32_t label[WEFT_KSF_K_MAX];     /* of all that are to be made, from the path's on upwards */
} weft_ksf_place;

/* The path is to be looked for: `place` says how the forest is. WEFT_AGAIN: go on with weft_ksf_find. WEFT_FULL: the
 * forest is being written. Others may push and flush meanwhile. If the forest was emptied before the nodes are counted,
 * the generation is of an older one, and weft_ksf_take sees that. So the generation is read first, the nodes last. */
static inline weft_status weft_ksf_look(const weft_ksf *ksf, weft_ksf_place *place)
{
    const volatile weft_ksf *now = ksf;
    place->generation = now->generation;
    bool written = now->written;
    place->used = now->used;
    place->kind = WEFT_KSF_LOOK;
    return written ? WEFT_FULL : WEFT_AGAIN;
}
/* Looks for the path's node, without a change of the forest, and writes what it found to `place`. */
void weft_ksf_find(weft_ksf *ksf, const weft_ksf_activation *activation, uint32_t path, weft_ksf_place *place);
/* WEFT_AGAIN: a part was made, or the forest has changed. Look again. */
weft_status weft_ksf_take(weft_ksf *ksf, weft_ksf_activation *activation, weft_ksf_place *place);

/* The most nodes that were taken at once. */
static inline weft_handle weft_ksf_high_water(const weft_ksf *ksf)
{
    return ksf->used > ksf->high_water ? ksf->used : ksf->high_water;
}

/* Ends the segment: until it is written, no path is taken. Returns the paths that it holds, the sum of its counts; 0 if
 * it has ended before, or holds none. */
uint64_t weft_ksf_close(weft_ksf *ksf);

/* The most bytes that one node and the head and end of its part take. */
#define WEFT_KSF_PART_MIN (5u + 1u + 3u + 3u + 1u + 3u + 5u + 5u)

/* Writes the next part of the segment, which ends with the first. WEFT_OK: that was the last one; the forest is empty
 * and a new generation has begun. WEFT_AGAIN: more parts follow (pushes answer WEFT_FULL until then). WEFT_FULL: the
 * writer has less room than WEFT_KSF_PART_MIN; nothing was written. The writer has bytes to store to: one that only
 * measures will not do. An empty forest writes nothing. */
weft_status weft_ksf_flush(weft_ksf *ksf, weft_writer *out);

/* For tests: whether links, labels and slab depths agree. */
bool weft_ksf_check(const weft_ksf *ksf);

#ifdef __cplusplus
}
#endif

#endif
