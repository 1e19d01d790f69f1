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

#include "tools/lib/base/memory.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"
#include "tools/qemu/probes.h"

/* In the order of `weft capture` (tools/weft/capture.c). */
enum {
    CALL_PATH,
    CALL_KPATH,
    CALL_KPATH_EXIT,
    CALL_ACCESS,
    CALL_VALUE,
    CALL_VALUE64,
    CALL_MARK,
    CALL_DERIVED,
    CALL_STAMP,
    CALL_LAST,
    CALL_LOOP,
    CALL_LOOP_PATH,
    CALL_PACKED,
    CALL_PACKED_FULL
};

enum { ENTRY_PATH, ENTRY_ACCESS, ENTRY_BLOCK, ENTRY_VALUE, ENTRY_DERIVED };

typedef struct entry {
    uint8_t kind;
    bool store;
    uint16_t context;
    uint32_t id, address, size;
    uint64_t value;
    bool unknown;      /* trace: the address follows from a record that is not known to be this activation's */
    size_t begin, end; /* emulator: indices of the records of the probe's call and return */
} entry;

typedef struct list {
    entry *entries;
    size_t count, max;
} list;

/* Accesses and values of paths that had not ended when the recording did: the trace says how many, not which. */
static uint64_t unresolved;
/* Accesses whose address the trace calls unknown. */
static uint64_t unknown;

static program *app;
static const descriptors *all;

static void append(list *l, entry e)
{
    l->entries = memory_room(l->entries, l->count, &l->max, sizeof *l->entries);
    l->entries[l->count++] = e;
}

static entry access_entry(uint32_t context, uint32_t site, uint32_t address)
{
    const descriptor_site *s = descriptors_site(all, site);
    return (entry){ENTRY_ACCESS,
                   s && s->flags & DESCRIPTOR_SITE_STORE,
                   (uint16_t)context,
                   site,
                   address,
                   s ? s->size : UINT32_MAX,
                   0,
                   false,
                   0,
                   SIZE_MAX};
}

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
    if (!file || !program_fits(app, file, message, sizeof message)) {
        printf("%s\n", message);
        return false;
    }
    if (container_gap_count(file)) {
        container_print_gaps(file, "oracle");
        puts("the trace has gaps");
        return false;
    }
    scripts *told_by = scripts_open(app);
    replay *events = replay_open(file, (replay_model){told_by, scripts_model});
    for (replay_event e; replay_next(events, &e);) {
        if (e.kind == REPLAY_PATH)
            append(told, (entry){.kind = ENTRY_PATH, .context = (uint16_t)e.context, .id = e.id});
        if (e.kind == REPLAY_BLOCK)
            append(told, (entry){.kind = ENTRY_BLOCK, .context = (uint16_t)e.context, .id = e.id});
        if (e.kind == REPLAY_ACCESS)
            append(told, (entry){e.derived ? ENTRY_DERIVED : ENTRY_ACCESS, e.store, (uint16_t)e.context, e.id,
                                 e.address, e.size, 0, e.unknown, 0, 0});
        if (e.kind == REPLAY_VALUE)
            append(told, (entry){.kind = ENTRY_VALUE, .context = (uint16_t)e.context, .id = e.id, .value = e.value});
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
    if (!program_find_symbol(app, "weft_target_recorder", &pointer, &size))
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (records[i].kind == PROBE_STORE && records[i].values[0] == pointer)
            on = records[i].values[1] != 0;
        else if (on)
            records[kept++] = records[i];
    }
    return kept;
}

static bool is_value(const probe_record *r)
{
    return r->kind == PROBE_CALL && (r->what == CALL_VALUE || r->what == CALL_VALUE64);
}

/* The argument of a value probe: the second, or a pair of registers. */
static uint64_t told_value(const probe_record *r)
{
    return r->what == CALL_VALUE ? r->values[1] : (uint64_t)r->values[3] << 32 | r->values[2];
}

static unsigned flags_of_site(const probe_record *r)
{
    const descriptor_site *site = r->what == CALL_ACCESS ? descriptors_site(all, r->values[0]) : NULL;
    return site ? site->flags : 0;
}

/* Of a context: the blocks since its last path, as indices of entries. */
typedef struct tail {
    size_t *at, count, max;
} tail;
static tail tails[65536];

/* Marks that stand before a path's record, of the `count` ones since the path before it: blocks with calls that had
 * been entered before, and its own blocks. */
static size_t marks_of(uint32_t path, const entry *marks, size_t count)
{
    static uint32_t blocks[1 << 16];
    ballarus_ends ends;
    const descriptor_function *f = descriptors_of_path(all, path);
    size_t own = f ? ballarus_expand(f->graph, path - f->path_base, blocks, WEFT_COUNT(blocks), &ends) : 0;
    if (own == 0 || own == SIZE_MAX)
        return 0;
    bool entered = !ends.from_entry && f->block[blocks[0]].flags & DESCRIPTOR_BLOCK_CALL;
    size_t before = 0;
    if (entered && own == 1)
        return count > 0 && marks[0].id == f->block_base + blocks[0];
    while (before < count && marks[before].id != f->block_base + blocks[entered])
        before++;
    return before + own - entered;
}

/* Puts paths, whose one call is record `at`, among the blocks since the context's last path. */
static void add_paths(list *seen, const probe_record *r, size_t at, const uint32_t *paths, uint32_t count)
{
    tail *t = &tails[r->context];
    entry *old = calloc(t->count + 1, sizeof *old);
    for (size_t i = 0; i < t->count; i++)
        old[i] = seen->entries[t->at[i]];
    for (uint32_t i = 0; i < count; i++) {
        t->at = memory_room(t->at, t->count + i, &t->max, sizeof *t->at);
        t->at[t->count + i] = seen->count;
        append(seen, (entry){.kind = ENTRY_PATH});
    }
    size_t from = 0, to = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (size_t n = marks_of(paths[i], old + from, t->count - from); n > 0 && from < t->count; n--)
            seen->entries[t->at[to++]] = old[from++];
        seen->entries[t->at[to++]] = (entry){.kind = ENTRY_PATH, .context = r->context, .id = paths[i], .begin = at};
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
    const descriptor_function *f = descriptors_of_pack(all, r->values[0]);
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
    if (e->kind == ENTRY_PATH)
        t->count = 0;
    if (e->kind != ENTRY_BLOCK)
        return;
    t->at = memory_room(t->at, t->count, &t->max, sizeof *t->at);
    t->at[t->count++] = seen->count;
}

/* A probe that records a base or a length, and announces no access. */
static bool is_base(const probe_record *r)
{
    return flags_of_site(r) & (DESCRIPTOR_SITE_BASE | DESCRIPTOR_SITE_LENGTH);
}

static entry entry_of(const probe_record *r)
{
    entry e = {.kind = ENTRY_PATH, .context = r->context, .id = r->values[0], .end = SIZE_MAX};
    if (r->what == CALL_LOOP_PATH)
        e.id = r->values[2] + (r->values[3] ? 0 : r->values[0] - r->values[1]);
    if (r->what == CALL_MARK)
        e.kind = ENTRY_BLOCK;
    if (r->what == CALL_ACCESS || r->what == CALL_DERIVED)
        e = access_entry(r->context, r->values[0], r->values[1]);
    if (r->what == CALL_DERIVED)
        e.kind = ENTRY_DERIVED;
    if (is_value(r)) {
        e.kind = ENTRY_VALUE;
        e.value = told_value(r);
    }
    return e;
}

/* A call other than that of a loop without a path. `length` is of the context's next access, if it was told. */
static void add_call(list *seen, const probe_record *r, size_t at, uint32_t *length)
{
    entry e = entry_of(r);
    if ((e.kind == ENTRY_ACCESS || e.kind == ENTRY_DERIVED) && e.size == 0) {
        e.size = *length;
        *length = 0;
    }
    e.begin = at;
    note_in_tail(seen, &e);
    append(seen, e);
}

static void read_seen(const probe_record *records, size_t count, list *seen)
{
    static size_t open[65536]; /* a context's probe on its way */
    static uint32_t length[65536];
    size_t *end = calloc(count + 1, sizeof *end); /* by call: its return */
    memset(open, 0xff, sizeof open);
    for (size_t i = 0; i < count; i++) {
        const probe_record *r = &records[i];
        end[i] = i;
        if (r->kind == PROBE_CALL && (r->what == CALL_LOOP || r->what == CALL_LOOP_PATH))
            add_passes(seen, r, i);
        if (is_pack(r))
            add_pack(seen, r, i);
        if (r->kind == PROBE_CALL && r->what != CALL_STAMP && r->what != CALL_LOOP && !is_pack(r) && !is_base(r))
            add_call(seen, r, i, &length[r->context]);
        if (r->kind == PROBE_CALL && flags_of_site(r) & DESCRIPTOR_SITE_LENGTH)
            length[r->context] = r->values[1];
        if (r->kind == PROBE_CALL && !is_base(r))
            open[r->context] = i;
        if (r->kind == PROBE_RETURN && open[r->context] != SIZE_MAX)
            end[open[r->context]] = i;
    }
    for (size_t i = 0; i < seen->count; i++)
        seen->entries[i].end = end[seen->entries[i].begin];
    free(end);
}

/* ---- comparison ---- */

static void print_entry(const char *who, const entry *e)
{
    static const char *const kinds[] = {"path", "access", "block", "value", "derived access"};
    const descriptor_function *f = e->kind == ENTRY_PATH    ? descriptors_of_path(all, e->id)
                                   : e->kind == ENTRY_BLOCK ? descriptors_of_block(all, e->id)
                                                            : descriptors_of_site(all, e->id);
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

/* What the emulator saw from here on is no more than a path that did not end. Its accesses and values are counted
 * off. */
static bool unfinished(const list *seen, size_t from, int context, unsigned kinds)
{
    uint64_t accesses = 0;
    for (size_t s = from; s < seen->count; s = next(seen, s + 1, context, kinds)) {
        if (seen->entries[s].kind == ENTRY_PATH)
            return false;
        accesses += seen->entries[s].kind == ENTRY_ACCESS || seen->entries[s].kind == ENTRY_VALUE;
    }
    if (kinds >> ENTRY_BLOCK & 1)
        return true; /* counted before */
    bool told = accesses <= unresolved;
    unresolved -= told ? accesses : 0;
    return told;
}

/* A context's entries of some kinds are the same on both sides. What the emulator knows of each one's time is
 * copied. */
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
    if (t >= told->count && unfinished(seen, s, context, kinds))
        return true;
    printf("context %d differs after %llu entries in all\n", context, (unsigned long long)*count);
    for (size_t i = last[0], n = 0; i < seen->count && n < 6; i = next(seen, i + 1, context, kinds), n++)
        print_entry("emulator", &seen->entries[i]);
    for (size_t i = last[1], n = 0; i < told->count && n < 6; i = next(told, i + 1, context, kinds), n++)
        print_entry("trace   ", &told->entries[i]);
    return false;
}

/* The trace's global order agrees with the times of calls and returns. */
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
    if (marked && all->count && all->function[0].flags & DESCRIPTOR_SPAN) {
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

/* ---- honesty ---- */

typedef enum verdict {
    EXACT,   /* as announced */
    PIECES,  /* by several accesses */
    NARROW,  /* only the bytes that are needed */
    WIDE,    /* by an access that covers it and more: a bit field's unit, or two merged accesses */
    ROUTINE, /* by a library routine, as memcpy */
    MOVED,   /* some probes before or after */
    REMOVED, /* not at all: a later pass found the value in a register, or never needed */
    VERDICTS
} verdict;
static const char *const verdict_names[VERDICTS] = {"exact", "pieces", "narrow", "wide", "routine", "moved", "removed"};

#define REACH 12 /* probes before and after, within which an access may have moved */

/* The records of one context, and which accesses are accounted for. */
typedef struct lane {
    const probe_record **records;
    bool *claimed;
    size_t count;
} lane;

static bool is_probe(const probe_record *r)
{
    return r->kind == PROBE_CALL && r->what != CALL_MARK && !is_value(r) && !is_base(r);
}

static bool is_access(const probe_record *r)
{
    return r->kind == PROBE_LOAD || r->kind == PROBE_STORE;
}

/* In a function that the compiler plugin saw, or in a part of one that the compiler moved away. */
static bool instrumented(uint32_t pc)
{
    uint32_t offset;
    const char *name = program_symbol(app, pc, &offset);
    if (!name || strstr(name, ".cold"))
        return name != NULL;
    for (size_t i = 0; i < all->count; i++)
        if ((all->function[i].address & ~1u) == pc - offset)
            return true;
    return false;
}

/* As above, remembered by address. */
static bool is_routine(uint32_t pc)
{
    static struct {
        uint32_t pc;
        uint8_t known;
    } cache[1 << 14];
    unsigned slot = pc >> 1 & ((1 << 14) - 1);
    if (cache[slot].pc != pc || !cache[slot].known) {
        cache[slot].pc = pc;
        cache[slot].known = instrumented(pc) ? 1 : 2;
    }
    return cache[slot].known == 2;
}

/* How an access of the machine answers an announced one. */
typedef struct answer {
    bool exact, covers, overlaps;
} answer;

static answer answers(const probe_record *r, const entry *want)
{
    uint32_t address = r->values[0], size = want->size ? want->size : 1;
    if (r->kind != (want->store ? PROBE_STORE : PROBE_LOAD))
        return (answer){false, false, false};
    uint32_t low = address - want->address; /* modulo 2^32 */
    answer a;
    a.exact = address == want->address && r->what == want->size;
    a.covers = want->address - address < r->what && want->address + size - address <= r->what;
    a.overlaps = low < size || want->address - address < r->what;
    return a;
}

/* An access of `from`..`to` (exclusive) that answers exactly, or covers; SIZE_MAX: none. */
static size_t find_answer(const lane *l, size_t from, size_t to, const entry *want, bool exact)
{
    for (size_t i = from; i < to; i++) {
        if (!is_access(l->records[i]) || l->claimed[i])
            continue;
        answer a = answers(l->records[i], want);
        if (exact ? a.exact : a.covers)
            return i;
    }
    return SIZE_MAX;
}

/* The window after the probe at `at`: up to the next probe. */
static size_t window_end(const lane *l, size_t at)
{
    while (++at < l->count && !is_probe(l->records[at]))
        ;
    return at;
}

#define WHOLES (DESCRIPTOR_SITE_AGGREGATE | DESCRIPTOR_SITE_ASM | DESCRIPTOR_SITE_ATOMIC | DESCRIPTOR_SITE_CALL)

/* Whether the access that the second probe announces is of the same statement as that of the first: its next site
 * (a length apart), on the same line, made as a whole as well. A copy is one load and one store. */
static bool same_statement(const probe_record *first, const probe_record *second)
{
    const descriptor_site *a = descriptors_site(all, first->values[0]), *b = descriptors_site(all, second->values[0]);
    const descriptor_site *between = descriptors_site(all, first->values[0] + 1);
    uint32_t next_site = first->values[0] + (between && between->flags & DESCRIPTOR_SITE_LENGTH ? 2 : 1);
    bool copy = a && b && !(a->flags & DESCRIPTOR_SITE_STORE) && b->flags & DESCRIPTOR_SITE_STORE;
    return a && b && second->values[0] == next_site && a->place.line == b->place.line && a->flags & b->flags & WHOLES &&
           (copy || !(a->flags & DESCRIPTOR_SITE_AGGREGATE));
}

static bool announces(const probe_record *r)
{
    return r->kind == PROBE_CALL && (r->what == CALL_ACCESS || r->what == CALL_DERIVED) && !is_base(r);
}

/* A statement that copies more than a register announces its load and its store first; and one path may end before it,
 * if a routine does it. It ends before the probe of the next statement's access. */
static size_t statement_end(const lane *l, size_t at, uint32_t flags)
{
    size_t end = window_end(l, at), last = at;
    for (int more = 0; flags & WHOLES && more < 2 && end < l->count; more++) {
        if (announces(l->records[end]) && !same_statement(l->records[last], l->records[end]))
            break;
        last = announces(l->records[end]) ? end : last;
        end = window_end(l, end);
    }
    return end;
}

/* And before it. */
static size_t window_start(const lane *l, size_t at)
{
    while (at > 0 && !is_probe(l->records[at - 1]))
        at--;
    return at;
}

/* Accesses as announced, or in pieces: the recorded value and the moved one are the same, or not. */
static uint64_t values_equal, values_other;

static uint64_t moved_value(const probe_record *r)
{
    return (uint64_t)r->values[2] << 32 | r->values[1];
}

/* `moved`, at `address`, is what the machine moved for the announced access `at`, whose value probe, if any, stands
 * before the next access probe. */
static void judge_value(const lane *l, size_t at, uint32_t address, uint64_t moved)
{
    bool device = (address >= 0x40000000 && address < 0x60000000) || address >= 0xa0000000; /* Armv7-M's memory map */
    for (size_t i = at + 1; !device && i < l->count && !is_probe(l->records[i]); i++) {
        if (!is_value(l->records[i]) || l->records[i]->values[0] != l->records[at]->values[0])
            continue;
        uint64_t told = told_value(l->records[i]);
        values_equal += told == moved;
        if (told != moved && values_other++ < 5)
            printf("site %u told %llx, moved %llx at %08x\n", l->records[at]->values[0], (unsigned long long)told,
                   (unsigned long long)moved, address);
    }
}

/* In the window: several accesses that are parts of the announced one, or a routine's. */
static verdict look_for_parts(const lane *l, size_t at, size_t to, const entry *want)
{
    uint32_t bytes = 0;
    uint64_t moved = 0;
    bool routine = false;
    for (size_t i = at + 1; i < to; i++) {
        if (!is_access(l->records[i]) || l->claimed[i] || !answers(l->records[i], want).overlaps)
            continue;
        bytes += l->records[i]->what;
        uint32_t offset = l->records[i]->values[0] - want->address;
        moved |= offset < 8 ? moved_value(l->records[i]) << 8 * offset : 0;
        routine |= is_routine(l->records[i]->pc);
        l->claimed[i] = true;
    }
    if (!bytes)
        return REMOVED;
    if (!routine && bytes == want->size && bytes <= 8)
        judge_value(l, at, want->address, moved);
    return routine ? ROUTINE : bytes < want->size ? NARROW : PIECES;
}

/* No access in its window: perhaps some windows before or after. */
static verdict look_around(const lane *l, size_t at, const entry *want)
{
    size_t from = at, to = at;
    for (int i = 0; i < REACH; i++) {
        from = from ? window_start(l, from) : 0;
        from -= from > 0;
        to = to < l->count ? window_end(l, to) : to;
    }
    size_t found = find_answer(l, from, to, want, true);
    if (found == SIZE_MAX)
        found = find_answer(l, from, to, want, false);
    if (found == SIZE_MAX)
        return REMOVED;
    l->claimed[found] = answers(l->records[found], want).exact;
    return MOVED;
}

/* First all that are as announced, in their windows, so that they claim their accesses; then those that are otherwise
 * there; then those that are elsewhere. */
static verdict judge(const lane *l, size_t at, const entry *want, uint32_t flags, int pass)
{
    size_t from = at + 1, to = statement_end(l, at, flags);
    if (pass == 2)
        return look_around(l, at, want);
    size_t found = find_answer(l, from, to, want, true);
    if (found != SIZE_MAX) {
        l->claimed[found] = true;
        judge_value(l, at, want->address, moved_value(l->records[found]));
        return is_routine(l->records[found]->pc) ? ROUTINE : EXACT;
    }
    if (pass == 0)
        return REMOVED;
    found = find_answer(l, from, to, want, false);
    return found != SIZE_MAX ? WIDE : look_for_parts(l, at, to, want);
}

static void judge_lane(const lane *l, uint32_t *by_site)
{
    for (int pass = 0; pass < 3; pass++) {
        uint32_t length = 0; /* of the next access, if it was told */
        for (size_t i = 0; i < l->count; i++) {
            const probe_record *r = l->records[i];
            const descriptor_site *site;
            if (r->kind == PROBE_CALL && flags_of_site(r) & DESCRIPTOR_SITE_LENGTH)
                length = r->values[1];
            if (!announces(r) || l->claimed[i] || !(site = descriptors_site(all, r->values[0])))
                continue;
            entry want = access_entry(r->context, r->values[0], r->values[1]);
            bool block = want.size == 0 && site->flags & DESCRIPTOR_SITE_CALL;
            if (block)
                want.size = length;
            verdict v = block && length == 0 ? EXACT : judge(l, i, &want, site->flags, pass);
            l->claimed[i] = v != REMOVED; /* of a probe: it is judged */
            if (v != REMOVED || pass == 2)
                by_site[(size_t)r->values[0] * VERDICTS + v]++;
        }
    }
}

static void print_sites(const uint32_t *by_site)
{
    for (uint32_t site = 0; site < all->site_end; site++) {
        const uint32_t *counts = by_site + (size_t)site * VERDICTS;
        const descriptor_site *s = descriptors_site(all, site);
        uint32_t total = 0;
        for (int v = 0; v < VERDICTS; v++)
            total += counts[v];
        for (int v = EXACT + 1; v < VERDICTS; v++)
            if (counts[v])
                printf("# %-7s %7u of %7u  %s:%u %s %s, %u bytes, flags %x: %s\n", verdict_names[v], counts[v], total,
                       s->place.file, s->place.line, descriptors_of_site(all, site)->name,
                       s->flags & DESCRIPTOR_SITE_STORE ? "stores" : "loads", s->size, s->flags, s->text);
    }
}

static void honesty(const probe_record *records, size_t count, bool verbose)
{
    uint32_t *by_site = calloc((size_t)all->site_end * VERDICTS + 1, sizeof *by_site);
    const probe_record **lanes = malloc((count + 1) * sizeof *lanes);
    bool *claimed = calloc(count + 1, 1);
    static size_t contexts[65536];
    size_t start = 0;
    if (!by_site || !lanes || !claimed)
        exit(2);
    for (size_t i = 0; i < count; i++)
        contexts[records[i].context]++;
    for (unsigned context = 0; context < 65536; context++) {
        lane l = {lanes + start, claimed + start, 0};
        for (size_t i = 0; contexts[context] && i < count; i++)
            if (records[i].context == context)
                l.records[l.count++] = &records[i];
        judge_lane(&l, by_site);
        start += l.count;
    }
    printf("honesty");
    for (int v = 0; v < VERDICTS; v++) {
        uint64_t sum = 0;
        for (uint32_t site = 0; site < all->site_end; site++)
            sum += by_site[(size_t)site * VERDICTS + (size_t)v];
        printf(" %s=%llu", verdict_names[v], (unsigned long long)sum);
    }
    puts("");
    if (all->count && all->function[0].flags & DESCRIPTOR_VALUES)
        printf("values equal=%llu other=%llu\n", (unsigned long long)values_equal, (unsigned long long)values_other);
    if (verbose)
        print_sites(by_site);
    free(by_site);
    free(lanes);
    free(claimed);
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
    app = program_open(argv[1], message, sizeof message);
    if (!app) {
        puts(message);
        return 1;
    }
    all = program_descriptors(app);
    probe_record *records = read_watch(argv[3], &count);
    if (!records || !read_told(argv[2], &told)) {
        puts("cannot read the trace or the watch");
        return 1;
    }
    count = keep_recorded(records, count);
    read_seen(records, count, &seen);
    bool fine = seen.count && compare(&seen, &told);
    if (!seen.count)
        puts("the emulator saw no probe");
    honesty(records, count, argc > 4);
    free(records);
    free(seen.entries);
    free(told.entries);
    program_close(app);
    return fine && !values_other ? 0 : 1;
}
