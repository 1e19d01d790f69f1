/* SPDX-License-Identifier: MIT */
/* Where interrupted code goes on: the first reading finds, for each exception entry, the return that takes its frame
 * again. The address that the core stacked is where that return goes, unless the program wrote over it. An entry
 * without a return has the place that the last instruction leads to, where that is plain. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/core.h"
#include "tools/lib/wet/gathering.h"

static void resume_add(gather_resumes *r, wet_resume resume)
{
    r->all = memory_room(r->all, r->count, &r->max, sizeof *r->all);
    r->all[r->count++] = resume;
}

static void waiting_bounds(gather_resumes *r)
{
    r->low = UINT32_MAX;
    r->high = 0;
    for (uint32_t i = 0; i < r->waiting_count; i++) {
        r->low = r->waiting[i].frame < r->low ? r->waiting[i].frame : r->low;
        r->high = r->waiting[i].frame > r->high ? r->waiting[i].frame : r->high;
    }
}

static void waiting_drop(gather_resumes *r, uint32_t at)
{
    r->waiting[at] = r->waiting[--r->waiting_count];
    waiting_bounds(r);
}

/* The bits of xPSR after an IT. */
static uint32_t block_bits(const thumb_insn *last)
{
    uint8_t conditions[4];
    uint32_t state = last->bytes[0];
    return last->size == 2 && thumb_it((uint16_t)(last->bytes[0] | last->bytes[1] << 8), conditions)
               ? thumb_xpsr_it(state)
               : 0;
}

/* What was executed last says where the run would have gone on; after an exception, that did. */
static wet_resume plain_resume(const gather_resumes *r)
{
    wet_resume none = {0, 0};
    const thumb_insn *last = &r->last;
    bool passed = r->passed;
    if (r->next)
        return (wet_resume){r->next, 0};
    if (!last->size || last->condition != THUMB_ALWAYS)
        return none;
    if (!r->completed)
        return (wet_resume){last->pc, 0};
    if (!passed || last->flow == THUMB_NEXT)
        return (wet_resume){last->pc + last->size, block_bits(last)};
    if (last->flow == THUMB_CALL || (last->flow == THUMB_BRANCH && !last->falls))
        return (wet_resume){last->target, 0};
    return none;
}

static void entered(gather_resumes *r, const full_event *event)
{
    for (uint32_t i = 0; i < r->waiting_count; i++) /* a stack that was given up */
        if (r->waiting[i].frame == event->frame) {
            waiting_drop(r, i);
            break;
        }
    r->waiting = memory_room(r->waiting, r->waiting_count, &r->waiting_max, sizeof *r->waiting);
    r->waiting[r->waiting_count++] = (gather_waiting){event->frame, r->count};
    waiting_bounds(r);
    resume_add(r, plain_resume(r));
}

static void returned(gather_resumes *r, const full_event *event)
{
    for (uint32_t i = 0; i < r->waiting_count; i++)
        if (r->waiting[i].frame == event->frame) {
            r->all[r->waiting[i].entry] = (wet_resume){event->pc, event->xpsr & THUMB_XPSR_IT};
            waiting_drop(r, i);
            return;
        }
}

/* A handler that changes where its code goes back to is not undone by what we know. */
static void stored(gather_resumes *r, const full_access *access)
{
    for (uint32_t i = 0; i < r->waiting_count; i++) {
        uint32_t from = access->address - r->waiting[i].frame;
        if (from + access->size > 24 && from < 32) {
            waiting_drop(r, i);
            return;
        }
    }
}

/* A handler that starts in place of another keeps the frame. */
static void exception(gather_resumes *r, const full_event *event)
{
    bool chained = full_is_chained(event, who_runs_frame(&r->who));
    who_runs_event(&r->who, event);
    if (event->entry && !chained)
        entered(r, event);
    else if (!event->entry)
        returned(r, event);
    r->next = event->pc;
}

void gather_resume_event(gather_resumes *r, const full_event *event, const thumb_insn *insn)
{
    if (event->kind == FULL_EXCEPTION) {
        exception(r, event);
        return;
    }
    for (uint32_t i = 0; r->waiting_count && i < event->access_count; i++) {
        const full_access *a = &event->accesses[i];
        if (a->store && a->address + 8 > r->low && a->address < r->high + 32)
            stored(r, a);
    }
    r->last = *insn;
    r->passed = event->passed;
    r->completed = event->completed;
    r->next = 0;
}

void gather_resumes_free(gather_resumes *r)
{
    who_runs_free(&r->who);
    free(r->all);
    free(r->waiting);
}
