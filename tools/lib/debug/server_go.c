/* SPDX-License-Identifier: MIT */
/* The packets that go: c, s, bs, bc, vCont. A step is that of one context, as the client asks for it: what interrupts
 * it runs meanwhile, as it ran, and is passed unless it meets a break- or watchpoint. Without a word of the client's
 * about contexts (H, vCont), a step is one instant. */
#include <stdio.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/serving.h"
#include "tools/lib/machine/thumb.h"

#define TRAP 5u
#define STOPPED 0u /* "thread N stopped": where no breakpoint of that thread stands */

#define IT_BLOCK_MAX 16u /* bytes before its last instruction */

/* ---- stops ---- */

static void add_stop(debug_server *s, unsigned signal, const char *reason)
{
    uint8_t bytes[8];
    debug_context c = debug_subject_runs(s->subject, s->at);
    link_add(&s->link, "T%02x%s", signal, reason);
    for (unsigned i = 0; i < DEBUG_REGISTERS; i++)
        if ((i <= DEBUG_XPSR || i >= DEBUG_MSP) && serve_has_register(s, i) && serve_register(s, &c, i, bytes)) {
            link_add(&s->link, "%02x:", serve_register_number(i));
            link_add_hex(&s->link, bytes, 4);
            link_add(&s->link, ";");
        }
    link_add(&s->link, "thread:%x;", c.id);
    s->thread = 0;
    s->told = c.id;
    s->moved = false;
}

static void add_hit(debug_server *s, debug_hit hit, bool backward)
{
    static const char *const kinds[] = {"watch", "rwatch", "awatch"};
    char reason[64] = "";
    if (hit.end == DEBUG_LIMIT)
        snprintf(reason, sizeof reason, "replaylog:%s;", backward ? "begin" : "end");
    else if (hit.end == DEBUG_WATCH)
        snprintf(reason, sizeof reason, "%s:%x;", kinds[s->watch_kinds[hit.watch] - 2], hit.address);
    add_stop(s, TRAP, reason);
}

static bool interrupted(void *context)
{
    debug_server *s = context;
    return link_interrupted(&s->link);
}

static debug_points points_of(debug_server *s)
{
    return (debug_points){s->breaks, s->break_count, s->watches, s->watch_count, interrupted, s, NULL};
}

static bool is_break(const debug_server *s, uint32_t pc)
{
    for (uint32_t i = 0; i < s->break_count; i++)
        if (s->breaks[i] == pc)
            return true;
    return false;
}

static bool is_break_now(const debug_server *s)
{
    return is_break(s, s->subject->pc(s->subject->own, s->at));
}

/* ---- continuing ---- */

static uint32_t half_at(const debug_server *s, uint32_t address)
{
    const uint8_t *code = image_bytes(s->subject->im, address, 2);
    return code ? code[0] | (uint32_t)code[1] << 8 : 0;
}

/* Whether an instruction stands in the IT block that begins at `it`. */
static bool is_in_block(const debug_server *s, uint32_t it, uint32_t pc)
{
    uint32_t half = half_at(s, it), at = it + 2;
    if ((half & 0xff00) != 0xbf00 || !(half & 15))
        return false;
    for (unsigned left = 4 - (unsigned)__builtin_ctz(half & 15); left && at < pc; left--)
        at += thumb_size((uint16_t)half_at(s, at));
    return at == pc;
}

static bool is_known(const debug_server *s, uint32_t address)
{
    uint32_t i = 0;
    while (i < s->known_count && s->known[i] != address)
        i++;
    return i < s->known_count;
}

/* In a thread the client's breakpoints are its user's, or none of a handler's finish. */
static void learn_known(debug_server *s)
{
    s->known_count = 0;
    s->known = memory_grow(s->known, s->break_count, sizeof *s->known);
    for (uint32_t i = 0; i < s->break_count; i++)
        if (!s->conditional[i])
            s->known[s->known_count++] = s->breaks[i];
}

static bool is_finish(const debug_server *s, uint32_t address)
{
    for (uint32_t i = 0; i < s->break_count; i++)
        if (s->breaks[i] == address)
            return !s->conditional[i] && !is_known(s, address);
    return false;
}

/* Whether the client may have a finish's breakpoint for an instruction: none of its user's, as that would lose its
 * condition, count or commands. Of one in an IT block gdb's stands at the block's start. */
static bool is_finish_for(const debug_server *s, uint32_t pc)
{
    bool found = is_finish(s, pc);
    for (uint32_t it = pc - 2; !found && pc - it <= IT_BLOCK_MAX; it -= 2)
        found = is_finish(s, it) && is_in_block(s, it, pc);
    return found;
}

/* Where a handler's finish leads: to a context that waits, if a breakpoint stands where that goes on. gdb means its
 * breakpoint for the handler's thread, and would not stop in another. */
static bool find_landing(debug_server *s, const debug_contexts *c, debug_instant *landing)
{
    const debug_subject *subject = s->subject;
    bool found = false;
    for (uint32_t i = 1; i < c->count; i++) {
        debug_instant at;
        if (!subject->runs_again(subject->own, s->at, c->all[i].id, false, &at) ||
            !is_finish_for(s, subject->pc(subject->own, at)) || (found && debug_instant_compare(at, *landing) > 0))
            continue;
        *landing = at;
        found = true;
    }
    return found;
}

static bool prepare_landing(debug_server *s, bool backward, debug_instant *landing)
{
    debug_contexts c = s->subject->contexts(s->subject->own, s->at);
    bool handler = c.all[0].id >= DEBUG_HANDLER_ID;
    if (!handler)
        learn_known(s);
    bool found = handler && !backward && find_landing(s, &c, landing);
    debug_contexts_free(&c);
    return found;
}

static void go(debug_server *s, bool backward)
{
    debug_points points = points_of(s);
    debug_instant landing;
    if (!s->break_count)
        s->known_count = 0;
    else if (prepare_landing(s, backward, &landing))
        points.until = &landing;
    debug_hit hit = s->subject->search(s->subject->own, &s->at, &points, backward);
    if (points.until && hit.end == DEBUG_LIMIT)
        add_stop(s, STOPPED, "");
    else
        add_hit(s, hit, backward);
}

/* ---- steps ---- */

static debug_hit step_instant(debug_server *s, bool backward)
{
    debug_points points = points_of(s);
    debug_hit hit = {.end = DEBUG_BREAK};
    debug_subject *subject = s->subject;
    if (!subject->watched(subject->own, s->at, &points, backward, &hit) &&
        !(backward ? subject->previous : subject->next)(subject->own, &s->at))
        hit.end = DEBUG_LIMIT;
    return hit;
}

/* Goes to where a context that waits runs, past the others. DEBUG_BREAK: it is there, or at a breakpoint. */
static debug_hit pass_others(debug_server *s, uint32_t id, bool backward)
{
    debug_points points = points_of(s);
    debug_instant there;
    if (s->subject->runs_again(s->subject->own, s->at, id, backward, &there))
        points.until = &there;
    debug_hit hit = s->subject->search(s->subject->own, &s->at, &points, backward);
    if (points.until && hit.end == DEBUG_LIMIT)
        hit.end = DEBUG_BREAK;
    return hit;
}

static bool is_running(const debug_server *s, uint32_t id)
{
    return debug_subject_runs(s->subject, s->at).id == id;
}

/* A step of a context; it may have waited before, and may wait after it. */
static debug_hit step_context(debug_server *s, uint32_t id, bool backward)
{
    if (!is_running(s, id)) {
        if (!debug_subject_waits(s->subject, s->at, id))
            return step_instant(s, backward);
        debug_hit hit = pass_others(s, id, backward);
        if (backward || hit.end != DEBUG_BREAK || !is_running(s, id))
            return hit;
    }
    debug_instant before = s->at;
    debug_hit hit = step_instant(s, backward);
    bool moved = debug_instant_compare(before, s->at) != 0;
    if (!moved || is_running(s, id) || is_break_now(s) || !debug_subject_waits(s->subject, s->at, id))
        return hit;
    return pass_others(s, id, backward);
}

/* id 0: of the context that runs; SERVE_ANY: of all. */
static void step(debug_server *s, uint32_t id, bool backward)
{
    if (id == SERVE_ANY) {
        add_hit(s, step_instant(s, backward), backward);
        return;
    }
    id = id && !(s->moved && id == s->told) ? id : debug_subject_runs(s->subject, s->at).id;
    debug_hit hit = step_context(s, id, backward);
    if (hit.end == DEBUG_BREAK && !is_break_now(s) && !is_running(s, id))
        add_stop(s, STOPPED, ""); /* the context is over */
    else
        add_hit(s, hit, backward);
}

/* ---- packets ---- */

void serve_answer_continue(debug_server *s, const char *rest)
{
    (void)rest;
    go(s, false);
}

void serve_answer_step(debug_server *s, const char *rest)
{
    (void)rest;
    step(s, s->stepped, false);
}

void serve_answer_back(debug_server *s, const char *rest)
{
    if (*rest == 'c')
        go(s, true);
    else if (*rest == 's')
        step(s, s->stepped, true);
}

/* All contexts go together: the first action is that of the one that is stepped. */
void serve_answer_actions(debug_server *s, const char *rest)
{
    char action = *rest == ';' ? rest[1] : 0;
    bool steps = action == 's' || action == 'S';
    if (!steps && action != 'c' && action != 'C') {
        link_add(&s->link, "E01");
        return;
    }
    rest += steps ? 2 + strcspn(rest + 2, ":;") : 0;
    if (!steps)
        go(s, false);
    else
        step(s, rest[0] == ':' && rest[1] != '-' ? serve_number_after(&rest, ':') : 0, false);
}

void serve_answer_why_stopped(debug_server *s, const char *rest)
{
    (void)rest;
    add_stop(s, TRAP, "");
}
