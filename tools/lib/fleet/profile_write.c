/* SPDX-License-Identifier: MIT */
/* The steps: 1. leave out what counts nothing (sorted_tree.h); 2. number names and sets by what they are; 3. write each
 * table in the order of its keys. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digest.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/fleet/sorted_tree.h"

typedef struct bytes {
    uint8_t *all;
    size_t size, max;
} bytes;

static void put(bytes *b, uint8_t byte)
{
    b->all = memory_room(b->all, b->size, &b->max, 1);
    b->all[b->size++] = byte;
}

static void put_raw(bytes *b, const void *from, size_t size)
{
    if (!size)
        return;
    b->all = memory_room(b->all, b->size + size - 1, &b->max, 1);
    memcpy(b->all + b->size, from, size);
    b->size += size;
}

static void put_wide(bytes *b, wide value)
{
    for (; value > 127; value >>= 7)
        put(b, (uint8_t)(value | 128));
    put(b, (uint8_t)value);
}

static void put_number(bytes *b, uint64_t value)
{
    for (; value > 127; value >>= 7)
        put(b, (uint8_t)(value | 128));
    put(b, (uint8_t)value);
}

static void put_fixed(bytes *b, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        put(b, (uint8_t)(value >> 8 * i));
}

static void put_digests(bytes *b, const digests *all)
{
    uint64_t *sorted = digests_sorted(all);
    put_number(b, all->count);
    for (size_t i = 0; i < all->count; i++)
        put_fixed(b, sorted[i]);
    free(sorted);
}

/* ---- step 2 ---- */

/* The names and sets that are used, in the order in which they are written. */
typedef struct order {
    const merged *all;
    uint32_t *name; /* by number: its place */
    uint32_t *set;  /* by number: its place + 1 */
    uint32_t *names, *sets;
    uint32_t *member; /* of sets[i], at the same place as in all->sets: places of names, ascending */
    size_t name_count, set_count;
} order;

static const order *ordered; /* qsort has no context */

static int by_text(const void *a, const void *b)
{
    return strcmp(ordered->all->names.text[*(const uint32_t *)a], ordered->all->names.text[*(const uint32_t *)b]);
}

static int by_value(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static int by_members(const void *a, const void *b)
{
    const sets_entry *x = &ordered->all->sets.set[*(const uint32_t *)a - SETS_FIRST];
    const sets_entry *y = &ordered->all->sets.set[*(const uint32_t *)b - SETS_FIRST];
    for (uint32_t i = 0; i < x->count && i < y->count; i++)
        if (ordered->member[x->at + i] != ordered->member[y->at + i])
            return ordered->member[x->at + i] < ordered->member[y->at + i] ? -1 : 1;
    return x->count < y->count ? -1 : x->count > y->count;
}

static void mark_sets(order *o)
{
    const sets *all = &o->all->sets;
    for (size_t g = 0; g < o->all->group_count; g++) {
        const merged_group *group = o->all->group[g];
        for (uint32_t n = TRIE_FIRST; n < kipf_nodes(group->forest); n++)
            if (kipf_node(group->forest, n)->count)
                o->set[group->set[n]] = 1;
    }
    for (size_t i = 0; i < all->count; i++)
        for (uint32_t m = 0; o->set[i + SETS_FIRST] && m < all->set[i].count; m++)
            o->name[all->members[all->set[i].at + m]] = 1;
}

static order order_of(const merged *all)
{
    order o = {.all = all,
               .name = memory_zero(all->names.count + 1, sizeof *o.name),
               .set = memory_zero(all->sets.count + SETS_FIRST, sizeof *o.set),
               .names = memory_zero(all->names.count + 1, sizeof *o.names),
               .sets = memory_zero(all->sets.count + 1, sizeof *o.sets),
               .member = memory_zero(all->sets.member_count + 1, sizeof *o.member)};
    mark_sets(&o);
    ordered = &o;
    for (uint32_t i = 0; i < all->names.count; i++)
        if (o.name[i])
            o.names[o.name_count++] = i;
    qsort(o.names, o.name_count, sizeof *o.names, by_text);
    for (uint32_t i = 0; i < o.name_count; i++)
        o.name[o.names[i]] = i;
    for (uint32_t i = SETS_FIRST; i < all->sets.count + SETS_FIRST; i++) {
        const sets_entry *e = &all->sets.set[i - SETS_FIRST];
        for (uint32_t m = 0; o.set[i] && m < e->count; m++)
            o.member[e->at + m] = o.name[all->sets.members[e->at + m]];
        if (o.set[i]) {
            qsort(o.member + e->at, e->count, sizeof *o.member, by_value);
            o.sets[o.set_count++] = i;
        }
    }
    qsort(o.sets, o.set_count, sizeof *o.sets, by_members);
    o.set[SETS_MORE] = 0;
    for (uint32_t i = 0; i < o.set_count; i++)
        o.set[o.sets[i]] = i + 1;
    ordered = NULL;
    return o;
}

static void order_free(order *o)
{
    free(o->name);
    free(o->set);
    free(o->names);
    free(o->sets);
    free(o->member);
}

static void put_sets(bytes *b, const order *o)
{
    put_number(b, o->name_count);
    for (size_t i = 0; i < o->name_count; i++) {
        const char *name = o->all->names.text[o->names[i]];
        put_number(b, strlen(name));
        put_raw(b, name, strlen(name));
    }
    put_number(b, o->set_count);
    for (size_t i = 0; i < o->set_count; i++) {
        const sets_entry *e = &o->all->sets.set[o->sets[i] - SETS_FIRST];
        put_number(b, e->count);
        for (uint32_t m = 0; m < e->count; m++)
            put_number(b, m ? o->member[e->at + m] - o->member[e->at + m - 1] : o->member[e->at]);
    }
}

/* ---- step 3 ---- */

/* Children first to last, each with all below it before the next. set: of nodes of a forest; calls: of chains. */
static void put_tree(bytes *b, const sorted_tree *t, uint32_t root, const merged_group *g, const order *o)
{
    size_t depth = 0, max = 0;
    struct {
        uint32_t node, at;
    } *open = NULL;
    open = memory_room(open, depth, &max, sizeof *open);
    open[depth].node = root;
    open[depth++].at = t->first[root];
    put_number(b, t->first[root + 1] - t->first[root]);
    while (depth) {
        uint32_t parent = open[depth - 1].node, at = open[depth - 1].at++;
        if (at == t->first[parent + 1]) {
            depth--;
            continue;
        }
        uint32_t node = t->child[at], label = t->nodes[node].label;
        put_number(b, at == t->first[parent] ? label : label - t->nodes[t->child[at - 1]].label);
        put_number(b, t->nodes[node].count);
        if (!o)
            put_number(b, g->calls[node]);
        else if (t->nodes[node].count)
            put_number(b, o->set[g->set[node]]);
        put_number(b, t->first[node + 1] - t->first[node]);
        open = memory_room(open, depth, &max, sizeof *open);
        open[depth].node = node;
        open[depth++].at = t->first[node];
    }
    free(open);
}

static void put_trees(bytes *b, const merged_group *g, const order *o)
{
    sorted_tree forest = sorted_tree_of(kipf_node(g->forest, 0), kipf_nodes(g->forest), NULL);
    put_tree(b, &forest, TRIE_ROOT, g, o);
    put_tree(b, &forest, TRIE_UNKNOWN, g, o);
    sorted_tree_free(&forest);
    sorted_tree chains = sorted_tree_of(g->chains.nodes, g->chains.used, g->calls);
    put_tree(b, &chains, TRIE_ROOT, g, NULL);
    sorted_tree_free(&chains);
}

static int by_path(const void *a, const void *b)
{
    const merged_path *x = a, *y = b;
    return x->path < y->path ? -1 : x->path > y->path;
}

static int by_function(const void *a, const void *b)
{
    const merged_function *x = a, *y = b;
    return x->function < y->function ? -1 : x->function > y->function;
}

static int by_head(const void *a, const void *b)
{
    const rounds_loop *x = a, *y = b;
    return x->head < y->head ? -1 : x->head > y->head;
}

/* A sorted copy of a table; from malloc. */
static void *sorted(const void *table, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    void *copy = memory_zero(count + 1, size);
    if (count) {
        memcpy(copy, table, count * size);
        qsort(copy, count, size, compare);
    }
    return copy;
}

static void put_paths(bytes *b, const merged_group *g)
{
    uint32_t last = 0;
    merged_path *path = sorted(g->path, g->paths.count, sizeof *path, by_path);
    put_number(b, g->paths.count);
    for (uint32_t i = 0; i < g->paths.count; last = path[i++].path) {
        put_number(b, path[i].path - last);
        put_number(b, path[i].price);
        put_number(b, path[i].count);
        put_number(b, path[i].recordings);
        put_wide(b, path[i].squares);
        put_wide(b, path[i].cross);
    }
    free(path);
}

static void put_functions(bytes *b, const merged_group *g)
{
    uint32_t last = 0;
    merged_function *f = sorted(g->function, g->functions.count, sizeof *f, by_function);
    put_number(b, g->functions.count);
    for (uint32_t i = 0; i < g->functions.count; last = f[i++].function) {
        const uint64_t fields[] = {
            f[i].function - last, f[i].recordings, f[i].calls, f[i].self, f[i].more, f[i].estimated,
            f[i].inclusive,       f[i].whole_sum,  f[i].min,   f[i].max,  f[i].whole};
        for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
            put_number(b, fields[n]);
        put_wide(b, f[i].calls_squares);
        put_wide(b, f[i].self_squares);
        put_wide(b, f[i].cross);
    }
    free(f);
}

static void put_loops(bytes *b, const merged_group *g)
{
    uint32_t last = 0;
    rounds_loop *loop = sorted(g->loop, g->loops.count, sizeof *loop, by_head);
    put_number(b, g->loops.count);
    for (uint32_t i = 0; i < g->loops.count; last = loop[i++].head) {
        unsigned used = 0;
        put_number(b, loop[i].head - last);
        put_number(b, loop[i].sum);
        put_number(b, loop[i].min);
        put_number(b, loop[i].max);
        for (unsigned bin = 0; bin < ROUNDS_BINS; bin++)
            used += loop[i].bin[bin] != 0;
        put_number(b, used);
        for (unsigned bin = 0; bin < ROUNDS_BINS; bin++)
            if (loop[i].bin[bin]) {
                put(b, (uint8_t)bin);
                put_number(b, loop[i].bin[bin]);
            }
    }
    free(loop);
}

static void put_group(bytes *b, const merged_group *g, uint32_t place, const order *o)
{
    const merged_totals *t = &g->totals;
    const uint64_t fields[] = {t->recordings, t->priced, t->streams, t->paths,  t->lost,
                               t->gaps,       t->gapped, t->unread,  t->deeper, t->flat};
    put_number(b, place);
    put_number(b, g->k);
    put_number(b, strlen(g->labels));
    put_raw(b, g->labels, strlen(g->labels));
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
        put_number(b, fields[n]);
    put_paths(b, g);
    put_functions(b, g);
    put_loops(b, g);
    put_trees(b, g, o);
}

static const merged *whole;

static int by_identity(const void *a, const void *b)
{
    const merged_image *x = &whole->image[*(const uint32_t *)a], *y = &whole->image[*(const uint32_t *)b];
    if (x->identity_size != y->identity_size)
        return x->identity_size < y->identity_size ? -1 : 1;
    return memcmp(x->identity, y->identity, x->identity_size);
}

static const uint32_t *image_places;

static int by_key(const void *a, const void *b)
{
    const merged_group *x = *(merged_group *const *)a, *y = *(merged_group *const *)b;
    if (x->image != y->image)
        return image_places[x->image] < image_places[y->image] ? -1 : 1;
    return x->k != y->k ? (x->k < y->k ? -1 : 1) : strcmp(x->labels, y->labels);
}

static void put_image(bytes *b, const merged_image *from)
{
    put_number(b, from->identity_size);
    put_raw(b, from->identity, from->identity_size);
    put(b, from->method);
    if (!from->method)
        return;
    put_number(b, from->size);
    put_fixed(b, from->digest);
    put_number(b, from->packed_size);
    put_raw(b, from->packed, from->packed_size);
}

static void put_groups(bytes *b, const merged *all, const order *o)
{
    uint32_t *images = memory_zero(all->image_count + 1, sizeof *images);
    uint32_t *places = memory_zero(all->image_count + 1, sizeof *places);
    for (uint32_t i = 0; i < all->image_count; i++)
        images[i] = i;
    whole = all;
    qsort(images, all->image_count, sizeof *images, by_identity);
    put_number(b, all->image_count);
    for (uint32_t i = 0; i < all->image_count; i++) {
        places[images[i]] = i;
        put_image(b, &all->image[images[i]]);
    }
    image_places = places;
    merged_group **group = sorted(all->group, all->group_count, sizeof *group, by_key);
    put_number(b, all->group_count);
    for (size_t i = 0; i < all->group_count; i++)
        put_group(b, group[i], places[group[i]->image], o);
    free(group);
    free(images);
    free(places);
}

uint8_t *profile_write(const merged *all, size_t *size, const char **error)
{
    bytes b = {0};
    if (all->overflow) {
        *error = "a sum is larger than a profile can hold";
        return NULL;
    }
    put_raw(&b, PROFILE_MAGIC, PROFILE_MAGIC_SIZE);
    put(&b, PROFILE_VERSION);
    put_fixed(&b, 0);
    order o = order_of(all);
    put_digests(&b, &all->recordings);
    put_digests(&b, &all->devices);
    put_sets(&b, &o);
    put_groups(&b, all, &o);
    order_free(&o);
    uint64_t body = b.size - PROFILE_HEAD_SIZE;
    for (unsigned i = 0; i < 8; i++)
        b.all[8 + i] = (uint8_t)(body >> 8 * i);
    put_fixed(&b, digest_of(0, b.all, b.size));
    *size = b.size;
    return b.all;
}
