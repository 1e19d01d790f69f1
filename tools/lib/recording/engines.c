/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/engines.h"

#include <stdlib.h>

#include "core/format.h"
#include "core/tre.h"
#include "tools/lib/base/memory.h"

enum { ENGINES_MAX = WEFT_MODELS_ENGINES_MAX, LEVELS = WEFT_TRE_LEVELS_MAX, CHANGE = WEFT_MODELS_CHANGE };

/* A nest on its way. */
typedef struct nest {
    uint32_t levels; /* 0: a list, read on from `list` */
    uint32_t left;
    uint32_t address;
    bool begun;
    weft_reader list;
    int32_t coefficient[LEVELS], constant[LEVELS], slope[LEVELS][LEVELS];
    int32_t index[LEVELS], upper[LEVELS];
} nest;

typedef struct engine {
    uint64_t site;  /* + 1; 0: not lent */
    size_t *record; /* offsets, in order */
    size_t count, count_max, next;
    uint64_t left;
    nest nest;
} engine;

/* From access `at` of the frame on, another site has the engine. */
typedef struct change {
    uint32_t at, number;
    uint64_t site; /* + 1; 0: none */
} change;

struct leases {
    engine engine[ENGINES_MAX];
    uint32_t count;
    change *change; /* in order */
    size_t change_count, change_max, change_next;
    uint32_t asked; /* accesses so far */
    const uint8_t *bytes;
    size_t size;
};

leases *leases_open(void)
{
    return memory_zero(1, sizeof(leases));
}

void leases_close(leases *all)
{
    if (!all)
        return;
    for (unsigned i = 0; i < ENGINES_MAX; i++)
        free(all->engine[i].record);
    free(all->change);
    free(all);
}

static bool read_change(leases *all, weft_reader *reader)
{
    all->change = memory_room(all->change, all->change_count, &all->change_max, sizeof *all->change);
    change *c = &all->change[all->change_count++];
    c->at = weft_read_varint(reader);
    c->site = weft_read_varint64(reader);
    c->number = weft_read_varint(reader);
    return reader->status == WEFT_OK && c->number < all->count;
}

/* Reads a record (core/tre.c); its accesses are n->left. */
static bool read_nest(weft_reader *reader, nest *n)
{
    *n = (nest){.levels = weft_read_varint(reader)};
    n->left = weft_read_varint(reader);
    n->address = weft_read_varint(reader);
    if (n->levels > LEVELS || n->left == 0)
        return false;
    for (unsigned l = 0; l < n->levels; l++) {
        n->coefficient[l] = weft_unzigzag(weft_read_varint(reader));
        n->constant[l] = weft_unzigzag(weft_read_varint(reader));
        for (unsigned m = 0; m < l; m++)
            n->slope[l][m] = weft_unzigzag(weft_read_varint(reader));
    }
    n->list = *reader;
    for (uint32_t i = 1; n->levels == 0 && i < n->left && reader->status == WEFT_OK; i++)
        (void)weft_read_varint(reader);
    return reader->status == WEFT_OK;
}

static void add_record(engine *e, size_t at, uint32_t accesses)
{
    e->record = memory_room(e->record, e->count, &e->count_max, sizeof *e->record);
    e->record[e->count++] = at;
    e->left += accesses;
}

bool leases_start(leases *all, const uint8_t *bytes, size_t size)
{
    weft_reader reader;
    weft_reader_init(&reader, bytes, size);
    all->bytes = bytes;
    all->size = size;
    all->change_count = all->change_next = 0;
    all->asked = 0;
    all->count = size ? weft_read_varint(&reader) : 0;
    if (all->count > ENGINES_MAX || (all->count & (all->count - 1))) {
        all->count = 0;
        return false;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        engine *e = &all->engine[i];
        e->site = weft_read_varint64(&reader);
        e->count = e->next = 0;
        e->left = 0;
        e->nest.left = 0;
    }
    while (weft_reader_left(&reader)) {
        nest n;
        size_t at = reader.at;
        if (bytes[at] == CHANGE) {
            reader.at++;
            if (!read_change(all, &reader))
                return false;
            continue;
        }
        if (!read_nest(&reader, &n))
            return false;
        uint32_t number = weft_read_varint(&reader);
        if (reader.status != WEFT_OK || number >= all->count)
            return false;
        add_record(&all->engine[number], at, n.left);
    }
    return reader.status == WEFT_OK;
}

static void set_upper(nest *n, unsigned l)
{
    uint32_t upper = (uint32_t)n->constant[l];
    for (unsigned m = 0; m < l; m++)
        upper += (uint32_t)n->slope[l][m] * (uint32_t)n->index[m];
    n->upper[l] = (int32_t)upper;
}

static void begin_nest(const leases *all, engine *e)
{
    weft_reader reader;
    weft_reader_init(&reader, all->bytes, all->size);
    reader.at = e->record[e->next++];
    (void)read_nest(&reader, &e->nest); /* leases_start did */
    for (unsigned l = 0; l < e->nest.levels; l++)
        set_upper(&e->nest, l);
}

/* Moves on to the next address: the innermost level that may move does, and those inside it start anew. */
static void advance(nest *n)
{
    if (n->levels == 0) {
        n->address += (uint32_t)weft_unzigzag(weft_read_varint(&n->list));
        return;
    }
    unsigned l = n->levels - 1;
    while (l && n->index[l] >= n->upper[l]) {
        n->address -= (uint32_t)n->coefficient[l] * (uint32_t)n->index[l];
        n->index[l--] = 0;
    }
    n->index[l] = (int32_t)((uint32_t)n->index[l] + 1);
    n->address += (uint32_t)n->coefficient[l];
    for (l++; l < n->levels; l++)
        set_upper(n, l);
}

lease_answer leases_next(leases *all, uint32_t site, uint32_t *address)
{
    if (!all->count)
        return LEASE_PLAIN;
    for (; all->change_next < all->change_count && all->change[all->change_next].at <= all->asked; all->change_next++)
        all->engine[all->change[all->change_next].number].site = all->change[all->change_next].site;
    all->asked++;
    engine *e = &all->engine[site & (all->count - 1)];
    if (e->site != (uint64_t)site + 1)
        return LEASE_PLAIN;
    if (e->left == 0)
        return LEASE_MISSING;
    if (e->nest.left == 0)
        begin_nest(all, e);
    else
        advance(&e->nest);
    *address = e->nest.address;
    e->nest.left--;
    e->left--;
    return LEASE_ADDRESS;
}

uint64_t leases_left(const leases *all)
{
    uint64_t left = 0;
    for (uint32_t i = 0; i < all->count; i++)
        left += all->engine[i].left;
    return left;
}
