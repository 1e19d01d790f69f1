/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/engines.h"

#include <stdlib.h>

#include "core/format.h"
#include "tools/lib/affine/tre.h"
#include "tools/lib/base/memory.h"

typedef struct engine {
    uint64_t site;  /* + 1; 0: not lent */
    size_t *record; /* offsets, in order */
    size_t count, count_max, next;
    uint64_t left;   /* addresses to come in the frame */
    uint32_t inside; /* of them, in the record where the cursor is; 0: it is at none */
    tre_cursor cursor;
} engine;

/* From access `at` of the frame on, another site has the engine. */
typedef struct change {
    uint32_t at, number;
    uint64_t site; /* + 1; 0: none */
} change;

struct leases {
    engine engine[WEFT_MODELS_ENGINES_MAX];
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
    for (unsigned i = 0; i < WEFT_MODELS_ENGINES_MAX; i++)
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
    if (all->count > WEFT_MODELS_ENGINES_MAX || (all->count & (all->count - 1))) {
        all->count = 0;
        return false;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        engine *e = &all->engine[i];
        e->site = weft_read_varint64(&reader);
        e->count = e->next = 0;
        e->left = 0;
        e->inside = 0;
    }
    while (weft_reader_left(&reader)) {
        tre_record record;
        size_t at = reader.at;
        if (bytes[at] == WEFT_MODELS_CHANGE) {
            reader.at++;
            if (!read_change(all, &reader))
                return false;
            continue;
        }
        if (!tre_read(&reader, &record))
            return false;
        uint32_t number = weft_read_varint(&reader);
        if (reader.status != WEFT_OK || number >= all->count)
            return false;
        add_record(&all->engine[number], at, record.accesses);
    }
    return reader.status == WEFT_OK;
}

static void begin_record(const leases *all, engine *e)
{
    weft_reader reader;
    tre_record record;
    weft_reader_init(&reader, all->bytes, all->size);
    reader.at = e->record[e->next++];
    (void)tre_read(&reader, &record); /* leases_start did */
    tre_first(&e->cursor, &record);
    e->inside = record.accesses;
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
    if (e->inside == 0)
        begin_record(all, e);
    else
        tre_next(&e->cursor);
    *address = e->cursor.address;
    e->inside--;
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
