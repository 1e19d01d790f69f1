/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/oracle.h"
#include "tools/lib/base/memory.h"

program *oracle_app;
const descriptors *oracle_all;

void oracle_append(list *l, entry e)
{
    l->entries = memory_room(l->entries, l->count, &l->max, sizeof *l->entries);
    l->entries[l->count++] = e;
}

entry oracle_access(uint32_t context, uint32_t site, uint32_t address)
{
    const descriptor_site *s = descriptors_site(oracle_all, site);
    return (entry){ENTRY_ACCESS,
                   s && s->flags & DESCRIPTOR_SITE_STORE,
                   (uint16_t)context,
                   site,
                   address,
                   s ? s->size : UINT32_MAX,
                   0,
                   false,
                   0,
                   SIZE_MAX,
                   0};
}

bool oracle_is_value(const probe_record *r)
{
    return r->kind == PROBE_CALL && (r->what == CALL_VALUE || r->what == CALL_VALUE64);
}

uint64_t oracle_value(const probe_record *r)
{
    return r->what == CALL_VALUE ? r->values[1] : (uint64_t)r->values[3] << 32 | r->values[2];
}

unsigned oracle_flags(const probe_record *r)
{
    bool access = r->what == CALL_ACCESS || r->what == CALL_DERIVED;
    const descriptor_site *site = access ? descriptors_site(oracle_all, r->values[0]) : NULL;
    return site ? site->flags : 0;
}

bool oracle_is_base(const probe_record *r)
{
    return oracle_flags(r) & (DESCRIPTOR_SITE_BASE | DESCRIPTOR_SITE_LENGTH);
}

/* Per context: what is not a path since its last path, as indices of entries. */
typedef struct tail {
    size_t *at, count, max;
} tail;
static tail tails[65536];

/* The next mark from `at` on. */
static size_t next_mark(const entry *entries, size_t at, size_t count)
{
    while (at < count && entries[at].kind != ENTRY_BLOCK)
        at++;
    return at;
}

/* How many of the last `count` entries belong before a path's record: its own blocks with what they do, and blocks with
 * calls that had been entered before. */
static size_t entries_of(uint32_t path, const entry *entries, size_t count)
{
    static uint32_t blocks[1 << 16];
    ballarus_ends ends;
    const descriptor_function *f = descriptors_of_path(oracle_all, path);
    size_t own = f ? ballarus_expand(f->graph, path - f->path_base, blocks, WEFT_COUNT(blocks), &ends) : 0;
    if (own == 0 || own == SIZE_MAX)
        return 0;
    bool entered = !ends.from_entry && f->block[blocks[0]].flags & DESCRIPTOR_BLOCK_CALL;
    size_t at = next_mark(entries, 0, count), left = own - entered;
    if (entered && own == 1) {
        bool again = at < count && entries[at].id == f->block_base + blocks[0];
        return again ? next_mark(entries, at + 1, count) : at;
    }
    while (at < count && entries[at].id != f->block_base + blocks[entered])
        at = next_mark(entries, at + 1, count);
    for (; at < count && left; left--)
        at = next_mark(entries, at + 1, count);
    return at;
}

/* Adds paths that one call, record `at`, reports. They are placed among what came since the context's last path. */
static void add_paths(list *seen, const probe_record *r, size_t at, const uint32_t *paths, uint32_t count)
{
    tail *t = &tails[r->context];
    entry *old = calloc(t->count + 1, sizeof *old);
    for (size_t i = 0; i < t->count; i++)
        old[i] = seen->entries[t->at[i]];
    for (uint32_t i = 0; i < count; i++) {
        t->at = memory_room(t->at, t->count + i, &t->max, sizeof *t->at);
        t->at[t->count + i] = seen->count;
        oracle_append(seen, (entry){.kind = ENTRY_PATH});
    }
    size_t from = 0, to = 0, begin = t->count ? old[0].begin : at;
    for (uint32_t i = 0; i < count; i++) {
        for (size_t n = entries_of(paths[i], old + from, t->count - from); n > 0 && from < t->count; n--) {
            begin = old[from].begin;
            seen->entries[t->at[to++]] = old[from++];
        }
        seen->entries[t->at[to++]] = (entry){
            .kind = ENTRY_PATH, .context = r->context, .id = paths[i], .begin = i + 1 < count ? begin : at, .call = at};
    }
    size_t kept = 0;
    for (; from < t->count; kept++) {
        t->at[kept] = t->at[to];
        seen->entries[t->at[to++]] = old[from++];
    }
    t->count = kept;
    free(old);
}

/* The passes of a loop. */
static void add_passes(list *seen, const probe_record *r, size_t at)
{
    uint32_t count = r->values[3];
    uint32_t *paths = calloc(count + 1, sizeof *paths);
    for (uint32_t i = 0; i < count; i++)
        paths[i] = r->values[i ? 1 : 0];
    add_paths(seen, r, at, paths, count);
    free(paths);
}

/* The paths of a pack. */
static void add_pack(list *seen, const probe_record *r, size_t at)
{
    uint32_t paths[BALLARUS_PACK_MAX];
    const descriptor_function *f = descriptors_of_pack(oracle_all, r->values[0]);
    size_t count = f ? descriptor_unpack(f, r->values[1], paths) : 0;
    if (!count)
        printf("the probe was called with what is not a pack: %u, %08x\n", r->values[0], r->values[1]);
    add_paths(seen, r, at, paths, (uint32_t)count);
}

static bool is_pack(const probe_record *r)
{
    return r->kind == PROBE_CALL && (r->what == CALL_PACKED || r->what == CALL_PACKED_FULL);
}

static void note_in_tail(const list *seen, const entry *e)
{
    tail *t = &tails[e->context];
    if (e->kind == ENTRY_PATH) {
        t->count = 0;
        return;
    }
    t->at = memory_room(t->at, t->count, &t->max, sizeof *t->at);
    t->at[t->count++] = seen->count;
}

static entry entry_of(const probe_record *r)
{
    entry e = {.kind = ENTRY_PATH, .context = r->context, .id = r->values[0], .end = SIZE_MAX};
    if (r->what == CALL_LOOP_PATH)
        e.id = r->values[2] + (r->values[3] ? 0 : r->values[0] - r->values[1]);
    if (r->what == CALL_MARK)
        e.kind = ENTRY_BLOCK;
    if (r->what == CALL_ACCESS || r->what == CALL_DERIVED)
        e = oracle_access(r->context, r->values[0], r->values[1]);
    if (r->what == CALL_DERIVED)
        e.kind = ENTRY_DERIVED;
    if (oracle_is_value(r)) {
        e.kind = ENTRY_VALUE;
        e.value = oracle_value(r);
    }
    return e;
}

/* Adds any call but that of a loop without a path. *length is the length of the context's next access; 0: none
 * reported. */
static void add_call(list *seen, const probe_record *r, size_t at, uint32_t *length)
{
    entry e = entry_of(r);
    if ((e.kind == ENTRY_ACCESS || e.kind == ENTRY_DERIVED) && e.size == 0) {
        e.size = *length;
        *length = 0;
    }
    e.begin = e.call = at;
    note_in_tail(seen, &e);
    oracle_append(seen, e);
}

void oracle_read_seen(const probe_record *records, size_t count, list *seen)
{
    static size_t open[65536]; /* per context: its probe that has not returned */
    static uint32_t length[65536];
    size_t *end = calloc(count + 1, sizeof *end); /* per call: the record of its return */
    memset(open, 0xff, sizeof open);
    for (size_t i = 0; i < count; i++) {
        const probe_record *r = &records[i];
        end[i] = i;
        if (r->kind == PROBE_CALL && (r->what == CALL_LOOP || r->what == CALL_LOOP_PATH))
            add_passes(seen, r, i);
        if (is_pack(r))
            add_pack(seen, r, i);
        if (r->kind == PROBE_CALL && r->what != CALL_STAMP && r->what != CALL_LOOP && !is_pack(r) && !oracle_is_base(r))
            add_call(seen, r, i, &length[r->context]);
        if (r->kind == PROBE_CALL && oracle_flags(r) & DESCRIPTOR_SITE_LENGTH)
            length[r->context] = r->values[1];
        if (r->kind == PROBE_CALL && !oracle_is_base(r))
            open[r->context] = i;
        if (r->kind == PROBE_RETURN && open[r->context] != SIZE_MAX)
            end[open[r->context]] = i;
    }
    for (size_t i = 0; i < seen->count; i++)
        seen->entries[i].end = end[seen->entries[i].call];
    free(end);
}
