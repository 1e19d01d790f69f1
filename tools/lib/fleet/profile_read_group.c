/* SPDX-License-Identifier: MIT */
/* The sums of the recordings that share labels, image and k. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/fleet/profile_reading.h"

static void read_paths(reading *r, merged_group *g)
{
    size_t count = count_of(r, 6);
    uint32_t key = 0;
    for (size_t i = 0; i < count && good(r); i++) {
        key = next_key(r, i == 0, key);
        uint32_t price = (uint32_t)number_to(r, UINT32_MAX);
        uint64_t times = number(r), recordings = number(r);
        wide squares = wide_number(r), cross = wide_number(r);
        uint64_t lead = r->leads ? number(r) : 0;
        r->led |= lead != 0;
        if (!r->adds)
            continue;
        merged_path *p = merged_path_of(g, key);
        p->price = p->price > price ? p->price : price;
        merged_sum(r->all, &p->count, times);
        merged_sum(r->all, &p->recordings, recordings);
        merged_sum_wide(r->all, &p->squares, squares);
        merged_sum_wide(r->all, &p->cross, cross);
        merged_sum(r->all, &p->lead, lead);
    }
}

static void read_function(reading *r, merged_group *g, uint32_t key)
{
    merged_function part = {0}, *f = r->adds ? merged_function_of(g, key) : &part;
    uint64_t *const sums[] = {&f->recordings, &f->calls,     &f->self,     &f->more,
                              &f->estimated,  &f->inclusive, &f->whole_sum};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        sum(r, sums[i], number(r));
    uint64_t min = number(r), max = number(r), whole = number(r);
    if (r->adds && whole) {
        f->min = f->whole && f->min < min ? f->min : min;
        f->max = f->max > max ? f->max : max;
    }
    sum(r, &f->whole, whole);
    wide calls = wide_number(r), self = wide_number(r), cross = wide_number(r);
    if (!r->adds)
        return;
    merged_sum_wide(r->all, &f->calls_squares, calls);
    merged_sum_wide(r->all, &f->self_squares, self);
    merged_sum_wide(r->all, &f->cross, cross);
}

static void read_loop(reading *r, merged_group *g, uint32_t key)
{
    rounds_loop loop = {.head = key};
    loop.sum = number(r);
    loop.min = number(r);
    loop.max = number(r);
    unsigned used = (unsigned)number_to(r, ROUNDS_BINS), last = 0;
    for (unsigned i = 0; i < used && good(r); i++) {
        unsigned bin = weft_read_u8(&r->in);
        if (bin >= ROUNDS_BINS || (i && bin <= last)) {
            bad(r);
            return;
        }
        loop.bin[bin] = number(r);
        if (__builtin_add_overflow(loop.entries, loop.bin[bin], &loop.entries))
            bad(r);
        last = bin;
    }
    if (!loop.entries)
        bad(r);
    if (r->adds && good(r))
        merged_add_loop(r->all, g, &loop);
}

/* Functions (at least 14 bytes each) or loops (at least 7). */
static void read_table(reading *r, merged_group *g, size_t size, void (*one)(reading *, merged_group *, uint32_t))
{
    size_t count = count_of(r, size);
    uint32_t key = 0;
    for (size_t i = 0; i < count && good(r); i++) {
        key = next_key(r, i == 0, key);
        one(r, g, key);
    }
}

/* A node whose children are being read. */
typedef struct open_node {
    uint32_t node, label;
    size_t left;
    bool first;
} open_node;

/* What is written of a node. */
typedef struct node_numbers {
    uint64_t key, count, more; /* more: of a chain its calls, else its set */
    uint64_t children;
} node_numbers;

enum { NUMBERS = 4, SHORT = 3 };

/* A number of up to three bytes; *longer if it takes more, or fewer. */
static inline __attribute__((always_inline)) uint64_t short_number(const uint8_t **at, bool *longer)
{
    const uint8_t *byte = *at;
    if (byte[0] < 128) {
        *at += 1;
        return byte[0];
    }
    uint64_t value = (byte[0] & 127u) | (byte[1] & 127u) << 7;
    unsigned last = byte[1] < 128 ? 1 : 2;
    value |= last == 2 ? (uint64_t)byte[2] << 14 : 0;
    *longer |= !byte[last] || byte[last] > 127;
    *at += last + 1;
    return value;
}

/* Four numbers, the third only of a node that has a count. There are NUMBERS * SHORT bytes. */
static inline __attribute__((always_inline)) node_numbers read_short(const uint8_t **at, bool chain, bool *longer)
{
    node_numbers n;
    n.key = short_number(at, longer);
    n.count = short_number(at, longer);
    n.more = chain || n.count ? short_number(at, longer) : 0;
    n.children = short_number(at, longer);
    return n;
}

/* The same of any length, one by one. */
static __attribute__((noinline)) const uint8_t *read_long(reading *r, const uint8_t *at, bool chain, node_numbers *n)
{
    r->in.at = (size_t)(at - r->in.bytes);
    n->key = number(r);
    n->count = number(r);
    n->more = chain || n->count ? number(r) : 0;
    n->children = number(r);
    return r->in.bytes + r->in.at;
}

/* Adds the next child of a node. */
static inline uint32_t add_child(reading *r, merged_group *g, const open_node *parent, node_numbers n, bool chain)
{
    if (chain)
        return merged_add_chain(r->all, g, parent->node, parent->label, n.more, n.count);
    return merged_add_node(r->all, g, parent->node, parent->label, n.count, n.count ? r->sets[n.more] : SETS_NONE);
}

/* levels: nodes cannot be deeper. Of this code there are four functions, by what they read and whether they add it. It
 * takes most of the time of a merge, so where it reads is not in `r` meanwhile. */
static inline __attribute__((always_inline)) void read_nodes(reading *r, merged_group *g, uint32_t root, size_t levels,
                                                             bool chain, bool adds)
{
    size_t depth = 1, max = 0, more_max = chain ? SIZE_MAX : r->set_count;
    open_node *open = memory_room(NULL, 0, &max, sizeof *open);
    open[0] = (open_node){root, 0, count_of(r, 3), true};
    const uint8_t *at = r->in.bytes + r->in.at, *end = r->in.bytes + r->in.size;
    bool well = good(r);
    while (depth && well) {
        open_node *parent = &open[depth - 1];
        if (!parent->left) {
            depth--;
            continue;
        }
        parent->left--;
        const uint8_t *from = at;
        bool longer = (size_t)(end - at) < (size_t)NUMBERS * SHORT;
        node_numbers n = longer ? (node_numbers){0} : read_short(&at, chain, &longer);
        if (longer) {
            node_numbers of_any_length;
            at = read_long(r, from, chain, &of_any_length);
            n = of_any_length;
            well = good(r);
        }
        well &= n.key <= UINT32_MAX - parent->label && (n.key || parent->first) && n.more <= more_max;
        if (!well)
            break;
        parent->label += (uint32_t)n.key;
        parent->first = false;
        uint32_t node = adds ? add_child(r, g, parent, n, chain) : 0;
        well = node || !adds;
        if (!n.children)
            continue;
        well &= depth < levels && n.children <= (size_t)(end - at) / 3; /* each takes 3 bytes at least */
        open = memory_room(open, depth, &max, sizeof *open);
        open[depth++] = (open_node){node, 0, n.children, true};
    }
    free(open);
    r->in.at = (size_t)(at - r->in.bytes);
    if (!well)
        bad(r);
}

static void read_forest(reading *r, merged_group *g, uint32_t root, size_t levels)
{
    if (r->adds)
        read_nodes(r, g, root, levels, false, true);
    else
        read_nodes(r, g, root, levels, false, false);
}

static void read_chains(reading *r, merged_group *g)
{
    if (r->adds)
        read_nodes(r, g, TRIE_ROOT, SIZE_MAX, true, true);
    else
        read_nodes(r, g, TRIE_ROOT, SIZE_MAX, true, false);
}

static void read_totals(reading *r, merged_totals *to)
{
    uint64_t *const sums[] = {&to->recordings, &to->priced, &to->streams, &to->paths,  &to->lost,
                              &to->gaps,       &to->gapped, &to->unread,  &to->deeper, &to->flat};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        sum(r, sums[i], number(r));
}

/* Groups stand in the order of their images, k and labels. */
static bool comes_after(reading *r, uint64_t place, uint64_t k, const uint8_t *labels, size_t size)
{
    bool rises = !r->last.labels || place > r->last.image;
    if (!rises && place == r->last.image)
        rises = k > r->last.k || (k == r->last.k && compare_text(r->last.labels, r->last.size, labels, size) < 0);
    r->last.image = place;
    r->last.k = k;
    r->last.labels = labels;
    r->last.size = size;
    if (!rises)
        bad(r);
    return rises;
}

void profile_read_group(reading *r)
{
    merged_totals none = {0};
    merged_group *g = NULL;
    uint64_t place = number(r), k = number(r);
    size_t size = count_of(r, 1);
    const uint8_t *labels = weft_read_bytes(&r->in, size);
    if (!labels || place >= r->image_count || k < 1 || k > MERGED_K_MAX || (size && memchr(labels, 0, size)))
        bad(r);
    if (!good(r) || !comes_after(r, place, k, labels, size))
        return;
    if (r->adds)
        g = merged_group_of(r->all, r->images[place], (uint32_t)k, (const char *)labels, size);
    size_t levels = k < 2 ? 1 : 2 * (size_t)k - 2;
    read_totals(r, g ? &g->totals : &none);
    read_paths(r, g);
    read_table(r, g, 14, read_function);
    read_table(r, g, 7, read_loop);
    read_forest(r, g, TRIE_ROOT, levels);
    read_forest(r, g, TRIE_UNKNOWN, levels);
    read_chains(r, g);
}
