/* SPDX-License-Identifier: MIT */
/* The k-slab forest of all events is one trie. Segments of a target are merged into it node by node, and the k-IPF is
 * read off it. Node 0 is the root of all roots. Node 1 stands for labels that are not known, above nodes whose
 * beginning was lost.
 *
 * The k-IPF joins the subtrees of all nodes (procedure make_k_ipf of the paper): the count of a sequence is the sum of
 * the counters of all nodes that it leads to, from any node. kipf_each walks the joined tree without building it: each
 * level of the walk holds the nodes that the sequence so far leads to, sorted by label. So it needs memory for the
 * nodes only, and not for the sequences, which are many times more. */
#include "tools/lib/profile/kipf.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/ksf.h"
#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"

enum { ROOT = TRIE_ROOT, UNKNOWN = TRIE_UNKNOWN };

/* The nodes of a segment whose parts are being read: handle -> node of the trie, 0 where the part is missing. */
typedef struct segment {
    uint32_t generation;
    uint32_t handles; /* handles below this have an entry */
    uint32_t *node;
} segment;

struct kipf {
    trie slabs;
    unsigned k;
    uint64_t events, gaps;
    uint32_t added;    /* by kipf_add_node the last time */
    segment *segments; /* of the current recording, by rising generation */
    size_t segment_count, segments_max;
};

kipf *kipf_new(unsigned k)
{
    kipf *forest = memory_zero(1, sizeof *forest);
    forest->k = k;
    trie_init(&forest->slabs);
    return forest;
}

void kipf_new_recording(kipf *forest)
{
    for (size_t i = 0; i < forest->segment_count; i++)
        free(forest->segments[i].node);
    forest->segment_count = 0;
}

void kipf_free(kipf *forest)
{
    if (!forest)
        return;
    kipf_new_recording(forest);
    free(forest->segments);
    trie_free(&forest->slabs);
    free(forest);
}

uint64_t kipf_events(const kipf *forest)
{
    return forest->events;
}

uint64_t kipf_gaps(const kipf *forest)
{
    return forest->gaps;
}

/* The node to go on from, when the last k-1 labels up to `node` begin a new slab. UNKNOWN if fewer are known. */
static uint32_t link_of(kipf *forest, uint32_t node)
{
    trie *t = &forest->slabs;
    unsigned chunk = forest->k - 1;
    if (t->nodes[node].depth < chunk)
        return UNKNOWN;
    uint32_t *labels = memory_zero(chunk, sizeof *labels);
    for (unsigned i = chunk; i > 0; i--, node = t->nodes[node].parent)
        labels[i - 1] = t->nodes[node].label;
    uint32_t at = ROOT;
    for (unsigned i = 0; i < chunk; i++)
        at = trie_child(t, at, labels[i]);
    free(labels);
    return at;
}

void kipf_push(kipf *forest, kipf_activation *activation, uint32_t path)
{
    trie *t = &forest->slabs;
    uint32_t chunk = forest->k - 1;
    if (!activation->begun)
        *activation = (kipf_activation){.node = ROOT, .steps = 2 * chunk, .begun = true};
    if (activation->steps == 0) {
        /* At depth 2k-2 there are no children: their place keeps the link. */
        uint32_t leaf = activation->node;
        uint32_t link = t->nodes[leaf].child;
        if (!link) {
            link = link_of(forest, leaf);
            t->nodes[leaf].child = link;
        }
        activation->node = link;
        activation->steps = chunk;
    }
    activation->node = trie_child(t, activation->node, path);
    activation->steps--;
    t->nodes[activation->node].count++;
    forest->events++;
}

static segment *segment_find(kipf *forest, uint32_t generation)
{
    size_t low = bisect_below(forest->segments, forest->segment_count, sizeof *forest->segments,
                              offsetof(segment, generation), generation);
    bool found = low < forest->segment_count && forest->segments[low].generation == generation;
    return found ? forest->segments + low : NULL;
}

/* The segment of a part: the last one, or a new one after it. NULL: the generation is lower than the last. */
static segment *segment_of_part(kipf *forest, uint32_t generation)
{
    segment *last = forest->segment_count ? forest->segments + forest->segment_count - 1 : NULL;
    if (last && last->generation == generation)
        return last;
    if (last && last->generation > generation)
        return NULL;
    forest->segments =
        memory_room(forest->segments, forest->segment_count, &forest->segments_max, sizeof *forest->segments);
    segment *fresh = forest->segments + forest->segment_count++;
    *fresh = (segment){.generation = generation};
    return fresh;
}

static uint32_t node_of_handle(kipf *forest, const segment *s, uint32_t handle)
{
    uint32_t node = s && handle < s->handles ? s->node[handle] : 0;
    forest->gaps += node == 0;
    return node ? node : UNKNOWN;
}

/* The trie's node for one node of a part; its counter is added. 0: corrupt. */
static uint32_t read_node(kipf *forest, const segment *s, uint32_t handle, weft_reader *part)
{
    uint32_t code = weft_read_varint(part);
    uint32_t label = weft_read_varint(part);
    uint32_t count = weft_read_varint(part);
    if (part->status != WEFT_OK || (code > 1 && code - 1 >= handle))
        return 0;
    if (code == 1) {
        uint32_t generation = s->generation - label;
        if (label > s->generation || (label == 0 && count / 2 >= handle))
            return 0;
        const segment *older = label ? segment_find(forest, generation) : s;
        uint32_t node = node_of_handle(forest, older, count / 2);
        return count & 1 ? link_of(forest, node) : node;
    }
    uint32_t parent = code ? node_of_handle(forest, s, handle - (code - 1)) : ROOT;
    if (forest->slabs.nodes[parent].depth >= 2 * forest->k - 2)
        return 0;
    uint32_t node = trie_child(&forest->slabs, parent, label);
    forest->slabs.nodes[node].count += count;
    forest->events += count;
    return node;
}

weft_status kipf_add_part(kipf *forest, weft_reader *part)
{
    uint32_t generation = weft_read_varint(part);
    uint32_t k = weft_read_u8(part);
    uint32_t first = weft_read_varint(part);
    uint32_t nodes = weft_read_varint(part);
    if (part->status != WEFT_OK || first == 0 || first + nodes > 65536 || nodes > weft_reader_left(part))
        return WEFT_CORRUPT;
    if (k != forest->k)
        return WEFT_CONFIG;
    segment *s = segment_of_part(forest, generation);
    if (!s || first < s->handles)
        return WEFT_CORRUPT;
    s->node = memory_grow(s->node, first + nodes, sizeof *s->node);
    memset(s->node + s->handles, 0, (first + nodes - s->handles) * sizeof *s->node);
    s->handles = first;
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t node = read_node(forest, s, first + i, part);
        if (!node)
            return WEFT_CORRUPT;
        s->node[s->handles++] = node;
    }
    return weft_read_u8(part) > 1 ? WEFT_CORRUPT : part->status;
}

/* Nodes at depth 2k-2 keep a link in the place of a child, and have no children. */
static uint32_t first_child(const kipf *forest, uint32_t node)
{
    const trie_node *n = forest->slabs.nodes + node;
    return n->child && forest->slabs.nodes[n->child].parent == node ? n->child : 0;
}

/* ---- node by node ---- */

unsigned kipf_k(const kipf *forest)
{
    return forest->k;
}

uint32_t kipf_nodes(const kipf *forest)
{
    return forest->slabs.used;
}

const trie_node *kipf_node(const kipf *forest, uint32_t node)
{
    return &forest->slabs.nodes[node];
}

uint32_t kipf_add_node(kipf *forest, uint32_t parent, uint32_t label, uint64_t count)
{
    if (forest->slabs.nodes[parent].depth >= 2 * forest->k - 2)
        return 0;
    uint32_t node = trie_child_near(&forest->slabs, parent, label, forest->added + 1);
    forest->added = node;
    if (__builtin_add_overflow(forest->slabs.nodes[node].count, count, &forest->slabs.nodes[node].count) ||
        __builtin_add_overflow(forest->events, count, &forest->events))
        return 0;
    return node;
}

/* ---- the joined tree ---- */

/* The nodes that the walk may go to, one level after the other: rank of the label, and node. */
typedef struct steps {
    uint64_t *step;
    size_t count, max;
} steps;

static void add_step(steps *s, const trie_node *nodes, const uint32_t *rank, uint32_t node)
{
    s->step = memory_room(s->step, s->count, &s->max, sizeof *s->step);
    uint32_t label = nodes[node].label;
    s->step[s->count++] = (uint64_t)(rank ? rank[label] : label) << 32 | node;
}

static void sort_short(uint64_t *step, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t moved = step[i];
        size_t at = i;
        for (; at > 0 && step[at - 1] > moved; at--)
            step[at] = step[at - 1];
        step[at] = moved;
    }
}

/* Stable, by bits shift .. shift + 7. */
static void sort_by_digit(const uint64_t *step, uint64_t *out, size_t count, unsigned shift)
{
    size_t place[257] = {0};
    for (size_t i = 0; i < count; i++)
        place[(step[i] >> shift & 0xff) + 1]++;
    for (unsigned digit = 0; digit < 256; digit++)
        place[digit + 1] += place[digit];
    for (size_t i = 0; i < count; i++)
        out[place[step[i] >> shift & 0xff]++] = step[i];
}

/* Sorts the steps from `start` on by label. Labels are sorted digit by digit, in the memory after the steps, but most
 * levels are short. */
static void sort_steps(steps *s, size_t start)
{
    enum { SHORT = 32, LABEL = 32 /* its lowest bit */ };
    size_t count = s->count - start;
    if (count <= SHORT) {
        sort_short(s->step + start, count);
        return;
    }
    s->step = memory_room(s->step, s->count + count - 1, &s->max, sizeof *s->step);
    uint64_t *from = s->step + start, *to = s->step + s->count, differ = 0;
    for (size_t i = 1; i < count; i++)
        differ |= from[i] ^ from[0];
    for (unsigned shift = LABEL; shift < 64; shift += 8) {
        if (!(differ >> shift & 0xff))
            continue;
        sort_by_digit(from, to, count, shift);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != s->step + start)
        memcpy(s->step + start, from, count * sizeof *from);
}

/* A level of the walk. */
typedef struct level {
    size_t start, at, end; /* of its steps; before `at` they are done */
} level;

/* Takes the next label of the level: the sum of its nodes' counters, and their children as the next level. */
static uint64_t take_label(const kipf *forest, const uint32_t *rank, steps *s, level *from, level *to)
{
    const trie_node *nodes = forest->slabs.nodes;
    uint32_t label = (uint32_t)(s->step[from->at] >> 32);
    uint64_t sum = 0;
    to->start = to->at = s->count;
    for (; from->at < from->end && (uint32_t)(s->step[from->at] >> 32) == label; from->at++) {
        uint32_t node = (uint32_t)s->step[from->at];
        sum += nodes[node].count;
        for (uint32_t child = first_child(forest, node); child; child = nodes[child].sibling)
            add_step(s, nodes, rank, child);
    }
    to->end = s->count;
    sort_steps(s, to->start);
    return sum;
}

void kipf_each_nodes(const kipf *forest, unsigned depth, const uint32_t *rank, kipf_visit_nodes *visit, void *context)
{
    const trie_node *nodes = forest->slabs.nodes;
    uint32_t *path = memory_zero(depth, sizeof *path);
    level *levels = memory_zero(depth + 1, sizeof *levels);
    steps s = {.step = memory_grow(NULL, 64, sizeof *s.step), .max = 64};
    for (uint32_t node = 2; node < forest->slabs.used; node++)
        add_step(&s, nodes, rank, node);
    levels[0].end = s.count;
    sort_steps(&s, 0);
    for (unsigned d = 0;;) {
        if (levels[d].at == levels[d].end || d == depth) {
            s.count = levels[d].start;
            if (!d--)
                break;
            continue;
        }
        size_t first = levels[d].at;
        path[d] = nodes[(uint32_t)s.step[first]].label;
        uint64_t sum = take_label(forest, rank, &s, &levels[d], &levels[d + 1]);
        if (sum)
            visit(context, path, d + 1, sum, s.step + first, levels[d].at - first);
        d++;
    }
    free(s.step);
    free(levels);
    free(path);
}

/* A visitor that ignores the nodes. */
typedef struct plain_visit {
    kipf_visit *visit;
    void *context;
} plain_visit;

static void visit_plain(void *context, const uint32_t *path, unsigned length, uint64_t count, const uint64_t *ends,
                        size_t end_count)
{
    const plain_visit *plain = context;
    (void)ends;
    (void)end_count;
    plain->visit(plain->context, path, length, count);
}

void kipf_each(const kipf *forest, unsigned depth, const uint32_t *rank, kipf_visit *visit, void *context)
{
    kipf_each_nodes(forest, depth, rank, visit_plain, &(plain_visit){visit, context});
}
