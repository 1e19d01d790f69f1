/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strverscmp, qsort_r */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/fleet/labels.h"
#include "tools/lib/fleet/questions.h"

#define JOINED "\001" /* the labels of groups that are made here: no label can be that */

/* Adds a group's forest, or only its single paths, to another of the same image. */
static void join(merged *all, merged_group *to, const merged_group *from)
{
    uint32_t nodes = kipf_nodes(from->forest), *place = memory_zero(nodes, sizeof *place);
    place[TRIE_UNKNOWN] = TRIE_UNKNOWN;
    for (uint32_t n = TRIE_FIRST; n < nodes; n++) {
        const trie_node *node = kipf_node(from->forest, n);
        uint32_t parent = to->k < 2 ? TRIE_ROOT : place[node->parent];
        if (to->k > 1 || node->count)
            place[n] =
                merged_add_node(all, to, parent, node->label, node->count, node->count ? from->set[n] : SETS_NONE);
    }
    free(place);
    for (uint32_t i = 0; i < from->paths.count; i++) {
        merged_path *p = merged_path_of(to, from->path[i].path);
        p->price = p->price > from->path[i].price ? p->price : from->path[i].price;
        merged_sum(all, &p->lead, from->path[i].lead);
    }
}

typedef struct collecting {
    merged *all;
    merged_group *group;
    fleet_rows *out;
    uint32_t fewer;
} collecting;

static uint64_t cost_of(merged_group *g, const uint32_t *path, uint32_t length, uint64_t count)
{
    uint64_t sum = 0, cost;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t price = merged_path_of(g, path[i])->price;
        if (!price)
            return 0;
        sum += price - 1;
    }
    return __builtin_mul_overflow(sum, count, &cost) ? UINT64_MAX : cost;
}

static void collect(void *context, const uint32_t *path, unsigned length, uint64_t count, const uint64_t *ends,
                    size_t end_count)
{
    collecting *c = context;
    fleet_rows *out = c->out;
    uint32_t set = SETS_NONE, members;
    for (size_t i = 0; i < end_count; i++)
        set = sets_union(&c->all->sets, set, c->group->set[(uint32_t)ends[i]]);
    sets_members(&c->all->sets, set, &members);
    if (c->fewer && (set == SETS_MORE || members >= c->fewer))
        return;
    out->row = memory_room(out->row, out->count, &out->max, sizeof *out->row);
    out->paths = memory_room(out->paths, out->path_count + length - 1, &out->path_max, sizeof *out->paths);
    memcpy(out->paths + out->path_count, path, length * sizeof *path);
    out->row[out->count++] =
        (fleet_row){c->group->image, out->path_count, length, count, cost_of(c->group, path, length, count), set};
    out->path_count += length;
}

static int compare_paths(const uint32_t *a, uint32_t a_length, const uint32_t *b, uint32_t b_length)
{
    for (uint32_t i = 0; i < a_length && i < b_length; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return a_length < b_length ? -1 : a_length > b_length;
}

/* Whether the rows from `first` on, sorted by path, hold a sequence. */
static bool holds(const fleet_rows *rows, size_t first, size_t end, const uint32_t *path, uint32_t length)
{
    while (first < end) {
        size_t middle = (first + end) / 2;
        const fleet_row *r = &rows->row[middle];
        int order = compare_paths(rows->paths + r->path, r->length, path, length);
        if (!order)
            return true;
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return false;
}

/* Leaves out rows that begin or end with the paths of a shorter row. */
static void keep_least(fleet_rows *rows, size_t first)
{
    uint8_t *longer = memory_zero(rows->count + 1, 1);
    for (size_t i = first; i < rows->count; i++) {
        const fleet_row *r = &rows->row[i];
        const uint32_t *path = rows->paths + r->path;
        longer[i] = r->length > 1 && (holds(rows, first, rows->count, path, r->length - 1) ||
                                      holds(rows, first, rows->count, path + 1, r->length - 1));
    }
    size_t kept = first;
    for (size_t i = first; i < rows->count; i++)
        if (!longer[i])
            rows->row[kept++] = rows->row[i];
    rows->count = kept;
    free(longer);
}

static int by_path(const void *a, const void *b, void *paths)
{
    const fleet_row *x = a, *y = b;
    const uint32_t *all = paths;
    return compare_paths(all + x->path, x->length, all + y->path, y->length);
}

/* Groups of different k have rows of their own for one sequence: one of all of them, of those from `first` on. */
static void join_rows(merged *all, fleet_rows *rows, size_t first)
{
    size_t kept = first;
    if (rows->count > first)
        qsort_r(rows->row + first, rows->count - first, sizeof *rows->row, by_path, rows->paths);
    for (size_t i = first; i < rows->count; i++) {
        const fleet_row r = rows->row[i];
        fleet_row *to = &rows->row[kept - (kept > first)];
        if (kept == first || by_path(to, &r, rows->paths)) {
            rows->row[kept++] = r;
            continue;
        }
        uint64_t price = to->cost ? to->cost / to->count : r.cost / r.count;
        to->count += r.count;
        if (__builtin_mul_overflow(price, to->count, &to->cost))
            to->cost = UINT64_MAX;
        to->set = sets_union(&all->sets, to->set, r.set);
    }
    rows->count = kept;
}

/* Leaves out rows that as many devices have taken, or more. */
static void keep_rare(merged *all, fleet_rows *rows, size_t first, uint32_t fewer)
{
    size_t kept = first;
    for (size_t i = first; i < rows->count; i++) {
        uint32_t members;
        sets_members(&all->sets, rows->row[i].set, &members);
        if (rows->row[i].set != SETS_MORE && members < fewer)
            rows->row[kept++] = rows->row[i];
    }
    rows->count = kept;
}

/* A path alone also costs its leads (merged.h), of all groups of its image. */
static void add_leads(merged *all, uint32_t number, size_t from, fleet_rows *rows, size_t first)
{
    for (size_t i = first; i < rows->count; i++) {
        fleet_row *r = &rows->row[i];
        for (size_t g = from; g < all->group_count && r->length == 1 && r->cost; g++)
            if (all->group[g]->image == number &&
                __builtin_add_overflow(r->cost, merged_path_of(all->group[g], rows->paths[r->path])->lead, &r->cost))
                r->cost = UINT64_MAX;
    }
}

/* The rows of one image, from groups that were made here: one per k of its recordings. */
static void collect_image(merged *all, uint32_t number, size_t from, unsigned k, uint32_t fewer, fleet_rows *out)
{
    size_t first = out->count, groups = 0;
    for (size_t i = from; i < all->group_count; i++)
        groups += all->group[i]->image == number;
    for (size_t i = from; i < all->group_count; i++) {
        collecting c = {all, all->group[i], out, groups > 1 ? 0 : fewer};
        if (c.group->image == number)
            kipf_each_nodes(c.group->forest, k, NULL, collect, &c);
    }
    if (groups > 1) {
        join_rows(all, out, first);
        if (fewer)
            keep_rare(all, out, first, fewer);
    }
    add_leads(all, number, from, out, first);
    if (fewer)
        keep_least(out, first);
}

bool fleet_paths(merged *all, const char *wanted, unsigned k, uint32_t fewer, fleet_rows *out)
{
    size_t groups = all->group_count;
    bool known = true;
    for (size_t i = 0; i < groups && known; i++) {
        merged_group *from = all->group[i];
        if (!labels_have(from->labels, wanted))
            continue;
        known = from->k >= k;
        if (known)
            join(all, merged_group_of(all, from->image, k < 2 ? 1 : from->k, JOINED, strlen(JOINED)), from);
    }
    for (uint32_t number = 0; number < all->image_count && known; number++)
        collect_image(all, number, groups, k, fewer, out);
    merged_drop_groups(all, groups);
    return known;
}

void fleet_rows_free(fleet_rows *rows)
{
    free(rows->row);
    free(rows->paths);
    *rows = (fleet_rows){0};
}

static int by_cost(const void *a, const void *b)
{
    const fleet_row *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->path < y->path ? -1 : x->path > y->path;
}

void fleet_rows_by_cost(fleet_rows *rows)
{
    if (rows->count)
        qsort(rows->row, rows->count, sizeof *rows->row, by_cost);
}

/* ---- places ---- */

static int by_name(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

uint32_t fleet_devices(const merged *all, uint32_t set, const char *name[SETS_MEMBERS_MAX], bool *all_of_them)
{
    uint32_t count;
    const uint32_t *member = sets_members(&all->sets, set, &count);
    for (uint32_t i = 0; i < count; i++)
        name[i] = all->names.text[member[i]];
    if (count)
        qsort(name, count, sizeof *name, by_name);
    *all_of_them = count && count == all->devices.count;
    return count;
}

size_t fleet_path_lines(const descriptors *known, uint32_t path, descriptor_line *lines, size_t max)
{
    const descriptor_function *f = known ? descriptors_of_path(known, path) : NULL;
    descriptor_path about;
    size_t count = 0;
    if (!f)
        return 0;
    uint32_t *blocks = memory_zero(f->block_count + 1, sizeof *blocks);
    bool good = descriptor_expand(known, path, blocks, f->block_count, &about);
    for (size_t b = 0; good && b < about.count; b++)
        for (uint32_t l = 0; l < f->block[blocks[b]].line_count; l++) {
            descriptor_line line = f->block[blocks[b]].line[l];
            bool same = count && count <= max && lines[count - 1].line == line.line &&
                        !strcmp(lines[count - 1].file, line.file);
            if (!line.line || same)
                continue;
            if (count < max)
                lines[count] = line;
            count++;
        }
    free(blocks);
    return count;
}

void fleet_print_path(const descriptors *known, uint32_t path, FILE *file)
{
    enum { LINES_MAX = 64 };
    descriptor_line lines[LINES_MAX];
    const descriptor_function *f = known ? descriptors_of_path(known, path) : NULL;
    if (!f) {
        fprintf(file, "%" PRIu32, path);
        return;
    }
    text_print(file, f->name);
    size_t count = fleet_path_lines(known, path, lines, LINES_MAX);
    const char *last = NULL;
    for (size_t i = 0, end; i < count && i < LINES_MAX; i = end) {
        for (end = i + 1; end < count && end < LINES_MAX && lines[end].line == lines[end - 1].line + 1; end++)
            ;
        const char *name = text_base(lines[i].file);
        if (!last || strcmp(last, name)) {
            fputc(' ', file);
            text_print(file, name);
            fputc(':', file);
        } else {
            fputc(',', file);
        }
        last = name;
        fprintf(file, end - i > 1 ? "%" PRIu32 "-%" PRIu32 : "%" PRIu32, lines[i].line, lines[end - 1].line);
    }
}
