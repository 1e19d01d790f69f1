/* SPDX-License-Identifier: MIT */
#include "tests/lib/naive_slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

typedef struct part {
    uint64_t reads, writes;
    int access_first, access_count;
} part;

naive_event *naive_events;
size_t naive_event_count;
static size_t event_room;

naive_part *naive_parts;
size_t naive_part_count;
static size_t part_room;

static void part_add(uint32_t event, uint64_t reads_mask, uint64_t writes, uint32_t first, uint32_t count)
{
    naive_parts = memory_room(naive_parts, naive_part_count, &part_room, sizeof *naive_parts);
    naive_parts[naive_part_count++] = (naive_part){event, reads_mask, writes, first, count, NULL, 0};
    naive_events[event].part_count++;
}

static void need_add(naive_part *p, uint32_t other)
{
    p->needs = memory_grow(p->needs, p->need_count + 1, sizeof *p->needs);
    p->needs[p->need_count++] = other;
}

static void keep_event(const full_event *e)
{
    naive_events = memory_room(naive_events, naive_event_count, &event_room, sizeof *naive_events);
    naive_events[naive_event_count++] = (naive_event){.e = *e};
}

bool naive_slices_read(const char *full_path)
{
    char message[256];
    full_reader *in = full_open(full_path, message, sizeof message);
    static full_event e;
    if (!in) {
        printf("# %s\n", message);
        return false;
    }
    /* Static instructions live as long as the reader, so it stays open. */
    while (full_next(in, &e) > 0)
        keep_event(&e);
    return full_error(in) == NULL;
}

static void parts_of_exception(uint32_t i, bool chained)
{
    const full_event *e = &naive_events[i].e;
    static const uint64_t stacked[8] = {1, 2, 4, 8, 1 << 12, 1 << 14, 0, 1 << NAIVE_FLAGS};
    for (int k = 0; k < 8 && !chained; k++)
        part_add(i, 1 << 13 | (e->entry ? stacked[k] : 0), e->entry ? 0 : stacked[k], (uint32_t)k, 1);
    part_add(i, 1 << 13, 1 << 13, 0, 0);
    if (e->entry)
        part_add(i, 0, 1 << 14, 0, 0);
}

static void parts_of_instruction(uint32_t i)
{
    const full_event *e = &naive_events[i].e;
    naive_line *t = naive_events[i].t = naive_line_at(e->instruction->pc);
    naive_reads r = naive_reads_of(t, e->instruction->condition);
    uint64_t flags = e->instruction->condition < 14 ? 1 << NAIVE_FLAGS : 0, w = e->written;
    uint64_t base = r.base >= 0 && r.base < 15 ? UINT64_C(1) << r.base : 0;
    bool base_loaded = false;
    for (int k = 0; r.load && k < r.moved_count; k++)
        base_loaded |= r.moved[k] == r.base;
    bool base_moves = base && (w & base) && !base_loaded && (r.load || r.store);
    if (!e->passed) {
        part_add(i, flags, 0, 0, 0);
    } else if (r.multiple) {
        for (uint32_t k = 0; k < e->access_count; k++) {
            uint64_t moved = r.moved[k] < 15 ? UINT64_C(1) << r.moved[k] : 0;
            part_add(i, flags | base | (r.store ? moved : 0), r.load ? moved & w : 0, k, 1);
        }
        if (base_moves)
            part_add(i, flags | base, base, 0, 0);
    } else if (base_moves) {
        part_add(i, r.all, w & ~base, 0, e->access_count);
        part_add(i, flags | base, base, 0, 0);
    } else {
        part_add(i, r.all, w, 0, e->access_count);
    }
}

/* ---- procedures, ways, control dependence ---- */

static uint32_t procedure_of(uint32_t pc)
{
    uint32_t at = pc / 2;
    while (at && !naive_starts[at])
        at--;
    return 2 * at;
}

static bool is_call(const naive_line *t)
{
    return !strcmp(t->name, "bl") || naive_begins(t->name, "blx");
}

static bool list_with_pc(const naive_line *t)
{
    const char *brace = strchr(t->operands, '{');
    return brace && strstr(brace, "pc");
}

/* How the instruction ends: 0 goes on, 1 direct branch, 2 return, 3 jump through a table. */
static int ending(const naive_line *t)
{
    if (naive_begins(t->name, "tbb") || naive_begins(t->name, "tbh"))
        return 3;
    if (naive_begins(t->name, "cb"))
        return 1;
    if (naive_begins(t->name, "bx") || naive_begins(t->name, "udf"))
        return 2;
    if (naive_begins(t->name, "pop") || naive_begins(t->name, "ldm"))
        return list_with_pc(t) ? 2 : 0;
    if (t->name[0] == 'b' && !is_call(t) && !naive_begins(t->name, "bic") && !naive_begins(t->name, "bfi") &&
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
static jump *jumps; /* through tables, within a procedure */
static size_t jump_count;

/* Ways of an instruction inside its procedure; -1 is its exit. */
static int ways_of(uint32_t pc, int64_t ways[300])
{
    const naive_line *t = naive_line_at(pc);
    int count = 0, end = ending(t);
    bool falls =
        end == 0 || conditional[pc / 2] || naive_begins(t->name, "cb") || (end == 1 && t->name[1] && t->name[1] != '.');
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
        if (ways[i] >= 0 &&
            (procedure_of((uint32_t)ways[i]) != procedure_of(pc) || !naive_line_at((uint32_t)ways[i])->known))
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

/* Procedures that executed: their instructions and which of them control which. */
typedef struct procedure {
    uint32_t start, end, count;
    uint32_t *pcs;
    uint8_t *exits;    /* an endless loop's way out */
    uint8_t *controls; /* [x * count + b] */
} procedure;
static procedure *procedures;
static size_t procedure_count;

static int index_of(const procedure *p, int64_t pc)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->pcs[i] == pc)
            return (int)i;
    return -1;
}

/* From which instructions the exit is reached without passing `without` (-1: none). */
static void reach_exit(const procedure *p, int without, uint8_t *reaches, int (*table)[300], const int *counts)
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

static void find_controls(procedure *p)
{
    int(*table)[300] = calloc(p->count, sizeof *table), *counts = calloc(p->count, sizeof *counts);
    uint8_t *reaches = calloc(p->count + 1, 1);
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t ways[300];
        counts[i] = ways_of(p->pcs[i], ways);
        for (int k = 0; k < counts[i]; k++)
            table[i][k] = ways[k] < 0 ? -1 : index_of(p, ways[k]);
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

static procedure *procedure_at(uint32_t pc)
{
    uint32_t start = procedure_of(pc);
    for (size_t i = 0; i < procedure_count; i++)
        if (procedures[i].start == start)
            return &procedures[i];
    procedures = memory_grow(procedures, procedure_count + 1, sizeof *procedures);
    procedure *p = &procedures[procedure_count++];
    *p = (procedure){.start = start};
    uint32_t at = start / 2, limit = at + 1;
    while (limit < NAIVE_PC_MAX && !naive_starts[limit])
        limit++;
    for (; at < limit; at++)
        if (naive_text[at].known) {
            p->pcs = memory_grow(p->pcs, p->count + 1, sizeof *p->pcs);
            p->pcs[p->count++] = 2 * at;
        }
    p->exits = calloc(p->count + 1, 1);
    p->controls = calloc((size_t)p->count * p->count + 1, 1);
    find_controls(p);
    return p;
}

/* Starts that only the run shows, and ways of jump tables. */
static void scan_run(void)
{
    for (size_t i = 0; i + 1 < naive_event_count; i++) {
        if (naive_events[i + 1].e.kind == FULL_EXCEPTION)
            continue;
        uint32_t next = naive_events[i + 1].e.instruction->pc;
        if (naive_events[i].e.kind == FULL_EXCEPTION) {
            if (naive_events[i].e.entry)
                naive_starts[next / 2] = true;
            continue;
        }
        if (!naive_events[i].e.passed)
            continue;
        const naive_line *t = naive_line_at(naive_events[i].e.instruction->pc);
        if (is_call(t))
            naive_starts[next / 2] = true;
        if (ending(t) == 3) {
            jumps = memory_grow(jumps, jump_count + 1, sizeof *jumps);
            jump new = {naive_events[i].e.instruction->pc, next};
            bool known = false;
            for (size_t k = 0; k < jump_count; k++)
                known |= jumps[k].from == new.from &&jumps[k].to == new.to;
            if (!known)
                jumps[jump_count++] = new;
        }
    }
}

/* ---- dependences ---- */

enum { NONE = -1, ACTIVATIONS = 4096 };

/* Where a handler stopped the run: the last event before it (NONE: there was none), and the last part. */
typedef struct stopped {
    int32_t event, part;
} stopped;

typedef struct activation {
    uint32_t procedure, back;
    int32_t caller; /* part */
    bool handler;
    uint32_t frame;
    stopped at;           /* of a handler */
    int32_t *last_branch; /* by instruction of the procedure: part, or NONE */
} activation;

static activation stack[ACTIVATIONS];
static int depth;

/* A thread that was switched away from: its activations below the handler, found by the handler's frame. */
typedef struct thread_kept {
    uint32_t frame;
    stopped at;
    int depth;
    activation *stack;
} thread_kept;

static thread_kept threads[64];

static void push_activation(uint32_t pc, uint32_t back, int32_t caller, bool handler, uint32_t frame)
{
    activation *a = &stack[depth++];
    procedure *p = procedure_at(pc);
    *a = (activation){.procedure = p->start, .back = back, .caller = caller, .handler = handler, .frame = frame};
    a->last_branch = malloc((p->count + 1) * sizeof *a->last_branch);
    for (uint32_t i = 0; i < p->count; i++)
        a->last_branch[i] = NONE;
}

static void pop_activation(void)
{
    free(stack[--depth].last_branch);
}

static void replace_activation(uint32_t pc, int32_t caller)
{
    activation old = stack[depth - 1];
    pop_activation();
    push_activation(pc, old.back, caller, old.handler, old.frame);
    stack[depth - 1].at = old.at;
}

/* Where control goes from event i to the instruction at pc. */
static void follow(const naive_event *k, uint32_t pc, int32_t last_part)
{
    const naive_line *t = k->t;
    int end = k->e.passed ? ending(t) : 0;
    bool leaves = procedure_of(pc) != stack[depth - 1].procedure;
    if (k->e.passed && is_call(t)) {
        push_activation(pc, k->e.instruction->pc + k->e.instruction->size, last_part, false, 0);
        return;
    }
    if (end == 2 || (end == 3 && leaves)) {
        for (int d = depth - 1; d > 0 && !stack[d].handler; d--)
            if (stack[d].back == pc) {
                while (depth > d)
                    pop_activation();
                return;
            }
        for (int d = depth - 1; d >= 0 && !naive_starts[pc / 2]; d--) {
            if (stack[d].procedure == procedure_of(pc)) {
                while (depth > d + 1)
                    pop_activation();
                return;
            }
            if (stack[d].handler)
                break;
        }
        replace_activation(pc, last_part);
        return;
    }
    if (leaves)
        replace_activation(pc, last_part);
}

static int32_t parent_of(uint32_t pc)
{
    activation *a = &stack[depth - 1];
    procedure *p = procedure_at(pc);
    int x = index_of(p, pc);
    int32_t best = NONE;
    for (uint32_t b = 0; x >= 0 && b < p->count; b++)
        if (p->controls[(uint32_t)x * p->count + b] && a->last_branch[b] > best)
            best = a->last_branch[b];
    return best != NONE ? best : a->caller;
}

static int32_t *pages[1 << 20];

static int32_t *byte_at(uint32_t address)
{
    int32_t **page = &pages[address >> 12];
    if (!*page) {
        *page = malloc(4096 * sizeof **page);
        for (int i = 0; i < 4096; i++)
            (*page)[i] = NONE;
    }
    return &(*page)[address & 4095];
}

static int32_t defined_by[64];

/* Reads first, for all naive_parts; then what they write. */
static void depend(uint32_t i, int32_t parent, const full_access *accesses)
{
    naive_event *k = &naive_events[i];
    for (uint32_t q = k->first_part; q < k->first_part + k->part_count; q++) {
        naive_part *p = &naive_parts[q];
        for (int loc = 0; loc < 64; loc++)
            if (p->reads >> loc & 1 && defined_by[loc] != NONE)
                need_add(p, (uint32_t)defined_by[loc]);
        if (parent != NONE)
            need_add(p, (uint32_t)parent);
    }
    for (uint32_t q = k->first_part; q < k->first_part + k->part_count; q++) {
        naive_part *p = &naive_parts[q];
        for (uint32_t a = p->access_first; a < p->access_first + p->access_count; a++)
            for (uint32_t b = 0; b < accesses[a].size; b++) {
                int32_t *by = byte_at(accesses[a].address + b);
                if (accesses[a].store)
                    *by = (int32_t)q;
                else if (*by != NONE)
                    need_add(p, (uint32_t)*by);
            }
    }
    for (uint32_t q = k->first_part; q < k->first_part + k->part_count; q++)
        for (int loc = 0; loc < 64; loc++)
            if (naive_parts[q].writes >> loc & 1)
                defined_by[loc] = (int32_t)q;
}

static uint32_t handler_frame(void)
{
    for (int d = depth - 1; d >= 0; d--)
        if (stack[d].handler)
            return stack[d].frame;
    return 0;
}

/* Ends the handler on top. What was stopped at `frame` goes on; depth 0 means a new thread. */
static stopped end_handler(uint32_t frame)
{
    int kept = 0, next = 0;
    activation handler = stack[depth - 1];
    pop_activation();
    if (handler.frame == frame)
        return handler.at;
    while (threads[kept].stack)
        kept++;
    threads[kept] = (thread_kept){handler.frame, handler.at, depth, malloc(sizeof stack)};
    memcpy(threads[kept].stack, stack, sizeof stack);
    while (next < 64 && !(threads[next].stack && threads[next].frame == frame))
        next++;
    depth = next < 64 ? threads[next].depth : 0;
    if (next == 64)
        return (stopped){NONE, NONE};
    memcpy(stack, threads[next].stack, sizeof stack);
    free(threads[next].stack);
    threads[next].stack = NULL;
    return threads[next].at;
}

static stopped resumed = {NONE, NONE}; /* what goes on after an exception return */

static void exception_event(uint32_t i)
{
    const full_event *e = &naive_events[i].e;
    bool chained = e->entry && e->from && (e->registers[14] & 8 || handler_frame() == e->frame);
    int32_t last = (int32_t)naive_part_count - 1;
    full_access accesses[8];
    for (uint32_t k = 0; k < 8; k++)
        accesses[k] = (full_access){.address = e->frame + 4 * k, .size = 4, .store = e->entry};
    parts_of_exception(i, chained);
    stopped at = i && naive_events[i - 1].e.kind == FULL_EXECUTED ? (stopped){(int32_t)i - 1, last} : resumed;
    depend(i, NONE, accesses);
    if (chained || !e->entry) {
        while (!stack[depth - 1].handler)
            pop_activation();
        at = end_handler(e->frame);
    }
    resumed = e->entry ? (stopped){NONE, NONE} : at;
    if (e->entry) {
        push_activation(e->pc, UINT32_MAX, NONE, true, e->frame);
        stack[depth - 1].at = at;
    }
}

static void find_dependences(void)
{
    for (int loc = 0; loc < 64; loc++)
        defined_by[loc] = NONE;
    for (uint32_t i = 0; i < naive_event_count; i++) {
        naive_event *k = &naive_events[i];
        k->first_part = (uint32_t)naive_part_count;
        if (k->e.kind == FULL_EXCEPTION) {
            exception_event(i);
            continue;
        }
        uint32_t pc = k->e.instruction->pc;
        if (i && naive_events[i - 1].e.kind == FULL_EXECUTED)
            follow(&naive_events[i - 1], pc, (int32_t)naive_part_count - 1);
        else if (!depth)
            push_activation(pc, UINT32_MAX, NONE, false, 0);
        else if (i && resumed.event != NONE)
            follow(&naive_events[resumed.event], pc, resumed.part);
        parts_of_instruction(i);
        depend(i, parent_of(pc), k->e.accesses);
        int at = index_of(procedure_at(pc), pc);
        int64_t ways[300];
        if (at >= 0 && ways_of(pc, ways) > 1)
            stack[depth - 1].last_branch[at] = (int32_t)naive_part_count - 1;
    }
}

void naive_slices_prepare(const char *elf)
{
    conditional = calloc(NAIVE_PC_MAX + 8, 1);
    naive_text_read(elf);
    find_conditional();
    scan_run();
    find_dependences();
}

/* ---- slices ---- */

uint8_t *naive_slice(uint32_t event, bool forward)
{
    uint8_t *in = calloc(naive_part_count + 1, 1), *slice = calloc(naive_event_count + 1, 1);
    for (uint32_t q = naive_events[event].first_part;
         q < naive_events[event].first_part + naive_events[event].part_count; q++)
        in[q] = 1;
    if (forward) {
        for (size_t q = 0; q < naive_part_count; q++)
            for (uint32_t k = 0; k < naive_parts[q].need_count; k++)
                in[q] |= in[naive_parts[q].needs[k]];
    } else {
        for (size_t q = naive_part_count; q-- > 0;)
            for (uint32_t k = 0; in[q] && k < naive_parts[q].need_count; k++)
                in[naive_parts[q].needs[k]] = 1;
    }
    for (size_t q = 0; q < naive_part_count; q++)
        slice[naive_parts[q].event] |= in[q];
    free(in);
    return slice;
}
