/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/stacks.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/run.h"

/* SYSm of msr, and an exception */
enum { MAIN = 8, PROCESS = 9, CONTROL = 20, EXCEPTION = 256 };

/* What may change a stack pointer that is not sp, or which of them sp is. */
typedef struct change {
    uint32_t time, statement;
    uint16_t kind;
    uint32_t exception; /* its number in the list */
} change;

/* What was found after some changes. */
typedef struct found {
    uint32_t changes;
    bool asked, known;
    uint32_t value;
} found;

struct debug_stacks {
    debug_run *r;
    change *all;
    uint32_t count;
    size_t max;
    found last[2], thread_stack; /* MSP, PSP; whether a thread's sp is PSP */
};

static uint16_t first_half(const thumb_insn *insn)
{
    return (uint16_t)(insn->bytes[0] | insn->bytes[1] << 8);
}

/* The register that msr writes; 0: it is none, or another one. */
static uint16_t set_by(const wet_static *s)
{
    const thumb_insn *insn = &s->insn;
    if (s->exception || insn->size != 4 || (first_half(insn) & 0xfff0) != 0xf380 || (insn->bytes[3] & 0xf0) != 0x80)
        return 0;
    uint16_t to = insn->bytes[2];
    return to == MAIN || to == PROCESS || to == CONTROL ? to : 0;
}

static void add_executions(debug_stacks *s, uint32_t node, uint32_t statement, uint16_t kind)
{
    wet_file *f = s->r->source.f;
    for (uint32_t i = 0; i < f->nodes[node].n.count; i++) {
        s->all = memory_room(s->all, s->count, &s->max, sizeof *s->all);
        s->all[s->count++] = (change){wet_time(f, node, i), statement, kind, 0};
    }
}

static int by_time(const void *a, const void *b)
{
    const change *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->statement < y->statement ? -1 : x->statement > y->statement;
}

/* Whether PSP is set by one of them. */
static bool add_instructions(debug_stacks *s)
{
    const wet_file *f = s->r->source.f;
    bool process = false;
    for (uint32_t node = 0; node < f->node_count; node++)
        for (uint32_t k = 0; k < f->nodes[node].n.statement_count; k++) {
            const wet_statement *t = &f->statements[f->nodes[node].n.statements[k]];
            uint16_t kind = t->passed ? set_by(&f->statics[t->instruction]) : 0;
            if (!kind)
                continue;
            process |= kind == PROCESS;
            add_executions(s, node, k, kind);
        }
    return process;
}

debug_stacks *debug_stacks_new(debug_run *r)
{
    debug_stacks *s = memory_zero(1, sizeof *s);
    s->r = r;
    if (!r->has_reset || !add_instructions(s)) {
        debug_stacks_free(s);
        return NULL;
    }
    for (uint32_t i = 0; i < r->source.exceptions.count; i++) {
        s->all = memory_room(s->all, s->count, &s->max, sizeof *s->all);
        s->all[s->count++] = (change){r->source.exceptions.all[i].time, 0, EXCEPTION, i};
    }
    qsort(s->all, s->count, sizeof *s->all, by_time);
    return s;
}

void debug_stacks_free(debug_stacks *s)
{
    if (s)
        free(s->all);
    free(s);
}

/* ---- what a change tells ---- */

/* The place before it; exceptions are steps as well. */
static debug_instant before(const debug_stacks *s, const change *c)
{
    debug_instant at = {(c->time - 1) / s->r->source.f->window, 0};
    at.step = run_step_of(run_window(s->r, at.window), c->time, c->statement);
    return at;
}

static bool in_handler(debug_stacks *s, debug_instant at)
{
    uint32_t number;
    return debug_run_register(s->r, at, WET_IPSR, &number) && number;
}

static bool given(debug_stacks *s, const change *c, uint32_t *value)
{
    debug_instant at = before(s, c);
    const debug_step *step = debug_run_step(s->r, at);
    return debug_run_register(s->r, at, first_half(&s->r->source.f->statics[step->instruction].insn) & 15, value);
}

/* An entry's EXC_RETURN is in lr after it; that of a return is what its instruction took, by bx or from the stack. */
static bool exception_of_process(debug_stacks *s, const change *c)
{
    debug_instant at = before(s, c);
    uint32_t back = 0;
    if (s->r->source.exceptions.all[c->exception].kind == DEBUG_ENTRY)
        return debug_run_register(s->r, (debug_instant){at.window, at.step + 1}, 14, &back) && back & 4;
    if (!debug_run_previous(s->r, &at))
        return false;
    const debug_window *w = run_window(s->r, at.window);
    const debug_step *step = &w->steps[at.step];
    if (step[1].accesses > step->accesses)
        back = (uint32_t)w->accesses[step[1].accesses - 1].value;
    else
        debug_run_register(s->r, at, first_half(&s->r->source.f->statics[step->instruction].insn) >> 3 & 15, &back);
    return back & 4;
}

static bool leaves_to_thread(const debug_stacks *s, const change *c)
{
    return c->kind == EXCEPTION && s->r->source.exceptions.all[c->exception].kind == DEBUG_RETURN &&
           !s->r->source.exceptions.all[c->exception].to;
}

static bool enters_from_thread(const debug_stacks *s, const change *c)
{
    return c->kind == EXCEPTION && s->r->source.exceptions.all[c->exception].kind == DEBUG_ENTRY &&
           !s->r->source.exceptions.all[c->exception].from;
}

/* Whether sp is PSP in thread mode, after `count` changes. */
static bool is_process(debug_stacks *s, uint32_t count)
{
    found *last = &s->thread_stack;
    uint32_t value = 0, i = count;
    if (last->asked && last->changes == count)
        return last->value;
    bool process = false, told = false;
    while (!told && i-- > 0) {
        const change *c = &s->all[i];
        if (leaves_to_thread(s, c)) {
            told = true;
            process = exception_of_process(s, c);
        } else if (c->kind == CONTROL && !in_handler(s, before(s, c))) {
            told = true;
            process = given(s, c, &value) && value & 2;
        }
    }
    *last = (found){count, true, true, process};
    return process;
}

/* Whether a change tells a stack pointer that was not sp after it. */
static bool tells(debug_stacks *s, uint32_t number, bool process, found *told)
{
    const change *c = &s->all[number];
    debug_instant at;
    if (c->kind == (process ? PROCESS : MAIN)) {
        told->known = given(s, c, &told->value);
        return true;
    }
    if (process && enters_from_thread(s, c) && exception_of_process(s, c)) {
        told->value = s->r->source.exceptions.all[c->exception].frame;
        return told->known = true;
    }
    /* Where it was sp until then. */
    bool was = !process && leaves_to_thread(s, c);
    if (c->kind == CONTROL && !in_handler(s, before(s, c)))
        was = is_process(s, number) == process;
    if (!was)
        return false;
    at = before(s, c);
    told->known = debug_run_register(s->r, at, 13, &told->value);
    return true;
}

static uint32_t changes_before(const debug_stacks *s, debug_instant at)
{
    const debug_step *step = debug_run_step(s->r, at);
    const change wanted = {step->time, step->statement, 0, 0};
    uint32_t low = 0, high = s->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_time(&s->all[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool debug_stacks_get(debug_stacks *s, debug_instant at, bool process, uint32_t *value)
{
    uint32_t count = changes_before(s, at);
    if (process == (!in_handler(s, at) && is_process(s, count)))
        return debug_run_register(s->r, at, 13, value);
    found *last = &s->last[process];
    if (!last->asked || last->changes != count) {
        found told = {.changes = count, .asked = true};
        uint32_t i = count;
        while (i > 0 && !tells(s, i - 1, process, &told))
            i--;
        if (!i) { /* the emulator's reset sets PSP to 0 */
            told.known = true;
            told.value = process ? 0 : s->r->reset_sp;
        }
        *last = told;
    }
    *value = last->value;
    return last->known;
}
