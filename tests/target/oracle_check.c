/* SPDX-License-Identifier: MIT */
/* Compares what a target recorded of itself with what the emulator saw from outside.
 *
 *     oracle_check APP.elf TRACE.weft WATCH [-v]        (TRACE and WATCH from one `weft capture --watch`)
 *
 * order     paths, accesses (site, address, size, direction) and values, in the global order of the trace, interrupts
 *           included: each context's are those that the emulator saw, one for one, with the accesses that the decoder
 *           derives (an empty function reports these to the emulator); and between contexts, none stands before another
 *           that had returned when it was called. (An interrupt that comes while a probe is on its way, before the
 *           probe masks interrupts, rightly comes first; the trace shows it.)
 * control   in a program with block markers: the blocks of each context, and where among its paths and accesses they
 *           stand. (Between contexts, blocks are as exact as the accesses and paths around them:
 *           tools/lib/recording/replay.h.)
 *           A loop that records its passes where it ends has their blocks before that, and each pass after its own; so
 *           have the paths that one record holds.
 * honesty   after each access probe, and before the next probe of the same context, the machine makes the access that
 *           was announced. Exceptions are named and counted; with -v, by site.
 *
 * values    in a program with value probes: where the machine makes an access just as announced, it moves the value
 *           that was recorded. (Not of devices, whose values the emulator's plugin cannot see.)
 *
 * Prints `order N`, `control N` or what differs first, `honesty exact=N ...` and `values equal=N other=N`. Exit status
 * 1 if something differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/oracle.h"

/* Accesses and values of paths that had not ended when the recording did: the trace says how many, not which. */
static uint64_t unresolved;
/* Accesses whose address the trace calls unknown. */
static uint64_t unknown;

static bool equal(const entry *a, const entry *b)
{
    return a->kind == b->kind && a->context == b->context && a->id == b->id &&
           (b->unknown || a->address == b->address) && a->size == b->size && a->store == b->store &&
           a->value == b->value;
}

/* ---- the two sides ---- */

static bool read_told(const char *path, list *told)
{
    char message[300];
    container *file = container_open(path, message, sizeof message);
    if (!file || !program_fits(oracle_app, file, message, sizeof message)) {
        printf("%s\n", message);
        return false;
    }
    if (container_gap_count(file)) {
        container_print_gaps(file, "oracle");
        puts("the trace has gaps");
        return false;
    }
    scripts *told_by = scripts_open(oracle_app);
    replay *events = replay_open(file, (replay_model){told_by, scripts_model});
    for (replay_event e; replay_next(events, &e);) {
        if (e.kind == REPLAY_PATH)
            oracle_append(told, (entry){.kind = ENTRY_PATH, .context = (uint16_t)e.context, .id = e.id});
        if (e.kind == REPLAY_BLOCK)
            oracle_append(told, (entry){.kind = ENTRY_BLOCK, .context = (uint16_t)e.context, .id = e.id});
        if (e.kind == REPLAY_ACCESS)
            oracle_append(told, (entry){e.derived ? ENTRY_DERIVED : ENTRY_ACCESS, e.store, (uint16_t)e.context, e.id,
                                        e.address, e.size, 0, e.unknown, 0, 0, 0});
        if (e.kind == REPLAY_VALUE)
            oracle_append(told,
                          (entry){.kind = ENTRY_VALUE, .context = (uint16_t)e.context, .id = e.id, .value = e.value});
        if (e.kind == REPLAY_UNRESOLVED)
            unresolved += e.accesses + e.values;
    }
    unknown = replay_unknown(events);
    bool fine = !replay_error(events);
    if (!fine)
        puts(replay_error(events));
    replay_close(events);
    scripts_close(told_by);
    container_close(file);
    return fine;
}

static probe_record *read_watch(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        return NULL;
    size_t size = (size_t)ftell(file);
    probe_record *records = malloc(size + 1);
    rewind(file);
    if (!records || fread(records, 1, size, file) != size)
        return NULL;
    fclose(file);
    *count = size / sizeof *records;
    return records;
}

/* Keeps the records made while the recorder was on: between the stores that set and clear its pointer. */
static size_t keep_recorded(probe_record *records, size_t count)
{
    uint32_t pointer = 0, size;
    size_t kept = 0;
    bool on = false;
    if (!program_find_symbol(oracle_app, "weft_target_recorder", &pointer, &size))
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (records[i].kind == PROBE_STORE && records[i].values[0] == pointer)
            on = records[i].values[1] != 0;
        else if (on)
            records[kept++] = records[i];
    }
    return kept;
}

/* ---- comparison ---- */

static void print_entry(const char *who, const entry *e)
{
    static const char *const kinds[] = {"path", "access", "block", "value", "derived access"};
    const descriptor_function *f = e->kind == ENTRY_PATH    ? descriptors_of_path(oracle_all, e->id)
                                   : e->kind == ENTRY_BLOCK ? descriptors_of_block(oracle_all, e->id)
                                                            : descriptors_of_site(oracle_all, e->id);
    uint32_t base = !f                       ? 0
                    : e->kind == ENTRY_PATH  ? f->path_base
                    : e->kind == ENTRY_BLOCK ? f->block_base
                                             : f->site_base;
    printf("  %s: context %u %s %u (%s %u)", who, e->context, kinds[e->kind], e->id, f ? f->name : "?", e->id - base);
    if (e->kind == ENTRY_ACCESS || e->kind == ENTRY_DERIVED)
        printf(" %s %u bytes at %08x", e->store ? "store" : "load", e->size, e->address);
    if (e->kind == ENTRY_VALUE)
        printf(" %llx", (unsigned long long)e->value);
    puts("");
}

/* The next entry at or after `at` that is of a wanted context (-1: any) and kind. */
static size_t next(const list *l, size_t at, int context, unsigned kinds)
{
    while (at < l->count &&
           (!(kinds >> l->entries[at].kind & 1) || (context >= 0 && l->entries[at].context != context)))
        at++;
    return at;
}

/* The probe was called and did not return: the emulator writes no return only where nothing came after the call. */
static bool cut_short(const list *seen, size_t s)
{
    return seen->entries[s].end == seen->entries[s].call && s + 1 < seen->count;
}

/* Whether all that the emulator saw from here on belongs to a path that did not end, or in whose probe the context was
 * stopped for good. Its accesses and values are subtracted from `unresolved`. */
static bool unfinished(const list *seen, size_t from, int context, unsigned kinds)
{
    uint64_t accesses = 0;
    for (size_t s = from; s < seen->count; s = next(seen, s + 1, context, kinds)) {
        if (seen->entries[s].kind == ENTRY_PATH &&
            (!cut_short(seen, s) || next(seen, s + 1, context, kinds) < seen->count))
            return false;
        accesses += seen->entries[s].kind == ENTRY_ACCESS || seen->entries[s].kind == ENTRY_VALUE;
    }
    if (kinds >> ENTRY_BLOCK & 1)
        return true; /* subtracted in an earlier comparison */
    bool told = accesses <= unresolved;
    unresolved -= told ? accesses : 0;
    return told;
}

/* Whether the trace has one block more: the one that its last path leads to. It had not begun when the recording
 * ended. */
static bool not_begun(const list *told, size_t path, size_t from, int context, unsigned kinds)
{
    return from < told->count && told->entries[path].kind == ENTRY_PATH && told->entries[from].kind == ENTRY_BLOCK &&
           next(told, from + 1, context, kinds) >= told->count;
}

/* Whether a context's entries of some kinds are the same on both sides. Copies the emulator's time of each into the
 * trace's. */
static bool same(const list *seen, const list *told, int context, unsigned kinds, uint64_t *count)
{
    size_t s = next(seen, 0, context, kinds), t = next(told, 0, context, kinds), last[2] = {s, t};
    while (s < seen->count && t < told->count && equal(&seen->entries[s], &told->entries[t])) {
        told->entries[t].begin = seen->entries[s].begin;
        told->entries[t].end = seen->entries[s].end;
        last[0] = s;
        last[1] = t;
        s = next(seen, s + 1, context, kinds);
        t = next(told, t + 1, context, kinds);
        ++*count;
    }
    if (t >= told->count ? unfinished(seen, s, context, kinds)
                         : s >= seen->count && not_begun(told, last[1], t, context, kinds))
        return true;
    printf("context %d differs after %llu entries in all\n", context, (unsigned long long)*count);
    for (size_t i = last[0], n = 0; i < seen->count && n < 6; i = next(seen, i + 1, context, kinds), n++)
        print_entry("emulator", &seen->entries[i]);
    for (size_t i = last[1], n = 0; i < told->count && n < 6; i = next(told, i + 1, context, kinds), n++)
        print_entry("trace   ", &told->entries[i]);
    return false;
}

/* Whether the trace's global order agrees with the times of calls and returns. */
static bool ordered(const list *told, unsigned kinds)
{
    size_t latest = next(told, 0, -1, kinds);
    for (size_t t = latest; t < told->count; t = next(told, t + 1, -1, kinds)) {
        if (told->entries[t].end < told->entries[latest].begin) {
            puts("the trace has these in the wrong order:");
            print_entry("first ", &told->entries[latest]);
            print_entry("second", &told->entries[t]);
            return false;
        }
        if (told->entries[t].begin > told->entries[latest].begin)
            latest = t;
    }
    return true;
}

static bool compare(const list *seen, const list *told)
{
    const unsigned recorded = 1u << ENTRY_PATH | 1u << ENTRY_ACCESS | 1u << ENTRY_VALUE;
    const unsigned accesses = recorded | 1u << ENTRY_DERIVED;
    bool marked = next(seen, 0, -1, 1u << ENTRY_BLOCK) < seen->count;
    uint64_t count = 0, with_blocks = 0;
    uint8_t contexts[65536] = {0};
    for (size_t i = 0; i < seen->count; i++)
        contexts[seen->entries[i].context] = 1;
    for (size_t i = 0; i < told->count; i++)
        contexts[told->entries[i].context] = 1;
    for (int context = 0; context < 65536; context++)
        if (contexts[context] && !same(seen, told, context, accesses, &count))
            return false;
    if (unresolved) {
        printf("the trace has %llu accesses more\n", (unsigned long long)unresolved);
        return false;
    }
    if (!ordered(told, recorded))
        return false;
    printf("order %llu unknown %llu\n", (unsigned long long)count, (unsigned long long)unknown);
    if (marked && oracle_all->count && oracle_all->function[0].flags & DESCRIPTOR_SPAN) {
        puts("control: calls do not end paths, so blocks have no order between activations");
        return true;
    }
    for (int context = 0; marked && context < 65536; context++)
        if (contexts[context] && !same(seen, told, context, ~0u, &with_blocks))
            return false;
    if (marked)
        printf("control %llu\n", (unsigned long long)(with_blocks - count));
    return true;
}

int main(int argc, char **argv)
{
    char message[300];
    size_t count = 0;
    list seen = {0}, told = {0};
    if (argc < 4) {
        puts("usage: oracle_check APP.elf TRACE.weft WATCH [-v]");
        return 2;
    }
    oracle_app = program_open(argv[1], message, sizeof message);
    if (!oracle_app) {
        puts(message);
        return 1;
    }
    oracle_all = program_descriptors(oracle_app);
    probe_record *records = read_watch(argv[3], &count);
    if (!records || !read_told(argv[2], &told)) {
        puts("cannot read the trace or the watch");
        return 1;
    }
    count = keep_recorded(records, count);
    oracle_read_seen(records, count, &seen);
    bool fine = seen.count && compare(&seen, &told);
    if (!seen.count)
        puts("the emulator saw no probe");
    uint64_t values_other = oracle_honesty(records, count, argc > 4);
    free(records);
    free(seen.entries);
    free(told.entries);
    program_close(oracle_app);
    return fine && !values_other ? 0 : 1;
}
