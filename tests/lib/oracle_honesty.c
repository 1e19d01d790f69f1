/* SPDX-License-Identifier: MIT */
/* For each access that a probe announced: what the machine did. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/oracle.h"

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
    return r->kind == PROBE_CALL && r->what != CALL_MARK && !oracle_is_value(r) && !oracle_is_base(r);
}

static bool is_access(const probe_record *r)
{
    return r->kind == PROBE_LOAD || r->kind == PROBE_STORE;
}

/* In a function that the compiler plugin saw, or in a part of one that the compiler moved away. */
static bool instrumented(uint32_t pc)
{
    uint32_t offset;
    const char *name = program_symbol(oracle_app, pc, &offset);
    if (!name || strstr(name, ".cold"))
        return name != NULL;
    for (size_t i = 0; i < oracle_all->count; i++)
        if ((oracle_all->function[i].address & ~1u) == pc - offset)
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

/* How well an access of the machine matches an announced one. */
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

/* The first access from `from` to before `to` that matches exactly, or covers the announced one; SIZE_MAX: none. */
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

#define BLOCK (DESCRIPTOR_SITE_AGGREGATE | DESCRIPTOR_SITE_CALL)

/* Whether two probes announce accesses of the same statement: the second has the next site (a length may lie
 * between), on the same line, and is made as a whole as well. A copy is one load and one store. A call may have more:
 * strcat loads two blocks, then it stores. */
static bool same_statement(const probe_record *first, const probe_record *second)
{
    const descriptor_site *a = descriptors_site(oracle_all, first->values[0]),
                          *b = descriptors_site(oracle_all, second->values[0]);
    const descriptor_site *between = descriptors_site(oracle_all, first->values[0] + 1);
    uint32_t next_site = first->values[0] + (between && between->flags & DESCRIPTOR_SITE_LENGTH ? 2 : 1);
    bool copy = a && b && !(a->flags & DESCRIPTOR_SITE_STORE) && b->flags & DESCRIPTOR_SITE_STORE;
    bool call = a && b && (a->flags & b->flags & BLOCK) == BLOCK;
    return a && b && second->values[0] == next_site && a->place.line == b->place.line && a->flags & b->flags & WHOLES &&
           (copy || call || !(a->flags & DESCRIPTOR_SITE_AGGREGATE));
}

static bool announces(const probe_record *r)
{
    return r->kind == PROBE_CALL && (r->what == CALL_ACCESS || r->what == CALL_DERIVED) && !oracle_is_base(r);
}

/* Where a statement ends: before the probe of the next statement's access. A statement that copies more than a
 * register announces all its loads and its store first. If a routine does the copy, one path may end before it. */
static size_t statement_end(const lane *l, size_t at, uint32_t flags)
{
    size_t end = window_end(l, at), last = at;
    for (int more = 0; flags & WHOLES && more < 3 && end < l->count; more++) {
        if (announces(l->records[end]) && !same_statement(l->records[last], l->records[end]))
            break;
        last = announces(l->records[end]) ? end : last;
        end = window_end(l, end);
    }
    return end;
}

/* The window before the probe at `at`: from the probe before it. */
static size_t window_start(const lane *l, size_t at)
{
    while (at > 0 && !is_probe(l->records[at - 1]))
        at--;
    return at;
}

/* Accesses made as announced, or in pieces, by whether the machine moved the recorded value. */
static uint64_t values_equal, values_other;

static uint64_t moved_value(const probe_record *r)
{
    return (uint64_t)r->values[2] << 32 | r->values[1];
}

/* The value of a bit-field is its own bits, which stand somewhere among those that hold it. */
static bool holds(uint64_t bytes, uint64_t bits)
{
    uint64_t mask = 1;
    while (bits & ~mask)
        mask = mask << 1 | 1;
    for (unsigned shift = 0; shift < 64; shift++)
        if ((bytes >> shift & mask) == bits)
            return true;
    return false;
}

/* Compares the value that the machine moved at `address` with the one recorded for the announced access `at`. Its
 * value probe, if any, comes before the next access probe. */
static void judge_value(const lane *l, size_t at, uint32_t address, uint64_t moved)
{
    bool device = (address >= 0x40000000 && address < 0x60000000) || address >= 0xa0000000; /* Armv7-M's memory map */
    for (size_t i = at + 1; !device && i < l->count && !is_probe(l->records[i]); i++) {
        if (!oracle_is_value(l->records[i]) || l->records[i]->values[0] != l->records[at]->values[0])
            continue;
        uint64_t told = oracle_value(l->records[i]);
        const descriptor_site *site = descriptors_site(oracle_all, l->records[at]->values[0]);
        bool equal = site && site->flags & DESCRIPTOR_SITE_BITFIELD ? holds(moved, told) : told == moved;
        values_equal += equal;
        if (!equal && values_other++ < 5)
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

/* No access in its window: looks some windows before and after. */
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

/* Pass 0 takes accesses made as announced, in their windows, so that they claim theirs first. Pass 1 takes those
 * made in another way there. Pass 2 takes those made elsewhere. */
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
        uint32_t length = 0; /* of the next access, if a probe reported it */
        for (size_t i = 0; i < l->count; i++) {
            const probe_record *r = l->records[i];
            const descriptor_site *site;
            if (r->kind == PROBE_CALL && oracle_flags(r) & DESCRIPTOR_SITE_LENGTH)
                length = r->values[1];
            if (!announces(r) || l->claimed[i] || !(site = descriptors_site(oracle_all, r->values[0])))
                continue;
            entry want = oracle_access(r->context, r->values[0], r->values[1]);
            bool block = want.size == 0 && site->flags & DESCRIPTOR_SITE_CALL;
            if (block)
                want.size = length;
            verdict v = block && length == 0 ? EXACT : judge(l, i, &want, site->flags, pass);
            l->claimed[i] = v != REMOVED; /* for a probe, claimed means judged */
            if (v != REMOVED || pass == 2)
                by_site[(size_t)r->values[0] * VERDICTS + v]++;
        }
    }
}

static void print_sites(const uint32_t *by_site)
{
    for (uint32_t site = 0; site < oracle_all->site_end; site++) {
        const uint32_t *counts = by_site + (size_t)site * VERDICTS;
        const descriptor_site *s = descriptors_site(oracle_all, site);
        uint32_t total = 0;
        for (int v = 0; v < VERDICTS; v++)
            total += counts[v];
        for (int v = EXACT + 1; v < VERDICTS; v++)
            if (counts[v])
                printf("# %-7s %7u of %7u  %s:%u %s %s, %u bytes, flags %x: %s\n", verdict_names[v], counts[v], total,
                       s->place.file, s->place.line, descriptors_of_site(oracle_all, site)->name,
                       s->flags & DESCRIPTOR_SITE_STORE ? "stores" : "loads", s->size, s->flags, s->text);
    }
}

uint64_t oracle_honesty(const probe_record *records, size_t count, bool verbose)
{
    uint32_t *by_site = calloc((size_t)oracle_all->site_end * VERDICTS + 1, sizeof *by_site);
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
        for (uint32_t site = 0; site < oracle_all->site_end; site++)
            sum += by_site[(size_t)site * VERDICTS + (size_t)v];
        printf(" %s=%llu", verdict_names[v], (unsigned long long)sum);
    }
    puts("");
    if (oracle_all->count && oracle_all->function[0].flags & DESCRIPTOR_VALUES)
        printf("values equal=%llu other=%llu\n", (unsigned long long)values_equal, (unsigned long long)values_other);
    if (verbose)
        print_sites(by_site);
    free(by_site);
    free(lanes);
    free(claimed);
    return values_other;
}
