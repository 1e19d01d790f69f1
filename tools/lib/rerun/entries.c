/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/entries.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/format.h"
#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/machine/decode.h"
#include "tools/lib/machine/thumb.h"
#include "tools/lib/machine/writes.h"
#include "tools/lib/rerun/core.h"

static const struct {
    const char *name;
    rerun_entry kind;
} named[] = {
    {"weft_input_memory", RERUN_FORGET}, {"__weft_path", RERUN_PATH},
    {"__weft_loop", RERUN_LOOP},         {"__weft_loop_path", RERUN_LOOP_PATH},
    {"__weft_packed", RERUN_PACK},       {"__weft_packed_full", RERUN_PACK},
    {"__weft_value", RERUN_VALUE},       {"__weft_value64", RERUN_VALUE64},
    {"__weft_handler", RERUN_HANDLER},   {"__weft_access", RERUN_ACCESS},
    {"weft_check", RERUN_CHECK},         {"__weft_input", RERUN_INPUT},
    {"__weft_mark", RERUN_PROBE},        {"__weft_derived", RERUN_PROBE},
    {"weft_target_begin", RERUN_BEGIN},  {"weft_start", RERUN_BEGIN},
    {"weft_target_end", RERUN_END},      {"weft_stop", RERUN_END},
    {"weft_stop_for_good", RERUN_END},   {"weft_target_done", RERUN_CALL},
    {"weft_systick_tick", RERUN_CALL},   {"weft_poll", RERUN_CALL},
    {"weft_poll_in", RERUN_CALL},        {"weft_event", RERUN_CALL},
    {"weft_event2", RERUN_CALL},         {"weft_event_name", RERUN_CALL},
    {"weft_thread_name", RERUN_CALL},    {"weft_exception_name", RERUN_CALL},
    {"weft_thread_switch", RERUN_CALL},  {"__weft_input_piece", RERUN_MEMORY},
    {"weft_check_memory", RERUN_SUM},
};

#define RETURN 0x4770 /* bx lr */

/* Parts of probes, which these go on to: before their event, or (ARMv6-M) with interrupts masked before; then the place
 * says whether the event is under way. */
static const char *const parts[] = {"put_other", "put_access"};

typedef struct place {
    uint32_t pc, back;
    rerun_entry kind;
} place;

struct rerun_entries {
    const image *im;
    place all[WEFT_COUNT(named)]; /* by pc */
    size_t count;
    uint32_t *before; /* instructions that a probe executes before its event, and only then */
    size_t before_count, before_max;
    bool part[WEFT_COUNT(parts)]; /* whether a probe goes on to it before its event */
};

static int by_pc(const void *a, const void *b)
{
    const place *one = a, *other = b;
    return (one->pc > other->pc) - (one->pc < other->pc);
}

/* The first `bx lr` of a function; 0: it has none. */
static uint32_t return_of(const image *im, uint32_t address, uint32_t size)
{
    for (uint32_t at = address; size >= 2 && at - address <= size - 2;) {
        const uint8_t *bytes = image_data_end(&im->symbols, at) ? NULL : image_bytes(im, at, 2);
        if (!bytes)
            return 0;
        uint16_t first = (uint16_t)(bytes[0] | bytes[1] << 8);
        if (first == RETURN)
            return at;
        at += thumb_size(first);
    }
    return 0;
}

static bool half_at(const image *im, uint32_t at, uint16_t *half)
{
    const uint8_t *bytes = image_data_end(&im->symbols, at) ? NULL : image_bytes(im, at, 2);
    *half = bytes ? (uint16_t)(bytes[0] | bytes[1] << 8) : 0;
    return bytes;
}

static bool is_exclusive_store(uint16_t first)
{
    return (first & 0xfff0) == 0xe840;
}

/* False: what stands there is not known. */
static bool decode(const image *im, uint32_t at, thumb_insn *insn)
{
    uint16_t first, second = 0;
    if (!half_at(im, at, &first) || (thumb_size(first) == 4 && !half_at(im, at + 2, &second)))
        return false;
    uint8_t bytes[4] = {(uint8_t)first, (uint8_t)(first >> 8), (uint8_t)second, (uint8_t)(second >> 8)};
    thumb_decode(insn, at, bytes, thumb_size(first), THUMB_ALWAYS);
    return true;
}

enum { INSTRUCTIONS = 256 }; /* most in a probe; of what is longer, the rest is taken to come after the event */

/* The instructions of a function, in order. */
typedef struct body {
    const image *im;
    uint32_t address, size;
    thumb_insn insn[INSTRUCTIONS];
    bool event[INSTRUCTIONS], from_start[INSTRUCTIONS], to_event[INSTRUCTIONS];
    unsigned count;
} body;

static unsigned index_of(const body *b, uint32_t pc)
{
    unsigned i = 0;
    while (i < b->count && b->insn[i].pc != pc)
        i++;
    return i;
}

static bool within(const body *b, uint32_t pc)
{
    return pc - b->address < b->size;
}

/* By an exclusive store, or with interrupts masked (cpsid i). Where neither is, what is called records. */
static void mark_events(body *b)
{
    bool any = false;
    for (unsigned i = 0; i < b->count; i++) {
        uint16_t first;
        b->event[i] = half_at(b->im, b->insn[i].pc, &first) && (first == 0xb672 || is_exclusive_store(first));
        any |= b->event[i];
    }
    for (unsigned i = 0; i < b->count && !any; i++)
        b->event[i] =
            b->insn[i].flow == THUMB_CALL || (b->insn[i].flow == THUMB_BRANCH && !within(b, b->insn[i].target));
}

/* What may come after an instruction, within the function: its next, its target; INSTRUCTIONS: nothing. */
static void successors(const body *b, unsigned i, unsigned next[2])
{
    const thumb_insn *insn = &b->insn[i];
    bool goes =
        insn->flow == THUMB_NEXT || insn->flow == THUMB_CALL || insn->flow == THUMB_CALL_INDIRECT || insn->falls;
    next[0] = goes && i + 1 < b->count ? i + 1 : INSTRUCTIONS;
    next[1] = INSTRUCTIONS;
    if (insn->flow == THUMB_BRANCH && within(b, insn->target))
        next[1] = index_of(b, insn->target);
    if (next[1] >= b->count)
        next[1] = INSTRUCTIONS;
}

/* From the start, and back from the events, until nothing changes. */
static void follow(body *b)
{
    bool changes = b->count > 0;
    if (b->count)
        b->from_start[0] = true;
    while (changes) {
        changes = false;
        for (unsigned i = 0; i < b->count; i++) {
            unsigned next[2];
            successors(b, i, next);
            bool leads = b->event[i];
            for (unsigned k = 0; k < 2; k++) {
                if (next[k] == INSTRUCTIONS || b->event[i])
                    continue;
                leads |= b->to_event[next[k]];
                changes |= b->from_start[i] && !b->from_start[next[k]];
                b->from_start[next[k]] |= b->from_start[i];
            }
            changes |= leads && !b->to_event[i];
            b->to_event[i] |= leads;
        }
    }
}

/* Which parts are gone on to from there. */
static void mark_parts(rerun_entries *entries, const body *b)
{
    uint32_t address, size;
    for (size_t k = 0; k < WEFT_COUNT(parts); k++) {
        if (!image_symbol_named(entries->im, parts[k], &address, &size))
            continue;
        for (unsigned i = 0; i < b->count; i++) {
            const thumb_insn *insn = &b->insn[i];
            bool leads = insn->flow == THUMB_BRANCH || insn->flow == THUMB_CALL;
            entries->part[k] |= leads && b->from_start[i] && insn->target == address;
        }
    }
}

/* The instructions of a probe that come before its event. */
static void add_before(rerun_entries *entries, uint32_t address, uint32_t size)
{
    body *b = memory_zero(1, sizeof *b);
    b->im = entries->im;
    b->address = address;
    b->size = size;
    for (uint32_t at = address; within(b, at) && b->count < INSTRUCTIONS && decode(b->im, at, &b->insn[b->count]);
         b->count++)
        at += b->insn[b->count].size;
    mark_events(b);
    follow(b);
    mark_parts(entries, b);
    for (unsigned i = 0; i < b->count; i++) {
        if (!b->from_start[i] || !b->to_event[i])
            continue;
        entries->before = memory_room(entries->before, entries->before_count, &entries->before_max, sizeof(uint32_t));
        entries->before[entries->before_count++] = b->insn[i].pc;
    }
    free(b);
}

static bool is_before(const rerun_entries *entries, uint32_t pc)
{
    for (size_t i = 0; i < entries->before_count; i++)
        if (entries->before[i] == pc)
            return true;
    return false;
}

bool rerun_entries_before_event(const rerun_entries *entries, uint32_t pc, const uint8_t r[4])
{
    uint16_t first, earlier;
    thumb_insn insn;
    if (is_before(entries, pc))
        return true;
    if (!half_at(entries->im, pc, &first) || !decode(entries->im, pc, &insn))
        return false;
    unsigned reg = first & 7;
    if ((first & 0xf500) == 0xb100 && half_at(entries->im, pc - 4, &earlier) && is_exclusive_store(earlier))
        return reg < 4 && r[reg] != weft_stacked_hash(0);                               /* whether it has stored */
    return insn.flow == THUMB_BRANCH && !insn.falls && is_before(entries, insn.target); /* it tries again */
}

/* ---- what calls lead to ---- */

enum { REACHED_MAX = 512 };

typedef struct reached {
    uint32_t function[REACHED_MAX]; /* addresses */
    size_t count;
} reached;

static void reach(reached *all, uint32_t function)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->function[i] == function)
            return;
    if (all->count < REACHED_MAX)
        all->function[all->count++] = function;
}

static void follow_calls(const image *im, reached *all, const image_symbol *f)
{
    thumb_insn insn;
    for (uint32_t at = f->address; at - f->address < f->size && decode(im, at, &insn); at += insn.size) {
        const image_symbol *to =
            insn.flow == THUMB_BRANCH || insn.flow == THUMB_CALL ? image_function(&im->symbols, insn.target) : NULL;
        if (to)
            reach(all, to->address);
    }
}

bool rerun_entries_reach(const rerun_entries *entries, uint32_t entry, uint32_t pc)
{
    reached all = {.count = 0};
    const image_symbol *wanted = image_function(&entries->im->symbols, pc);
    if (entry)
        reach(&all, entry);
    for (size_t i = 0; !entry && i < entries->count; i++)
        if (entries->all[i].kind < RERUN_PROBE)
            reach(&all, entries->all[i].pc);
    for (size_t i = 0; wanted && i < all.count; i++) {
        const image_symbol *f = image_function(&entries->im->symbols, all.function[i]);
        if (f == wanted)
            return true;
        if (f)
            follow_calls(entries->im, &all, f);
    }
    return false;
}

bool rerun_entries_calls(const rerun_entries *entries, uint32_t function, rerun_entry kind)
{
    reached all = {.count = 0};
    const image_symbol *f = image_function(&entries->im->symbols, function);
    uint32_t back;
    if (f)
        follow_calls(entries->im, &all, f);
    for (size_t i = 0; i < all.count; i++)
        if (rerun_entries_at(entries, all.function[i], &back) == kind)
            return true;
    return false;
}

static bool writes_link(const image *im, const thumb_insn *insn)
{
    uint16_t first, second = 0;
    return half_at(im, insn->pc, &first) && (insn->size == 2 || half_at(im, insn->pc + 2, &second)) &&
           thumb_writes(first, second, false) >> RERUN_LR & 1;
}

bool rerun_entries_keeps_link(const rerun_entries *entries, uint32_t pc)
{
    const image_symbol *f = image_function(&entries->im->symbols, pc);
    thumb_insn insn;
    for (uint32_t at = f ? f->address : 0; f && at - f->address < f->size; at += insn.size)
        if (!decode(entries->im, at, &insn) || writes_link(entries->im, &insn))
            return false;
    return f;
}

/* Functions that return otherwise take the return of another one. */
static void share_returns(rerun_entries *entries)
{
    uint32_t any = 0;
    for (size_t i = 0; i < entries->count; i++)
        any = any ? any : entries->all[i].back;
    for (size_t i = 0; i < entries->count; i++)
        entries->all[i].back = entries->all[i].back ? entries->all[i].back : any;
}

/* What Weft's start-up calls begins and ends the recording only where the program does not do that itself. */
static void tell_apart(rerun_entries *entries, const char *name, const char *does)
{
    uint32_t address, function, size;
    if (!image_symbol_named(entries->im, name, &address, &size) ||
        !image_symbol_named(entries->im, does, &function, &size) || rerun_entries_reach(entries, address, function))
        return;
    for (size_t i = 0; i < entries->count; i++)
        if (entries->all[i].pc == address)
            entries->all[i].kind = RERUN_CALL;
}

/* Memory is recorded piece by piece in a program that counts, and not at all in others. */
static bool takes_part(rerun_entry kind, bool counts)
{
    return counts ? kind != RERUN_FORGET : kind != RERUN_MEMORY;
}

rerun_entries *rerun_entries_find(const image *im)
{
    rerun_entries *entries = memory_zero(1, sizeof *entries);
    entries->im = im;
    bool counts = image_counter(im);
    for (size_t i = 0; i < WEFT_COUNT(named); i++) {
        uint32_t address, size;
        rerun_entry kind = named[i].kind;
        if (!image_symbol_named(im, named[i].name, &address, &size) || !takes_part(kind, counts))
            continue;
        if (kind == RERUN_SUM && !counts)
            kind = RERUN_CALL;
        entries->all[entries->count++] = (place){address, return_of(im, address, size), kind};
        if (kind < RERUN_PROBE)
            add_before(entries, address, size);
    }
    for (size_t i = 0; i < WEFT_COUNT(parts); i++) {
        uint32_t address, size;
        if (entries->part[i] && image_symbol_named(im, parts[i], &address, &size))
            add_before(entries, address, size);
    }
    tell_apart(entries, "weft_target_begin", "weft_start");
    tell_apart(entries, "weft_target_end", "weft_stop");
    share_returns(entries);
    qsort(entries->all, entries->count, sizeof *entries->all, by_pc);
    return entries;
}

void rerun_entries_free(rerun_entries *entries)
{
    if (entries)
        free(entries->before);
    free(entries);
}

bool rerun_entries_return(const rerun_entries *entries, uint32_t pc)
{
    for (size_t i = 0; i < entries->count; i++)
        if (entries->all[i].back == pc)
            return true;
    return false;
}

rerun_entry rerun_entries_at(const rerun_entries *entries, uint32_t pc, uint32_t *back)
{
    size_t low = bisect_below(entries->all, entries->count, sizeof *entries->all, offsetof(place, pc), pc);
    if (low == entries->count || entries->all[low].pc != pc)
        return RERUN_NO_ENTRY;
    *back = entries->all[low].back;
    return entries->all[low].kind;
}
