/* SPDX-License-Identifier: MIT */
/* Step 2 of hot.c for short subpaths. Level n has the groups of places that begin with the same n symbols, but only
 * those that may become hot: a longer subpath occurs no more often than its first n symbols. A group that is hot is a
 * subpath, and is not split further. Places stay in the order of the text.
 *
 * The symbols are dealt out into shares. The subpaths that begin with the symbols of one share are found apart from
 * those of the others, so each worker holds only a part of all places at a time. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/grammar/hot_finder.h"

/* Places that begin alike. */
typedef struct group {
    uint64_t count; /* of what they begin with, in the stream: the sum of their weights */
    uint64_t cost;  /* of its symbols */
    uint32_t parent, code;
    uint32_t found;   /* 1 + the group of the next level that was found last; 0: none */
    uint32_t subpath; /* 1 + the subpath that it is; 0: none. GONE: it leads to none */
} group;

#define GONE UINT32_MAX

/* A place that is left, and its group. */
typedef struct left {
    uint32_t place, group;
} left;

/* About as many shares; two neighbours have more than a share's part of the places, so at most twice as many. */
enum { SHARES = 12 };

typedef struct level {
    const finder *f;
    size_t length; /* of what the groups' places begin with */
    group *groups, *next;
    size_t group_count, groups_max, next_count, next_max;
    left *left;
    size_t left_count;
    uint32_t *table; /* open addressing by (parent, code): 1 + group of the next level */
    size_t table_mask;
    uint64_t dearest;  /* most that a symbol costs */
    subpath *subpaths; /* of this share */
    size_t subpath_count, subpath_max;
} level;

static size_t slot_of(const level *l, uint32_t parent, uint32_t code)
{
    uint64_t hash = (parent * 0x9e3779b97f4a7c15u + code) * 0xd6e8feb86659fd93u;
    return (size_t)(hash >> 32) & l->table_mask;
}

static void table_clear(level *l, size_t size)
{
    l->table = memory_grow(l->table, size, sizeof *l->table);
    l->table_mask = size - 1;
    memset(l->table, 0, size * sizeof *l->table);
}

static void table_enter(level *l, uint32_t number)
{
    size_t slot = slot_of(l, l->next[number].parent, l->next[number].code);
    while (l->table[slot])
        slot = (slot + 1) & l->table_mask;
    l->table[slot] = number + 1;
}

static uint32_t new_group(level *l, uint32_t parent, uint32_t code)
{
    l->next = memory_room(l->next, l->next_count, &l->next_max, sizeof *l->next);
    l->next[l->next_count++] =
        (group){.cost = add_capped(l->groups[parent].cost, cost_of(l->f, code - 1)), .parent = parent, .code = code};
    if (2 * l->next_count > l->table_mask) {
        table_clear(l, 2 * (l->table_mask + 1));
        for (size_t i = 0; i < l->next_count; i++)
            table_enter(l, (uint32_t)i);
    } else {
        table_enter(l, (uint32_t)(l->next_count - 1));
    }
    return (uint32_t)(l->next_count - 1);
}

/* The group of the next level that the places of one go to by a symbol. */
static uint32_t next_group(level *l, uint32_t parent, uint32_t code)
{
    uint32_t found = l->groups[parent].found;
    if (found && l->next[found - 1].code == code)
        return found - 1;
    size_t slot = slot_of(l, parent, code);
    while ((found = l->table[slot]) && (l->next[found - 1].parent != parent || l->next[found - 1].code != code))
        slot = (slot + 1) & l->table_mask;
    if (!found)
        found = new_group(l, parent, code) + 1;
    l->groups[parent].found = found;
    return found - 1;
}

/* Splits the groups by their next symbol. Places before a gap are left out. */
static void split(level *l)
{
    const finder *f = l->f;
    size_t kept = 0, within = 0;
    l->next_count = 0;
    table_clear(l, 1024);
    for (size_t i = 0; i < l->left_count; i++) {
        left at = l->left[i];
        uint32_t code = code_at(f, at.place + l->length);
        if (!code)
            continue;
        while (within + 1 < f->part_count && f->parts[within + 1].start <= at.place)
            within++;
        at.group = next_group(l, at.group, code);
        l->next[at.group].count += f->parts[within].weight;
        l->left[kept++] = at;
    }
    l->left_count = kept;
    l->length++;
    group *swap = l->groups;
    size_t max = l->groups_max;
    l->groups = l->next;
    l->groups_max = l->next_max;
    l->group_count = l->next_count;
    l->next = swap;
    l->next_max = max;
}

static bool is_hot(const finder *f, uint64_t count, uint64_t cost)
{
    return count && cost >= f->min_cost / count + (f->min_cost % count != 0);
}

/* Finds the subpaths among the groups, and those that lead to none. */
static void judge(level *l)
{
    const finder *f = l->f;
    for (size_t i = 0; i < l->group_count; i++) {
        group *g = &l->groups[i];
        uint64_t most = add_capped(g->cost, times_capped(f->longest - l->length, l->dearest));
        if (l->length >= f->min_length && is_hot(f, g->count, g->cost)) {
            l->subpaths = memory_room(l->subpaths, l->subpath_count, &l->subpath_max, sizeof *l->subpaths);
            l->subpaths[l->subpath_count++] = (subpath){.length = (uint32_t)l->length, .count = g->count};
            g->subpath = (uint32_t)l->subpath_count;
        } else if (l->length == f->longest || !is_hot(f, g->count, most)) {
            g->subpath = GONE;
        }
    }
}

/* Drops the places whose groups end here, and notes where subpaths begin. */
static void sift(level *l)
{
    const finder *f = l->f;
    size_t kept = 0;
    for (size_t i = 0; i < l->left_count; i++) {
        left at = l->left[i];
        uint32_t is = l->groups[at.group].subpath;
        if (!is) {
            l->left[kept++] = at;
        } else if (is != GONE) {
            f->begins[at.place] = is;
            l->subpaths[is - 1].place = at.place;
        }
    }
    l->left_count = kept;
}

/* The subpaths that begin with the symbols of one share, which stand at `first` - 1 and where link_places() says. */
static void find_subpaths(level *l, uint32_t first)
{
    const finder *f = l->f;
    l->groups = memory_room(l->groups, 0, &l->groups_max, sizeof *l->groups);
    l->groups[0] = (group){0};
    l->length = 0;
    l->left_count = 0;
    for (uint32_t at = first, next; at; at = next) {
        next = f->begins[at - 1];
        f->begins[at - 1] = 0;
        l->left[l->left_count++] = (left){at - 1, 0};
    }
    while (l->left_count && l->length < f->longest) {
        split(l);
        judge(l);
        sift(l);
    }
}

static uint64_t dearest(const finder *f)
{
    uint64_t most = 0;
    for (size_t i = 0; i < f->g->terminal_count; i++)
        most = cost_of(f, (uint32_t)i) > most ? cost_of(f, (uint32_t)i) : most;
    return most;
}

/* How often each code stands in the text, 0 if no subpath can begin with it. */
static size_t *count_codes(const finder *f, size_t codes)
{
    size_t *count = memory_zero(codes, sizeof *count);
    uint64_t *weight = memory_zero(codes, sizeof *weight), most = times_capped(f->longest - 1, dearest(f));
    for (size_t i = 0; i < f->part_count; i++) {
        size_t end = i + 1 < f->part_count ? f->parts[i + 1].start : f->size;
        for (size_t place = f->parts[i].start; place < end; place++) {
            uint32_t code = code_at(f, place);
            count[code]++;
            weight[code] += f->parts[i].weight;
        }
    }
    for (uint32_t code = 1; code < codes; code++)
        if (!is_hot(f, weight[code], add_capped(cost_of(f, code - 1), most)))
            count[code] = 0;
    free(weight);
    return count;
}

size_t hot_shares(finder *f)
{
    size_t codes = f->g->terminal_count + 1, sum = 0, most = 0;
    size_t *count = count_codes(f, codes);
    f->share = memory_zero(codes, sizeof *f->share);
    f->shares = 1;
    for (size_t code = 1; code < codes; code++) {
        if (!count[code])
            continue;
        if (sum && sum + count[code] > f->size / SHARES) {
            f->shares++;
            sum = 0;
        }
        f->share[code] = (uint8_t)f->shares;
        sum += count[code];
        most = sum > most ? sum : most;
    }
    free(count);
    f->share_most = most;
    return most * sizeof(left);
}

/* The shares, dealt out to workers. */
typedef struct deal {
    finder *f;
    atomic_uint next; /* share to take, from 0 on */
    struct {
        uint32_t first; /* 1 + its first place in the text; 0: none */
        subpath *subpaths;
        size_t count;
    } of[2 * SHARES + 1];
} deal;

/* Until subpaths are found, `begins` says of each place 1 + the next one of its share; 0: it is the last. */
static void link_places(finder *f, deal *d)
{
    for (size_t place = f->size; place-- > 0;) {
        unsigned number = f->share[code_at(f, place)];
        if (!number)
            continue;
        f->begins[place] = d->of[number - 1].first;
        d->of[number - 1].first = (uint32_t)place + 1;
    }
}

static void work(void *own, size_t worker)
{
    deal *d = own;
    level l = {.f = d->f, .dearest = dearest(d->f)};
    (void)worker;
    l.left = memory_grow(NULL, d->f->share_most, sizeof *l.left);
    for (unsigned number; (number = atomic_fetch_add(&d->next, 1)) < d->f->shares;) {
        find_subpaths(&l, d->of[number].first);
        d->of[number].subpaths = l.subpaths;
        d->of[number].count = l.subpath_count;
        l.subpaths = NULL;
        l.subpath_count = l.subpath_max = 0;
    }
    free(l.groups);
    free(l.next);
    free(l.left);
    free(l.table);
}

/* Puts the subpaths together in the order of the shares, so that it is the same with any number of workers. */
static void gather(finder *f, deal *d)
{
    uint32_t before[1 + 2 * SHARES + 1] = {0}; /* of each share: subpaths of the shares before it */
    for (unsigned number = 0; number < f->shares; number++) {
        const subpath *subpaths = d->of[number].subpaths;
        before[number + 1] = (uint32_t)f->subpath_count;
        f->subpaths = memory_grow(f->subpaths, f->subpath_count + d->of[number].count, sizeof *f->subpaths);
        if (d->of[number].count)
            memcpy(f->subpaths + f->subpath_count, subpaths, d->of[number].count * sizeof *subpaths);
        f->subpath_count += d->of[number].count;
        free(d->of[number].subpaths);
    }
    for (size_t place = 0; place < f->size; place++)
        if (f->begins[place])
            f->begins[place] += before[f->share[code_at(f, place)]];
}

void hot_levels(finder *f, size_t workers)
{
    enum { WORTH_IT = 16384 }; /* places for which a thread pays */
    deal d = {.f = f};
    f->begins = memory_zero(f->size, sizeof *f->begins);
    link_places(f, &d);
    threads_run(f->size < WORTH_IT ? 1 : least(workers, f->shares), work, &d);
    gather(f, &d);
}
