/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/restore.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digest.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/profile/functions_probes.h"
#include "tools/lib/recording/chosen.h"

bool restore_file(merged *all, const char *path, char *message, size_t message_size)
{
    whole_file file;
    const char *why = NULL;
    if (!whole_file_open(&file, path)) {
        snprintf(message, message_size, "cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    if (recording_chosen())
        why = PROFILE_NO_CHOICE;
    for (size_t at = 0, used = 0; !why && (at < file.size || !at); at += used)
        why = profile_read(all, file.bytes + at, file.size - at, &used);
    if (why)
        snprintf(message, message_size, "%s: %s", path, why);
    whole_file_close(&file);
    return !why;
}

/* ---- images ---- */

/* The identity is what intake.c made: 'I', 4 bytes; 'B', the build id; or 'D', a digest of the descriptors. */
bool restore_is_image(const merged_image *from, const program *app)
{
    const uint8_t *at = from->identity, *end = at + from->identity_size;
    size_t size = 0;
    const uint8_t *id = program_build_id(app, &size);
    uint32_t identity = program_identity(app);
    bool same = false;
    if (end - at == 9 && *at == 'D') {
        const uint8_t *text = image_section(program_image(app), ".weft.desc", &size);
        uint64_t digest = digest_of(0, text, size), own = 0;
        for (unsigned i = 0; i < 8; i++)
            own |= (uint64_t)at[i + 1] << 8 * i;
        return digest == own;
    }
    if (end - at >= 5 && *at == 'I') {
        uint32_t own = at[1] | (uint32_t)at[2] << 8 | (uint32_t)at[3] << 16 | (uint32_t)at[4] << 24;
        if (!program_may_be(app, own))
            return false;
        same = identity != 0;
        at += 5;
    }
    if (end - at > 1 && *at == 'B' && id) {
        if ((size_t)(end - at - 1) != size || memcmp(at + 1, id, size))
            return false;
        same = true;
    }
    return same;
}

bool restore_image(const merged *all, const program *app, uint32_t *number, char *message, size_t message_size)
{
    if (!app) {
        *number = 0;
        snprintf(message, message_size, "its recordings are of %zu images: say which one by --elf APP.elf",
                 all->image_count);
        return all->image_count == 1;
    }
    for (*number = 0; *number < all->image_count; ++*number)
        if (restore_is_image(&all->image[*number], app))
            return true;
    snprintf(message, message_size, "%s: it has no recording of this image", program_file(app));
    return false;
}

merged_totals restore_totals(const merged *all, uint32_t number)
{
    merged_totals sum = {0};
    for (size_t i = 0; i < all->group_count; i++)
        if (all->group[i]->image == number)
            merged_totals_add(&sum, &all->group[i]->totals);
    return sum;
}

/* ---- forests ---- */

static bool add_forest(kipf *to, const kipf *from)
{
    uint32_t nodes = kipf_nodes(from), *place = memory_zero(nodes, sizeof *place);
    bool good = true;
    place[TRIE_UNKNOWN] = TRIE_UNKNOWN;
    for (uint32_t n = TRIE_FIRST; n < nodes && good; n++) {
        const trie_node *node = kipf_node(from, n);
        place[n] = kipf_add_node(to, place[node->parent], node->label, node->count);
        good = place[n] != 0;
    }
    free(place);
    return good;
}

/* False, and a message that says what to do: a group knows no sequences of that many paths. */
static bool is_deep(const merged_group *g, unsigned depth, char *message, size_t message_size)
{
    if (g->k >= depth)
        return true;
    if (g->k < 2)
        snprintf(
            message, message_size,
            "some of its recordings were merged without their image, so only single paths are known: ask for -k 1, "
            "choose others by --label, or merge the recordings again with --elf APP.elf");
    else
        snprintf(
            message, message_size,
            "some of its recordings were merged for sequences of up to %u paths only: ask for -k %u, choose others "
            "by --label, or merge the recordings again with -k %u",
            g->k, g->k, depth);
    return false;
}

bool restore_forest(const merged *all, uint32_t number, unsigned depth, kipf **forest, sequences **others,
                    char *message, size_t message_size)
{
    for (size_t i = 0; i < all->group_count; i++) {
        const merged_group *g = all->group[i];
        if (g->image != number)
            continue;
        if (!is_deep(g, depth, message, message_size))
            return false;
        if (!*forest)
            *forest = kipf_new(kipf_k(g->forest));
        if (kipf_k(*forest) != kipf_k(g->forest)) {
            *others = *others ? *others : sequences_new(depth < 2 ? 2 : depth);
            sequences_add(*others, g->forest);
        } else if (!add_forest(*forest, g->forest)) {
            snprintf(message, message_size, "its counts add up to more than 2^64 - 1");
            return false;
        }
    }
    return true;
}

/* ---- functions ---- */

static void add_costs(const merged_group *g, functions *out)
{
    for (uint32_t i = 0; i < g->functions.count; i++) {
        const merged_function *from = &g->function[i];
        function_cost *to = &out->all[from->function];
        if (from->whole) {
            to->min = to->whole && to->min < from->min ? to->min : from->min;
            to->max = to->max > from->max ? to->max : from->max;
        }
        to->calls += from->calls;
        to->self += from->self;
        to->more += from->more;
        to->estimated += from->estimated;
        to->inclusive += from->inclusive;
        to->whole += from->whole;
        to->whole_sum += from->whole_sum;
        out->total += from->self;
        out->more += from->more;
        out->estimated += from->estimated;
    }
}

/* The chains of all groups as one tree. */
static void add_chains(const merged_group *g, trie *chains, uint64_t **calls, size_t *calls_max)
{
    uint32_t *place = memory_zero(g->chains.used, sizeof *place);
    for (uint32_t n = TRIE_FIRST; n < g->chains.used; n++) {
        const trie_node *from = &g->chains.nodes[n];
        uint32_t before = chains->used;
        place[n] = trie_child(chains, place[from->parent], from->label);
        *calls = memory_room(*calls, place[n], calls_max, sizeof **calls);
        (*calls)[place[n]] = (place[n] == before ? 0 : (*calls)[place[n]]) + g->calls[n];
        chains->nodes[place[n]].count += from->count;
    }
    free(place);
}

/* Node n of the tree becomes node n - 1 of the table: there is no node of what is not known. */
static void make_nodes(const trie *chains, const uint64_t *calls, functions *out)
{
    out->node_count = chains->used - 1;
    out->node = memory_grow(out->node, out->node_count, sizeof *out->node);
    out->node[0] = (call_node){.function = FUNCTIONS_NONE, .context = FUNCTIONS_NONE};
    for (uint32_t n = TRIE_FIRST; n < chains->used; n++) {
        const trie_node *from = &chains->nodes[n];
        uint32_t parent = from->parent ? from->parent - 1 : 0;
        call_node *above = &out->node[parent];
        out->node[n - 1] = (call_node){.parent = parent,
                                       .function = parent ? from->label : FUNCTIONS_NONE,
                                       .context = parent ? above->context : from->label,
                                       .sibling = above->child,
                                       .calls = calls[n],
                                       .self = from->count};
        above->child = n - 1;
    }
    for (size_t i = out->node_count; i-- > 0;) {
        out->node[i].inclusive += out->node[i].self;
        if (i)
            out->node[out->node[i].parent].inclusive += out->node[i].inclusive;
    }
}

/* A node that calls lead to. */
typedef struct called {
    uint32_t caller, callee, node;
} called;

static int by_ends(const void *a, const void *b)
{
    const called *x = a, *y = b;
    return x->caller != y->caller  ? (x->caller < y->caller ? -1 : 1)
           : x->callee < y->callee ? -1
                                   : x->callee > y->callee;
}

static void leave(const uint32_t *edge_of, uint32_t *under_way, uint32_t node)
{
    if (edge_of[node])
        under_way[edge_of[node] - 1]--;
}

/* What a call took that is within another one of its edge is in that one's. The nodes are visited depth first. */
static void share_inclusive(functions *out, const uint32_t *edge_of)
{
    uint32_t *under_way = memory_zero(out->edge_count + 1, sizeof *under_way), at = 0;
    for (;;) {
        if (edge_of[at] && under_way[edge_of[at] - 1]++ == 0)
            out->edge[edge_of[at] - 1].inclusive += out->node[at].inclusive;
        if (out->node[at].child) {
            at = out->node[at].child;
            continue;
        }
        for (; at && !out->node[at].sibling; at = out->node[at].parent)
            leave(edge_of, under_way, at);
        if (!at)
            break;
        leave(edge_of, under_way, at);
        at = out->node[at].sibling;
    }
    free(under_way);
}

static void make_edges(functions *out)
{
    size_t count = 0;
    called *all = memory_zero(out->node_count, sizeof *all);
    uint32_t *edge_of = memory_zero(out->node_count, sizeof *edge_of); /* 1 + the edge; 0: none */
    for (uint32_t n = 1; n < out->node_count; n++) {
        const call_node *node = &out->node[n];
        if (node->function != FUNCTIONS_NONE && node->calls)
            all[count++] = (called){out->node[node->parent].function, node->function, n};
    }
    qsort(all, count, sizeof *all, by_ends);
    out->edge = memory_grow(out->edge, out->node_count, sizeof *out->edge);
    for (size_t i = 0; i < count; i++) {
        if (!i || by_ends(&all[i - 1], &all[i]))
            out->edge[out->edge_count++] = (call_edge){.caller = all[i].caller, .callee = all[i].callee};
        out->edge[out->edge_count - 1].calls += out->node[all[i].node].calls;
        edge_of[all[i].node] = (uint32_t)out->edge_count;
    }
    share_inclusive(out, edge_of);
    free(edge_of);
    free(all);
}

/* The rows of paths; until join_paths, one that is in several groups has several. */
static void list_paths(const merged_group *g, const descriptors *known, functions *out)
{
    out->path = memory_grow(out->path, out->path_count + g->paths.count + 1, sizeof *out->path);
    for (uint32_t i = 0; i < g->paths.count; i++) {
        const merged_path *p = &g->path[i];
        uint32_t function = (uint32_t)(descriptors_of_path(known, p->path) - known->function);
        out->path[out->path_count++] = (path_row){p->path, function, p->count, merged_path_cost(p)};
    }
}

static int by_path(const void *a, const void *b)
{
    const path_row *x = a, *y = b;
    return x->path < y->path ? -1 : x->path > y->path;
}

static void join_paths(functions *out)
{
    size_t count = out->path_count;
    qsort(out->path, count, sizeof *out->path, by_path);
    out->path_count = 0;
    for (size_t i = 0; i < count; i++) {
        path_row *last = out->path_count ? &out->path[out->path_count - 1] : NULL;
        if (last && last->path == out->path[i].path) {
            last->count += out->path[i].count;
            last->self += out->path[i].self;
        } else {
            out->path[out->path_count++] = out->path[i];
        }
    }
}

static bool sound(const merged_group *g, const descriptors *known)
{
    for (uint32_t i = 0; i < g->functions.count; i++)
        if (g->function[i].function >= known->count)
            return false;
    for (uint32_t i = 0; i < g->paths.count; i++)
        if (!descriptors_of_path(known, g->path[i].path))
            return false;
    for (uint32_t n = TRIE_FIRST; n < g->chains.used; n++)
        if (g->chains.nodes[n].parent != TRIE_ROOT && g->chains.nodes[n].label >= known->count)
            return false;
    return true;
}

/* After join_paths: so lines cost the same, whatever labels keep recordings apart. */
static void share_lines(program *app, functions *out)
{
    for (size_t i = 0; i < out->path_count; i++)
        functions_share(out, app, out->path[i].path, out->path[i].self);
    out->lines_shared = true;
}

bool restore_functions(const merged *all, uint32_t number, program *app, functions *out, char *message,
                       size_t message_size)
{
    merged_totals t = restore_totals(all, number);
    trie chains;
    size_t calls_max = TRIE_FIRST;
    uint64_t *calls = memory_zero(calls_max, sizeof *calls);
    bool good = t.streams == t.recordings;
    if (!good)
        snprintf(message, message_size,
                 "%llu of its %llu recordings were merged without a control stream or without their image, so who "
                 "called whom is not known; `weft fleet top` tells their paths",
                 (unsigned long long)(t.recordings - t.streams), (unsigned long long)t.recordings);
    trie_init(&chains);
    for (size_t i = 0; i < all->group_count && good; i++) {
        const merged_group *g = all->group[i];
        if (g->image != number)
            continue;
        good = sound(g, program_descriptors(app));
        if (!good) {
            snprintf(message, message_size, "it has a path or a function that its image does not have");
            break;
        }
        add_costs(g, out);
        add_chains(g, &chains, &calls, &calls_max);
        list_paths(g, program_descriptors(app), out);
    }
    if (good) {
        if (out->path_count)
            join_paths(out);
        share_lines(app, out);
        make_nodes(&chains, calls, out);
        make_edges(out);
        out->deeper = t.deeper;
        out->flat = t.flat;
    }
    trie_free(&chains);
    free(calls);
    return good;
}

bool restore_coverage(const merged *all, uint32_t number, coverage *out)
{
    for (size_t i = 0; i < all->group_count; i++)
        for (uint32_t p = 0; all->group[i]->image == number && p < all->group[i]->paths.count; p++)
            if (!coverage_add(out, all->group[i]->path[p].path, all->group[i]->path[p].count))
                return false;
    return true;
}
