/* SPDX-License-Identifier: MIT */
/* Finding a row: address -> range (asked once per line of 16 bytes, then remembered) -> the part of the range -> row. A
 * range is cut into `parts` parts at most, memory without a name into blocks of 2^grain bytes. When there are more than
 * HEAT_ROWS rows, parts is halved and grain grows until half of the rows are free; only then rows join by force. */
#include "tools/lib/report/heat.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum { CACHE = 4096, GRAIN_FIRST = 5, GRAIN_LAST = 24, PARTS = 32 };

typedef struct cached {
    uint32_t address; /* exactly this one */
    uint32_t row;     /* + 1; 0: free */
} cached;

struct heat {
    heat_namer namer;
    matrix counts;
    heat_row *row; /* by number of the matrix */
    size_t rows, rows_max;
    uint32_t *slots; /* by first address: row + 1 */
    cached *cache;
    unsigned grain, parts;
    uint32_t rest; /* row + 1 of what has no row */
    uint64_t loads, stores;
    uint32_t *order; /* after heat_finish */
};

enum { SLOTS = 4 * HEAT_ROWS };

heat *heat_new(heat_namer namer)
{
    heat *h = memory_zero(1, sizeof *h);
    *h = (heat){.namer = namer, .grain = GRAIN_FIRST, .parts = PARTS};
    h->slots = memory_zero(SLOTS, sizeof *h->slots);
    h->cache = memory_zero(CACHE, sizeof *h->cache);
    matrix_init(&h->counts, HEAT_BINS);
    return h;
}

void heat_free(heat *h)
{
    if (!h)
        return;
    matrix_free(&h->counts);
    free(h->row);
    free(h->slots);
    free(h->cache);
    free(h->order);
    free(h);
}

/* The row of an address in a range; NULL: it has no name. Stack and heap are cut like memory without a name,
 * since parts of them are used most. */
static heat_row part_of(const heat *h, uint32_t address, const heat_range *of)
{
    uint32_t size = UINT32_C(1) << h->grain, low = address & ~(size - 1);
    if (!of)
        return (heat_row){.of = {NULL, low, size, HEAT_MEMORY}, .low = low, .size = size};
    if (of->kind == HEAT_STACK || of->kind == HEAT_MEMORY)
        return (heat_row){.of = *of, .low = low, .size = size};
    uint32_t part = 4;
    while ((uint64_t)part * h->parts < of->size)
        part *= 2;
    low = of->low + (address - of->low) / part * part;
    uint32_t left = of->low + of->size - low;
    return (heat_row){.of = *of, .low = low, .size = left < part ? left : part};
}

static heat_row place_of(const heat *h, uint32_t address)
{
    heat_range of;
    return part_of(h, address, h->namer.range(h->namer.own, address, &of) ? &of : NULL);
}

static uint32_t *slot_of(const heat *h, const heat_row *r)
{
    uint32_t at = (r->low * 2654435761u ^ r->of.low * 40503u) % SLOTS;
    while (h->slots[at]) {
        const heat_row *there = &h->row[h->slots[at] - 1];
        if (there->low == r->low && there->of.low == r->of.low && there->of.name == r->of.name)
            break;
        at = (at + 1) % SLOTS;
    }
    return &h->slots[at];
}

static uint32_t new_row(heat *h, const heat_row *r)
{
    h->row = memory_room(h->row, h->rows, &h->rows_max, sizeof *h->row);
    h->row[h->rows] = *r;
    h->rows++;
    return matrix_row(&h->counts);
}

/* All rows again, with the present grain and parts. */
static void regroup(heat *h)
{
    heat old = *h;
    uint32_t rest = h->rest;
    h->row = NULL;
    h->rows = h->rows_max = 0;
    h->rest = 0;
    matrix_init(&h->counts, HEAT_BINS);
    memset(h->slots, 0, SLOTS * sizeof *h->slots);
    memset(h->cache, 0, CACHE * sizeof *h->cache);
    for (uint32_t i = 0; i < old.rows; i++) {
        const heat_row *was = &old.row[i];
        heat_row r = i + 1 == rest ? *was : part_of(h, was->low, was->of.name ? &was->of : NULL);
        r.loads = r.stores = 0;
        uint32_t *slot = slot_of(h, &r);
        if (!*slot) {
            *slot = new_row(h, &r) + 1;
            h->rest = i + 1 == rest ? *slot : h->rest;
        }
        uint32_t to = *slot - 1;
        h->row[to].loads += old.row[i].loads;
        h->row[to].stores += old.row[i].stores;
        for (uint32_t b = 0; b < HEAT_BINS; b++)
            if (old.counts.row[i][b])
                matrix_add(&h->counts, to, b, old.counts.row[i][b]);
    }
    matrix_free(&old.counts);
    free(old.row);
}

/* Coarser rows until there are at most `most`, or they are as coarse as can be. */
static void coarsen(heat *h, size_t most)
{
    while (h->rows > most && (h->grain < GRAIN_LAST || h->parts > 1)) {
        h->grain += h->grain < GRAIN_LAST;
        h->parts = h->parts > 1 ? h->parts / 2 : 1;
        regroup(h);
    }
}

static uint32_t rest_of(heat *h)
{
    if (!h->rest) {
        heat_row r = {.of = {"everything else", UINT32_MAX, 0, HEAT_REST}, .low = UINT32_MAX};
        h->rest = new_row(h, &r) + 1;
        *slot_of(h, &r) = h->rest;
    }
    return h->rest - 1;
}

static uint32_t row_of(heat *h, uint32_t address)
{
    cached *c = &h->cache[address % CACHE];
    if (c->row && c->address == address)
        return c->row - 1;
    heat_row r = place_of(h, address);
    uint32_t *slot = slot_of(h, &r), row;
    if (!*slot && h->rows >= HEAT_ROWS) {
        coarsen(h, HEAT_ROWS / 2);
        r = place_of(h, address);
        slot = slot_of(h, &r);
    }
    if (*slot)
        row = *slot - 1;
    else if (h->rows >= HEAT_ROWS)
        row = rest_of(h);
    else
        *slot = (row = new_row(h, &r)) + 1;
    h->cache[address % CACHE] = (cached){address, row + 1};
    return row;
}

static void count(heat *h, uint32_t row, uint64_t bin, bool store)
{
    h->row[row].loads += !store;
    h->row[row].stores += store;
    matrix_add(&h->counts, row, bin, 1);
}

void heat_access(heat *h, uint64_t bin, uint32_t address, uint32_t size, bool store)
{
    h->loads += !store;
    h->stores += store;
    count(h, row_of(h, address), bin, store);
    /* A block transfer touches the rows after it, too. */
    for (uint64_t at = address, end = at + size, next; at < end; at = next) {
        const heat_row *row = &h->row[row_of(h, (uint32_t)at)];
        next = (uint64_t)row->low + row->size;
        if (next <= at || next >= end || next > UINT32_MAX)
            break;
        count(h, row_of(h, (uint32_t)next), bin, store);
    }
}

void heat_fold(heat *h)
{
    matrix_fold(&h->counts);
}

/* ---- the end ---- */

static const heat *sorted; /* qsort has no context */

static int by_accesses(const void *a, const void *b)
{
    const heat_row *x = &sorted->row[*(const uint32_t *)a], *y = &sorted->row[*(const uint32_t *)b];
    uint64_t m = x->loads + x->stores, n = y->loads + y->stores;
    return m != n ? (m < n ? 1 : -1) : (x->low > y->low) - (x->low < y->low);
}

static int by_address(const void *a, const void *b)
{
    const heat_row *x = &sorted->row[*(const uint32_t *)a], *y = &sorted->row[*(const uint32_t *)b];
    return (x->low > y->low) - (x->low < y->low);
}

/* The coldest rows become one. */
static size_t join_cold(heat *h, size_t most)
{
    if (h->rows <= most)
        return h->rows;
    uint32_t rest = rest_of(h);
    size_t kept = 0;
    h->order = memory_grow(h->order, h->rows, sizeof *h->order);
    for (uint32_t i = 0; i < h->rows; i++)
        h->order[i] = i;
    sorted = h;
    qsort(h->order, h->rows, sizeof *h->order, by_accesses);
    for (size_t i = 0; i < h->rows; i++) {
        uint32_t row = h->order[i];
        if (kept + 1 < most && row != rest) {
            h->order[kept++] = row;
        } else if (row != rest) {
            matrix_join(&h->counts, rest, row);
            h->row[rest].loads += h->row[row].loads;
            h->row[rest].stores += h->row[row].stores;
        }
    }
    h->order[kept++] = rest;
    return kept;
}

void heat_finish(heat *h, size_t most)
{
    coarsen(h, most);
    h->order = memory_zero(h->rows + 1, sizeof *h->order);
    for (uint32_t i = 0; i < h->rows; i++)
        h->order[i] = i;
    h->rows = join_cold(h, most);
    sorted = h;
    if (h->rows)
        qsort(h->order, h->rows, sizeof *h->order, by_address);
}

size_t heat_rows(const heat *h)
{
    return h->rows;
}

const heat_row *heat_row_at(const heat *h, size_t i)
{
    return &h->row[h->order[i]];
}

void heat_json(const heat *h, size_t i, matrix_form form, json *j)
{
    matrix_json(&h->counts, h->order[i], form, j);
}

uint64_t heat_most(const heat *h, uint32_t used, unsigned fold)
{
    return matrix_most(&h->counts, used, fold);
}

uint64_t heat_loads(const heat *h)
{
    return h->loads;
}

uint64_t heat_stores(const heat *h)
{
    return h->stores;
}
