/* SPDX-License-Identifier: MIT */
#include "tests/lib/naive_slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/naive_control.h"
#include "tests/lib/naive_flags.h"
#include "tests/lib/naive_reads.h"
#include "tools/lib/base/memory.h"

naive_part *naive_parts;
size_t naive_part_count;
static size_t part_room;

static void part_add(uint32_t event, uint64_t reads_mask, uint64_t writes, uint32_t first, uint32_t count)
{
    const naive_event *k = &naive_events[event];
    bool exception = k->e.kind == FULL_EXCEPTION;
    reads_mask = naive_flags_read(reads_mask, k->t, exception ? 14 : k->e.instruction->condition, k->e.passed) |
                 naive_flags_kept(writes, k->t);
    writes = naive_flags_set(writes, k->t);
    naive_parts = memory_room(naive_parts, naive_part_count, &part_room, sizeof *naive_parts);
    naive_parts[naive_part_count++] = (naive_part){event, reads_mask, writes, first, count, NULL, 0};
    naive_events[event].part_count++;
}

static void need_add(naive_part *p, uint32_t other)
{
    p->needs = memory_grow(p->needs, p->need_count + 1, sizeof *p->needs);
    p->needs[p->need_count++] = other;
}

/* ARMv8.1-M clears r0-r3, r12 and the flags at an entry: that is so if each entry of the run has found them clear. */
static uint64_t cleared;

static void find_cleared(void)
{
    bool clear = false;
    for (size_t i = 0; i < naive_event_count; i++) {
        const full_event *e = &naive_events[i].e;
        if (e->kind != FULL_EXCEPTION || !e->entry)
            continue;
        clear = true;
        for (int k = 0; k < 5 && clear; k++)
            clear = !e->registers[k < 4 ? k : 12];
        if (!clear)
            break;
    }
    cleared = clear ? 0xf | 1 << 12 | 1 << NAIVE_FLAGS : 0;
}

static void parts_of_exception(uint32_t i, bool chained)
{
    const full_event *e = &naive_events[i].e;
    static const uint64_t stacked[8] = {1, 2, 4, 8, 1 << 12, 1 << 14, 0, 1 << NAIVE_FLAGS};
    for (int k = 0; k < 8 && !chained; k++)
        part_add(i, 1 << 13 | (e->entry ? stacked[k] : 0), e->entry ? 0 : stacked[k], (uint32_t)k, 1);
    part_add(i, 1 << 13, 1 << 13, 0, 0);
    if (e->entry)
        part_add(i, 0, cleared | 1 << 14, 0, 0);
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
        int next = 0;
        for (uint32_t k = 0; k < e->access_count; k++) {
            uint64_t moved = 0;
            for (uint32_t words = (e->accesses[k].size + 3) / 4; words && next < r.moved_count; words--)
                moved |= naive_location(r.moved[next++]);
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
    naive_procedure *p = naive_procedure_at(pc);
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

/* The callee of a call has chosen where to come back: that is where the call branches. */
static void note_choice(uint32_t call, int32_t part)
{
    activation *a = &stack[depth - 1];
    int64_t ways[300];
    int at = call ? naive_index_of(naive_procedure_at(a->procedure), call) : -1;
    if (at >= 0 && naive_ways_of(call, ways) > 1)
        a->last_branch[at] = part;
}

/* Returns to `pc` where an activation waits for it, up to the handler that runs. False: none does. */
static bool return_to(uint32_t pc)
{
    for (int d = depth - 1; d > 0 && !stack[d].handler; d--)
        if (stack[d].back == pc) {
            while (depth > d)
                pop_activation();
            return true;
        }
    return false;
}

/* Goes on at `pc`, in the innermost activation of its procedure. False: there is none, up to the handler that runs. */
static bool go_on_in_procedure(uint32_t pc, int32_t last_part)
{
    for (int d = depth - 1; d >= 0 && !naive_starts[naive_place(pc)]; d--) {
        if (stack[d].procedure == naive_procedure_of(pc)) {
            uint32_t call = depth > d + 1 ? stack[d + 1].back - 4 : 0; /* bl has 4 bytes */
            while (depth > d + 1)
                pop_activation();
            note_choice(call, last_part);
            return true;
        }
        if (stack[d].handler)
            return false;
    }
    return false;
}

/* Where control goes from event i to the instruction at pc. */
static void follow(const naive_event *k, uint32_t pc, int32_t last_part)
{
    const naive_line *t = k->t;
    int end = k->e.passed ? naive_ending(t) : 0;
    bool leaves = naive_procedure_of(pc) != stack[depth - 1].procedure;
    if (k->e.passed && naive_is_call(t)) {
        push_activation(pc, k->e.instruction->pc + k->e.instruction->size, last_part, false, 0);
        return;
    }
    if (end == 2 || (end == 3 && leaves)) {
        if (!return_to(pc) && !go_on_in_procedure(pc, last_part))
            replace_activation(pc, last_part);
    } else if (leaves) {
        replace_activation(pc, last_part);
    }
}

static int32_t parent_of(uint32_t pc)
{
    activation *a = &stack[depth - 1];
    naive_procedure *p = naive_procedure_at(pc);
    int x = naive_index_of(p, pc);
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

/* What part `q` needs through memory, byte by byte; and what it leaves there. */
static void depend_on_memory(uint32_t q, const full_access *access)
{
    for (uint32_t b = 0; b < access->size; b++) {
        int32_t *by = byte_at(access->address + b);
        if (access->store)
            *by = (int32_t)q;
        else if (*by != NONE)
            need_add(&naive_parts[q], (uint32_t)*by);
    }
}

/* First what all parts read, then what they write. */
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
            depend_on_memory(q, &accesses[a]);
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
        int at = naive_index_of(naive_procedure_at(pc), pc);
        int64_t ways[300];
        if (at >= 0 && naive_ways_of(pc, ways) > 1)
            stack[depth - 1].last_branch[at] = (int32_t)naive_part_count - 1;
    }
}

void naive_slices_prepare(const char *elf)
{
    naive_control_read(elf);
    find_cleared();
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
