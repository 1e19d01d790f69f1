/* SPDX-License-Identifier: MIT */
/* A whole execution trace as a subject. */
#include <stdio.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/contexts.h"
#include "tools/lib/debug/lazy.h"
#include "tools/lib/debug/monitor.h"
#include "tools/lib/debug/running.h"
#include "tools/lib/debug/search.h"
#include "tools/lib/debug/stacks.h"
#include "tools/lib/wet/core.h"

static debug_instant first(void *own)
{
    return debug_run_first(own);
}

static debug_instant last(void *own)
{
    return debug_run_last(own);
}

static bool next(void *own, debug_instant *at)
{
    bool more = debug_run_next(own, at);
    run_prepare(own, *at, false);
    return more;
}

static bool previous(void *own, debug_instant *at)
{
    bool more = debug_run_previous(own, at);
    run_prepare(own, *at, true);
    return more;
}

static uint32_t pc(void *own, debug_instant at)
{
    return debug_run_pc(own, at);
}

static debug_contexts contexts(void *own, debug_instant at)
{
    return debug_contexts_at(own, at);
}

static void context_name(void *own, uint32_t id, char *name, size_t size)
{
    debug_context_name(own, id, name, size);
}

static bool runs_again(void *own, debug_instant at, uint32_t id, bool backward, debug_instant *found)
{
    return debug_contexts_again(own, at, id, backward, found);
}

static bool double_register(debug_run *r, debug_instant at, unsigned location, uint64_t *value)
{
    uint32_t low, high;
    bool known = debug_run_register(r, at, location, &low) && debug_run_register(r, at, location + 1, &high);
    if (known)
        *value = (uint64_t)high << 32 | low;
    return known;
}

static bool get(void *own, debug_instant at, const debug_context *c, unsigned i, uint64_t *value)
{
    debug_run *r = own;
    bool runs = debug_instant_compare(c->at, at) == 0, known = true;
    uint32_t word = 0;
    if (i >= DEBUG_D0 && i < DEBUG_FPSCR)
        return double_register(r, c->at, 32 + 2 * (i - DEBUG_D0), value);
    if (i >= DEBUG_MSP) {
        known = r->stacks && debug_stacks_get(r->stacks, c->at, i == DEBUG_PSP, &word);
    } else if (i == DEBUG_PC) {
        known = runs || c->has_pc;
        word = runs ? debug_run_pc(r, c->at) : c->pc;
    } else if (i == DEBUG_XPSR) { /* gdb does nothing without T: flags that are not known yet are 0 */
        debug_run_xpsr(r, c->at, &word);
        word = runs ? word : (word & ~THUMB_XPSR_IT) | c->xpsr_it;
    } else {
        known = debug_run_register(r, c->at, i == DEBUG_FPSCR ? 16 : i, &word);
    }
    *value = word;
    return known;
}

static size_t memory(void *own, debug_instant at, uint32_t address, uint8_t *bytes, size_t size)
{
    return debug_lazy_memory(own, at, address, bytes, size);
}

static debug_hit search(void *own, debug_instant *at, const debug_points *points, bool backward)
{
    debug_hit hit = debug_run_search(own, at, points, backward);
    run_arrive(own, *at);
    return hit;
}

static bool watched(void *own, debug_instant at, const debug_points *points, bool backward, debug_hit *hit)
{
    return debug_run_watched(own, at, points, backward, hit);
}

static void monitor(void *own, debug_instant *at, const debug_context *c, const char *command, FILE *out)
{
    (void)c;
    monitor_run(own, at, command, out);
    run_arrive(own, *at);
}

static void name_devices(void *own, debug_devices devices)
{
    debug_run_name_devices(own, devices);
}

static const char *damage(void *own)
{
    return debug_run_file(own)->damaged ? "it is damaged, so nothing more can be said of it" : NULL;
}

static void close_run(void *own)
{
    debug_stacks_free(((debug_run *)own)->stacks);
    debug_run_close(own);
}

static bool uses_floats(const wet_file *f)
{
    for (uint32_t i = 0; i < f->statement_count; i++)
        if (f->statements[i].written >> 32 || f->statements[i].written >> 16 & 1)
            return true;
    return false;
}

debug_subject *debug_subject_wet(const char *wet, const char *elf, char *message, size_t message_size)
{
    debug_run *r = debug_run_open(wet, elf, message, message_size);
    if (!r)
        return NULL;
    r->stacks = debug_stacks_new(r);
    debug_subject *s = memory_zero(1, sizeof *s);
    *s = (debug_subject){.own = r,
                         .im = debug_run_image(r),
                         .floats = uses_floats(debug_run_file(r)),
                         .stacks = r->stacks != NULL,
                         .first = first,
                         .last = last,
                         .next = next,
                         .previous = previous,
                         .pc = pc,
                         .contexts = contexts,
                         .context_name = context_name,
                         .runs_again = runs_again,
                         .get = get,
                         .memory = memory,
                         .search = search,
                         .watched = watched,
                         .monitor = monitor,
                         .name_devices = name_devices,
                         .damage = damage,
                         .spoils = true,
                         .close = close_run};
    return s;
}
