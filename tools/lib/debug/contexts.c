/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/contexts.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/debug/running.h"
#include "tools/lib/wet/place.h"

/* A context that the entry of exception number `event` interrupted. */
static void add_waiting(debug_run *r, debug_contexts *c, uint32_t id, uint32_t event)
{
    const debug_exception *x = &r->source.exceptions.all[event];
    wet_back back = wet_past_back(r->source.past, x->entries);
    debug_context *now = &c->all[c->count++];
    *now = (debug_context){.id = id, .at = {(x->time - 1) / r->source.f->window, 0}, .exception = event};
    now->at.step = run_step_of(run_window(r, now->at.window), x->time, 0);
    now->has_pc = back.pc != 0;
    now->pc = back.pc;
    now->xpsr_it = back.it;
}

static uint32_t thread_at(const debug_exceptions *e, uint32_t before)
{
    return before ? e->all[before - 1].thread : 1;
}

/* Handlers that the current one interrupted, and the thread below them: entries without their return. */
static void add_interrupted(debug_run *r, debug_contexts *c, uint32_t before)
{
    const debug_exceptions *e = &r->source.exceptions;
    uint32_t ended = 0;
    for (uint32_t i = before; i-- > 0;) {
        const debug_exception *x = &e->all[i];
        if (x->kind == DEBUG_RETURN) {
            ended++;
        } else if (x->kind == DEBUG_ENTRY && ended) {
            ended--;
        } else if (x->kind == DEBUG_ENTRY) {
            add_waiting(r, c, x->from ? DEBUG_HANDLER_ID + x->from : x->thread, i);
            if (!x->from || c->count > e->threads + 500)
                return;
        }
    }
}

/* Threads that wait: each last left thread mode by the entry of an exception. */
static void add_threads(debug_run *r, debug_contexts *c, uint32_t before)
{
    const debug_exceptions *e = &r->source.exceptions;
    uint8_t *seen = memory_zero(e->threads + 1, 1);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->all[i].id <= e->threads)
            seen[c->all[i].id] = 1;
    for (uint32_t i = before; i-- > 0;) {
        const debug_exception *x = &e->all[i];
        if (x->kind != DEBUG_ENTRY || x->from || seen[x->thread])
            continue;
        seen[x->thread] = 1;
        add_waiting(r, c, x->thread, i);
    }
    free(seen);
}

debug_contexts debug_contexts_at(debug_run *r, debug_instant at)
{
    const debug_exceptions *e = &r->source.exceptions;
    const debug_step *step = debug_run_step(r, at);
    uint32_t before = debug_exceptions_before(e, step->time), ipsr;
    debug_contexts c = {memory_zero(e->threads + 512, sizeof *c.all), 0};
    debug_run_register(r, at, WET_IPSR, &ipsr);
    c.all[c.count++] = (debug_context){.id = ipsr ? DEBUG_HANDLER_ID + ipsr : thread_at(e, before), .at = at};
    if (ipsr)
        add_interrupted(r, &c, before);
    if (e->threads > 1)
        add_threads(r, &c, before);
    return c;
}

/* Whom exception number `event` left, or whom it went to. */
static uint32_t context_left(const debug_exceptions *e, uint32_t event)
{
    uint32_t from = e->all[event].from;
    return from ? DEBUG_HANDLER_ID + from : thread_at(e, event);
}

static uint32_t context_entered(const debug_exceptions *e, uint32_t event)
{
    uint32_t to = e->all[event].to;
    return to ? DEBUG_HANDLER_ID + to : e->all[event].thread;
}

/* Whether something executed between an exception and the one before it. */
static bool executed_before(debug_run *r, const debug_exceptions *e, uint32_t event)
{
    uint32_t end = event < e->count ? e->all[event].time : r->source.f->time + 1;
    return end > (event ? e->all[event - 1].time + 1 : 1);
}

bool debug_contexts_again(debug_run *r, debug_instant at, uint32_t id, bool backward, debug_instant *found)
{
    const debug_exceptions *e = &r->source.exceptions;
    uint32_t event = debug_exceptions_before(e, debug_run_step(r, at)->time);
    if (backward) {
        while (event > 0 && (context_left(e, event - 1) != id || !executed_before(r, e, event - 1)))
            event--;
        if (!event)
            return false;
        *found = debug_run_at(r, e->all[event - 1].time, 0);
        return debug_run_previous(r, found);
    }
    while (event < e->count && (context_entered(e, event) != id || !executed_before(r, e, event + 1)))
        event++;
    if (event == e->count)
        return false;
    *found = debug_run_at(r, e->all[event].time + 1, 0);
    return true;
}

/* The function that executes at a time; "": not known. */
static const char *function_at(debug_run *r, uint32_t time)
{
    wet_file *f = r->source.f;
    wet_execution at = time <= f->time ? debug_order_at(r->source.order, time) : (wet_execution){WET_NONE, 0, 0};
    return at.node == WET_NONE ? ""
                               : wet_function_name(f, f->statements[f->nodes[at.node].n.statements[0]].instruction);
}

/* "SysTick", "IRQ 3". */
static void exception_name(uint32_t number, char *name, size_t size)
{
    static const char *const names[] = {"thread",       "reset",        "NMI",          "HardFault",
                                        "MemManage",    "BusFault",     "UsageFault",   "SecureFault",
                                        "exception 8",  "exception 9",  "exception 10", "SVCall",
                                        "DebugMonitor", "exception 13", "PendSV",       "SysTick"};
    if (number < 16)
        snprintf(name, size, "%s", names[number]);
    else
        snprintf(name, size, "IRQ %u", number - 16);
}

void debug_context_name(debug_run *r, uint32_t id, char *name, size_t size)
{
    const debug_exceptions *e = &r->source.exceptions;
    bool handler = id >= DEBUG_HANDLER_ID;
    char what[32], function[128];
    uint32_t time = handler ? 0 : 1;
    if (handler)
        exception_name(id - DEBUG_HANDLER_ID, what, sizeof what);
    else
        snprintf(what, sizeof what, "thread %u", id);
    for (uint32_t i = 0; i < e->count && (handler ? !time : id > 1 && time == 1); i++) {
        const debug_exception *x = &e->all[i];
        if (handler ? x->kind != DEBUG_RETURN && x->to == id - DEBUG_HANDLER_ID
                    : x->kind == DEBUG_RETURN && x->thread == id)
            time = x->time + 1;
    }
    text_safe(function, sizeof function, time ? function_at(r, time) : "");
    snprintf(name, size, *function ? "%s (%s)" : "%s", what, function);
}
