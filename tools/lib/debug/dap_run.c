/* SPDX-License-Identifier: MIT */
/* The depth of calls says whether a step is still in the function where it began. It is known by the address of the
 * frame, or by the recorded calls. A callee is not stepped through instruction by instruction: a breakpoint where it
 * returns to, or backwards where it was called, passes over it. */
#include "tools/lib/debug/dap_run.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/dap_condition.h"

#define FRAMES 2u

/* Where a step is, for comparisons. */
typedef struct spot {
    debug_instant at;
    uint32_t context, pc;
    uint64_t depth;         /* more: further in */
    const image_line *line; /* NULL: none is known */
} spot;

debug_context dap_context_now(const dap *d)
{
    return debug_subject_runs(d->subject, d->at);
}

static uint64_t depth_of(const dap *d, const debug_context *c)
{
    const debug_subject *s = d->subject;
    uint32_t pcs[DAP_FRAMES_MAX];
    if (s->calls)
        return s->calls(s->own, d->at, c, pcs, DAP_FRAMES_MAX);
    uint32_t address = debug_frame_address(&d->names, s, d->at, c);
    return address ? UINT32_MAX - address : 0;
}

static spot spot_now(const dap *d)
{
    debug_context c = dap_context_now(d);
    uint32_t pc = d->subject->pc(d->subject->own, d->at);
    const image_line *line = image_line_at(d->subject->im, pc);
    return (spot){d->at, c.id, pc, depth_of(d, &c), line && line->file && line->line ? line : NULL};
}

static const image_symbol *function_of(const dap *d, uint32_t pc)
{
    return image_function(&d->subject->im->symbols, pc);
}

static bool same_line(const dap *d, const spot *a, const spot *b)
{
    return a->line && b->line && a->line->line == b->line->line && !strcmp(a->line->file, b->line->file) &&
           function_of(d, a->pc) == function_of(d, b->pc);
}

/* Whether a tail call has put another function in the place of the one where the step began. */
static bool is_tail_called(const dap *d, const spot *now, const spot *from)
{
    return now->depth == from->depth && function_of(d, now->pc) != function_of(d, from->pc);
}

static bool move(dap *d, bool backward)
{
    const debug_subject *s = d->subject;
    return (backward ? s->previous : s->next)(s->own, &d->at);
}

/* ---- calls that are left ---- */

/* These end calls that do not return. What waits for such a return would find that of a later call. */
static const char *const leaving[] = {"longjmp", "_longjmp", "siglongjmp", "restore_core_regs", "__restore_core_regs"};
enum { LEAVING = sizeof leaving / sizeof *leaving };

static uint32_t leaving_addresses(const dap *d, uint32_t addresses[LEAVING])
{
    uint32_t count = 0, address, size;
    for (unsigned i = 0; i < LEAVING; i++)
        if (image_symbol_named(d->subject->im, leaving[i], &address, &size))
            addresses[count++] = address & ~1u;
    return count;
}

static bool is_leaving(const dap *d, uint32_t pc)
{
    uint32_t addresses[LEAVING], count = leaving_addresses(d, addresses);
    const image_symbol *f = function_of(d, pc);
    for (uint32_t i = 0; f && i < count; i++)
        if ((f->address & ~1u) == addresses[i])
            return true;
    return false;
}

/* Goes on to a breakpoint of the client's, or to `more` (0: none); no farther than `until` (NULL: the run's end). On
 * the way to `more` it stops where calls are left. */
static debug_hit search(dap *d, uint32_t more, bool watches, const debug_instant *until, bool backward)
{
    uint32_t *addresses = memory_zero(d->break_count + 1 + LEAVING, sizeof *addresses);
    uint32_t count = 0;
    for (size_t i = 0; i < d->break_count; i++)
        if (d->breaks[i].address)
            addresses[count++] = d->breaks[i].address;
    if (more)
        addresses[count++] = more;
    if (more && !backward)
        count += leaving_addresses(d, addresses + count);
    debug_points points = {.breaks = addresses,
                           .break_count = count,
                           .watches = d->watches,
                           .watch_count = watches ? (uint32_t)d->watch_count : 0,
                           .until = until};
    debug_hit hit = d->subject->search(d->subject->own, &d->at, &points, backward);
    free(addresses);
    return hit;
}

const char *dap_go(dap *d, bool backward)
{
    debug_hit hit;
    do
        hit = search(d, 0, true, NULL, backward);
    while (hit.end == DEBUG_BREAK && !dap_break_now(d));
    d->watch_hit = hit.watch;
    if (hit.end == DEBUG_WATCH)
        move(d, backward); /* the access itself */
    return hit.end == DEBUG_WATCH   ? "data breakpoint"
           : hit.end == DEBUG_BREAK ? "breakpoint"
           : backward               ? "entry"
                                    : "end";
}

const char *dap_step_instruction(dap *d, bool backward)
{
    return move(d, backward) ? "step" : backward ? "entry" : "end";
}

/* Where the innermost function goes on, or was called; 0: not known. */
static uint32_t caller_pc(const dap *d, bool call)
{
    debug_frame frames[FRAMES];
    debug_context c = dap_context_now(d);
    if (debug_frames_at(&d->names, d->subject, d->at, &c, frames, FRAMES) < FRAMES)
        return 0;
    const uint8_t *code = image_bytes(d->subject->im, frames[1].pc - 4, 4);
    bool wide = code && (code[1] & 0xf8) == 0xf0 && (code[3] & 0xd0) == 0xd0; /* bl; else blx of a register */
    return call ? frames[1].pc - (wide ? 4 : 2) : frames[1].pc;
}

/* Goes on while other contexts run than the step's: to where that one does, or to a breakpoint. NULL: it runs, or it is
 * over and does not wait. */
static const char *pass_others(dap *d, uint32_t context, bool backward)
{
    const debug_subject *s = d->subject;
    debug_instant there;
    if (dap_context_now(d).id == context || !debug_subject_waits(s, d->at, context))
        return NULL;
    if (dap_break_now(d))
        return "breakpoint";
    bool again = s->runs_again(s->own, d->at, context, backward, &there);
    debug_hit hit;
    do
        hit = search(d, 0, false, again ? &there : NULL, backward);
    while (hit.end == DEBUG_BREAK && !dap_break_now(d));
    return hit.end == DEBUG_BREAK ? "breakpoint" : again ? NULL : backward ? "entry" : "end";
}

/* From where calls are left to where that leads. */
static const char *pass_leaving(dap *d, uint32_t context)
{
    for (;;) {
        const char *stop = pass_others(d, context, false);
        if (stop || dap_context_now(d).id != context || !is_leaving(d, spot_now(d).pc))
            return stop;
        if (!move(d, false))
            return "end";
    }
}

/* Goes from a callee of the step's function, or from another context, back to the function. NULL: it is there, or its
 * context is over. */
static const char *pass_over(dap *d, const spot *from, bool backward)
{
    for (;;) {
        const char *stop = pass_others(d, from->context, backward);
        spot now = spot_now(d);
        if (stop || now.context != from->context || now.depth <= from->depth)
            return stop;
        if (!backward && is_leaving(d, now.pc)) {
            stop = pass_leaving(d, from->context);
            if (stop)
                return stop;
            continue;
        }
        uint32_t pc = caller_pc(d, backward);
        debug_instant before = d->at;
        if (pc && search(d, pc, false, NULL, backward).end == DEBUG_LIMIT) { /* it does not come back there */
            d->at = before;
            pc = 0;
        }
        if (!pc && !move(d, backward))
            return backward ? "entry" : "end";
        now = spot_now(d);
        bool returned = pc && now.pc == pc && now.context == from->context && now.depth <= from->depth;
        if (!returned && dap_break_now(d))
            return "breakpoint";
    }
}

/* Back to the first instruction of the line that it is in. */
static const char *line_start(dap *d)
{
    spot here = spot_now(d);
    for (debug_instant before = d->at; move(d, true); before = d->at) {
        const char *stop = pass_over(d, &here, true);
        spot now = spot_now(d);
        if (stop && strcmp(stop, "entry"))
            return stop;
        if (stop || !same_line(d, &now, &here) || now.depth < here.depth || now.context != here.context) {
            d->at = before;
            return "step";
        }
        if (dap_break_now(d))
            return "breakpoint";
    }
    return "step"; /* the first instant */
}

static const char *line_back(dap *d, bool into)
{
    spot from = spot_now(d);
    while (move(d, true)) {
        spot now = spot_now(d);
        const char *stop = into && now.line ? NULL : pass_over(d, &from, true);
        if (stop)
            return stop;
        now = spot_now(d);
        if (dap_break_now(d))
            return "breakpoint";
        if (!into && is_tail_called(d, &now, &from))
            continue;
        if (now.context != from.context)
            return "step";
        if (now.line && !same_line(d, &now, &from))
            return line_start(d);
        if (now.line && now.line->address == now.pc && now.depth == from.depth) {
            debug_instant here = d->at;
            if (!move(d, true))
                return "entry";
            spot before = spot_now(d);
            bool begins = !same_line(d, &before, &from) && before.context == from.context && before.depth <= from.depth;
            d->at = here;
            if (begins)
                return "step";
        }
    }
    return "entry";
}

/* From the first instruction of a function to its body, if arguments are in their places only there. */
static const char *to_body(dap *d)
{
    debug_frame frame;
    debug_level level;
    debug_instant start = d->at;
    debug_context c = dap_context_now(d);
    uint32_t pc = d->subject->pc(d->subject->own, d->at);
    const image_symbol *f = function_of(d, pc);
    if (!f || f->address != pc || !debug_frames_at(&d->names, d->subject, d->at, &c, &frame, 1) ||
        debug_levels_at(&d->names, &frame, &level, 1) != 1 || !debug_needs_prologue(&level))
        return "step";
    uint32_t body = debug_body_address(d->subject->im, f->address, f->size);
    while (pc >= f->address && pc < body && move(d, false))
        pc = d->subject->pc(d->subject->own, d->at);
    if (pc != body)
        d->at = start; /* something else ran in between */
    return dap_break_now(d) ? "breakpoint" : "step";
}

const char *dap_step_line(dap *d, bool backward, bool into)
{
    spot from = spot_now(d);
    if (backward)
        return line_back(d, into);
    while (move(d, false)) {
        spot now = spot_now(d);
        bool deeper = now.depth > from.depth || now.context != from.context;
        const char *stop = into && now.line && now.context == from.context ? NULL : pass_over(d, &from, false);
        if (stop)
            return stop;
        now = spot_now(d);
        if (dap_break_now(d))
            return "breakpoint";
        if (now.context != from.context)
            return "step";
        bool begins = now.line && now.line->address == now.pc;
        if (!into && is_tail_called(d, &now, &from))
            continue;
        if (now.line && !same_line(d, &now, &from) && (begins || (into && deeper)))
            return deeper ? to_body(d) : "step";
        if (now.depth < from.depth) { /* it has returned: on to the next line of the caller */
            from.depth = now.depth;
            from.pc = now.pc;
            from.line = NULL;
        }
    }
    return "end";
}

/* Where what a handler interrupted goes on. False: the current context is no handler, or that is not recorded. */
static bool find_landing(const dap *d, debug_instant *landing)
{
    const debug_subject *s = d->subject;
    debug_contexts c = s->contexts(s->own, d->at);
    bool found = false;
    for (uint32_t i = 1; c.all[0].id >= DEBUG_HANDLER_ID && i < c.count; i++) {
        debug_instant at;
        if (s->runs_again(s->own, d->at, c.all[i].id, false, &at) &&
            (!found || debug_instant_compare(at, *landing) < 0)) {
            *landing = at;
            found = true;
        }
    }
    debug_contexts_free(&c);
    return found;
}

/* The end of a handler is where another context goes on, wherever its function returns to. */
const char *dap_step_out(dap *d)
{
    spot from = spot_now(d);
    uint32_t pc = caller_pc(d, false);
    debug_instant landing;
    const debug_instant *until = find_landing(d, &landing) ? &landing : NULL;
    while (pc || until) {
        debug_hit hit = search(d, pc, true, until, false);
        if (hit.end == DEBUG_LIMIT)
            return until ? "step" : "end";
        if (hit.end == DEBUG_WATCH) {
            d->watch_hit = hit.watch;
            move(d, false); /* the access itself */
            return "data breakpoint";
        }
        spot now = spot_now(d);
        if (now.pc == pc && now.context == from.context && now.depth < from.depth)
            return "step";
        if (dap_break_now(d))
            return "breakpoint";
        if (now.context != from.context || !is_leaving(d, now.pc))
            continue;
        const char *stop = pass_leaving(d, from.context);
        if (stop || spot_now(d).depth < from.depth)
            return stop ? stop : "step";
    }
    return dap_go(d, false);
}
