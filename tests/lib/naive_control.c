/* SPDX-License-Identifier: MIT */
#include "tests/lib/naive_control.h"

#include <stdlib.h>
#include <string.h>

#include "tests/lib/naive_run.h"
#include "tools/lib/base/memory.h"

uint32_t naive_procedure_of(uint32_t pc)
{
    uint32_t at = naive_place(pc);
    while (at && !naive_starts[at])
        at--;
    return naive_pc(at);
}

/* bleq is bl with a condition, ble a branch. */
bool naive_is_call(const naive_line *t)
{
    size_t length = strcspn(t->name, ".");
    return naive_begins(t->name, "blx") || (naive_begins(t->name, "bl") && (length == 2 || length == 4));
}

static bool list_with_pc(const naive_line *t)
{
    const char *brace = strchr(t->operands, '{');
    return brace && strstr(brace, "pc");
}

/* Conditional by itself: cbz, cbnz, and the loops of ARMv8.1-M. */
static bool branches_or_falls(const naive_line *t)
{
    return naive_begins(t->name, "cb") || !strcmp(t->name, "le") || !strcmp(t->name, "wls");
}

/* How the instruction ends: 0 goes on, 1 direct branch, 2 return, 3 jump through a table. */
int naive_ending(const naive_line *t)
{
    if (naive_begins(t->name, "tbb") || naive_begins(t->name, "tbh"))
        return 3;
    if (branches_or_falls(t))
        return 1;
    if (naive_begins(t->name, "bx") || naive_begins(t->name, "udf"))
        return 2;
    if (naive_begins(t->name, "pop") || naive_begins(t->name, "ldm"))
        return list_with_pc(t) ? 2 : 0;
    if (t->name[0] == 'b' && !naive_is_call(t) && !naive_begins(t->name, "bic") && !naive_begins(t->name, "bfi") &&
        !naive_begins(t->name, "bfc") && !naive_begins(t->name, "bkpt"))
        return 1;
    if (naive_begins(t->operands, "pc,") && !naive_begins(t->name, "cmp"))
        return strstr(t->operands, "lr") || strstr(t->operands, "[sp") ? 2 : 3;
    return 0;
}

static uint32_t target_of(const naive_line *t)
{
    const char *comma = strrchr(t->operands, ',');
    return (uint32_t)strtoul(comma ? comma + 1 : t->operands, NULL, 16);
}

/* Conditions of an IT block reach the instructions after it: is this one conditional? */
static bool *conditional;

static void find_conditional(void)
{
    for (uint32_t at = 0; at < NAIVE_PC_MAX; at++) {
        const naive_line *t = &naive_text[at];
        if (!t->known || t->name[0] != 'i' || t->name[1] != 't')
            continue;
        uint32_t next = at + 1;
        for (size_t k = 1; t->name[k] == 't' || t->name[k] == 'e'; k++) {
            conditional[next] = true;
            next += naive_text[next].size / 2;
        }
    }
}

typedef struct jump {
    uint32_t from, to;
} jump;
static jump *jumps; /* through tables, within a naive_procedure */
static size_t jump_count;

static jump *returns; /* of direct calls to callees that call nothing: the call, and where the run went on */
static size_t return_count;

static uint32_t target_at(uint32_t pc)
{
    const naive_line *t = naive_line_at(pc);
    return naive_begins(t->name, "blx") ? UINT32_MAX : target_of(t);
}

/* A call of what came back, but never after a call: a helper for switches. */
static bool chooses_return(uint32_t pc)
{
    bool elsewhere = false, after = false;
    uint32_t target = target_at(pc);
    for (size_t i = 0; i < return_count && target != UINT32_MAX; i++) {
        if (target_at(returns[i].from) != target)
            continue;
        bool is_after = returns[i].to == returns[i].from + naive_line_at(returns[i].from)->size;
        after |= is_after;
        elsewhere |= !is_after;
    }
    return elsewhere && !after;
}

/* Ways of an instruction inside its procedure; -1 is its exit. */
int naive_ways_of(uint32_t pc, int64_t ways[300])
{
    const naive_line *t = naive_line_at(pc);
    int count = 0, end = naive_ending(t);
    bool chooses = chooses_return(pc);
    for (size_t i = 0; i < return_count && chooses && count < 298; i++)
        if (returns[i].from == pc)
            ways[count++] = returns[i].to;
    bool falls = (end == 0 && !chooses) || conditional[naive_place(pc)] || branches_or_falls(t) ||
                 (end == 1 && t->name[1] && t->name[1] != '.');
    if (end == 1)
        ways[count++] = target_of(t);
    if (end == 2)
        ways[count++] = -1;
    if (end == 3)
        for (size_t i = 0; i < jump_count && count < 298; i++)
            if (jumps[i].from == pc)
                ways[count++] = jumps[i].to;
    if (falls)
        ways[count++] = pc + t->size;
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (ways[i] >= 0 && (naive_procedure_of((uint32_t)ways[i]) != naive_procedure_of(pc) ||
                             !naive_line_at((uint32_t)ways[i])->known))
            ways[i] = -1;
        bool twice = false;
        for (int k = 0; k < kept; k++)
            twice |= ways[k] == ways[i];
        if (!twice)
            ways[kept++] = ways[i];
    }
    if (!kept)
        ways[kept++] = -1;
    return kept;
}

static naive_procedure *procedures;
static size_t procedure_count;

int naive_index_of(const naive_procedure *p, int64_t pc)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->pcs[i] == pc)
            return (int)i;
    return -1;
}

/* From which instructions the exit is reached without passing `without` (-1: none). */
static void reach_exit(const naive_procedure *p, int without, uint8_t *reaches, int (*table)[300], const int *counts)
{
    memset(reaches, 0, p->count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = p->count; i-- > 0;) {
            if (reaches[i] || (int)i == without)
                continue;
            bool now = p->exits[i];
            for (int k = 0; k < counts[i]; k++)
                now |= table[i][k] < 0 || (table[i][k] != without && reaches[table[i][k]]);
            reaches[i] = now;
            changed |= now;
        }
    }
}

static void find_controls(naive_procedure *p)
{
    int(*table)[300] = calloc(p->count, sizeof *table), *counts = calloc(p->count, sizeof *counts);
    uint8_t *reaches = calloc(p->count + 1, 1);
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t ways[300];
        counts[i] = naive_ways_of(p->pcs[i], ways);
        for (int k = 0; k < counts[i]; k++)
            table[i][k] = ways[k] < 0 ? -1 : naive_index_of(p, ways[k]);
    }
    for (;;) { /* endless loops */
        int highest = -1;
        reach_exit(p, -1, reaches, table, counts);
        for (uint32_t i = 0; i < p->count; i++)
            if (!reaches[i])
                highest = (int)i;
        if (highest < 0)
            break;
        p->exits[highest] = 1;
    }
    for (uint32_t x = 0; x < p->count; x++) {
        reach_exit(p, (int)x, reaches, table, counts);
        /* x post-dominates y if y cannot reach the exit without x */
        for (uint32_t b = 0; b < p->count; b++) {
            if (counts[b] < 2)
                continue;
            bool one = false, strictly = b != x && !reaches[b];
            for (int k = 0; k < counts[b]; k++)
                one |= table[b][k] >= 0 && (table[b][k] == (int)x || !reaches[table[b][k]]);
            p->controls[x * p->count + b] = one && !strictly;
        }
    }
    free(table);
    free(counts);
    free(reaches);
}

naive_procedure *naive_procedure_at(uint32_t pc)
{
    uint32_t start = naive_procedure_of(pc);
    for (size_t i = 0; i < procedure_count; i++)
        if (procedures[i].start == start)
            return &procedures[i];
    procedures = memory_grow(procedures, procedure_count + 1, sizeof *procedures);
    naive_procedure *p = &procedures[procedure_count++];
    *p = (naive_procedure){.start = start};
    uint32_t at = naive_place(start), limit = at + 1;
    while (limit < NAIVE_PC_MAX && !naive_starts[limit])
        limit++;
    for (; at < limit; at++)
        if (naive_text[at].known) {
            p->pcs = memory_grow(p->pcs, p->count + 1, sizeof *p->pcs);
            p->pcs[p->count++] = naive_pc(at);
        }
    p->exits = calloc(p->count + 1, 1);
    p->controls = calloc((size_t)p->count * p->count + 1, 1);
    find_controls(p);
    return p;
}

static void add_once(jump **list, size_t *count, jump new)
{
    for (size_t k = 0; k < *count; k++)
        if ((*list)[k].from == new.from && (*list)[k].to == new.to)
            return;
    *list = memory_grow(*list, *count + 1, sizeof **list);
    (*list)[(*count)++] = new;
}

/* Event i, passed, led to the instruction at `next`. The call before it is in *call (0: none, or others came between);
 * the place of an instruction is never 0. */
static void scan_return(size_t i, uint32_t next, uint32_t *call)
{
    uint32_t pc = naive_events[i].e.instruction->pc;
    const naive_line *t = naive_line_at(pc);
    if (naive_is_call(t)) {
        *call = pc;
    } else if (naive_ending(t) == 2 && *call) {
        if (target_at(*call) != UINT32_MAX)
            add_once(&returns, &return_count, (jump){*call, next});
        *call = 0;
    }
}

/* Starts that only the run shows, and ways of jump tables. */
static void scan_run(void)
{
    uint32_t call = 0;
    for (size_t i = 0; i + 1 < naive_event_count; i++) {
        if (naive_events[i + 1].e.kind == FULL_EXCEPTION) {
            call = 0;
            continue;
        }
        uint32_t next = naive_events[i + 1].e.instruction->pc;
        if (naive_events[i].e.kind == FULL_EXCEPTION) {
            if (naive_events[i].e.entry)
                naive_starts[naive_place(next)] = true;
            continue;
        }
        if (!naive_events[i].e.passed)
            continue;
        const naive_line *t = naive_line_at(naive_events[i].e.instruction->pc);
        scan_return(i, next, &call);
        if (naive_is_call(t))
            naive_starts[naive_place(next)] = true;
        if (naive_ending(t) == 3)
            add_once(&jumps, &jump_count, (jump){naive_events[i].e.instruction->pc, next});
    }
}

void naive_control_read(const char *elf)
{
    conditional = calloc(NAIVE_PC_MAX + 8, 1);
    naive_text_read(elf);
    find_conditional();
    scan_run();
}
