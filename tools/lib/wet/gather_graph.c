/* SPDX-License-Identifier: MIT */
/* The first reading. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/compared.h"
#include "tools/lib/wet/gathering.h"

typedef struct scanner {
    wet_trace *t;
    gather_resumes *resumes;
    uint8_t *known; /* by full number */
    thumb_insn *insns;
    size_t max;
    uint32_t last; /* full number of an instruction that goes where only the run tells; WET_NOBODY */
    compared_image fits;
    uint64_t seen[4096]; /* ways noted lately */
} scanner;

static void scan_new(scanner *s, const full_instruction *i)
{
    if (i->number >= s->max) {
        size_t before = s->max;
        s->insns = memory_room(s->insns, i->number, &s->max, sizeof *s->insns);
        s->known = memory_grow(s->known, s->max, 1);
        memset(s->known + before, 0, s->max - before);
    }
    s->known[i->number] = 1;
    compared_add(&s->fits, i->pc, i->bytes, i->size);
    thumb_decode(&s->insns[i->number], i->pc, i->bytes, i->size, i->condition);
    cfg_add(s->t->graph, &s->insns[i->number]);
}

static void scan_event(scanner *s, const full_event *event)
{
    if (event->kind == FULL_EXCEPTION) {
        gather_resume_event(s->resumes, event, NULL);
        if (event->entry)
            cfg_add_start(s->t->graph, event->pc);
        s->last = WET_NOBODY;
        return;
    }
    const full_instruction *i = event->instruction;
    if (i->number >= s->max || !s->known[i->number])
        scan_new(s, i);
    gather_resume_event(s->resumes, event, &s->insns[i->number]);
    if (s->last != WET_NOBODY) {
        const thumb_insn *from = &s->insns[s->last];
        uint64_t way = (uint64_t)from->pc << 32 | i->pc;
        if (s->seen[(way ^ way >> 29) & 4095] != way) {
            if (from->flow == THUMB_SWITCH)
                cfg_add_way(s->t->graph, from->pc, i->pc);
            else
                cfg_add_start(s->t->graph, i->pc);
            s->seen[(way ^ way >> 29) & 4095] = way;
        }
    }
    unsigned flow = event->passed ? s->insns[i->number].flow : THUMB_NEXT;
    bool open = flow == THUMB_SWITCH || flow == THUMB_CALL || flow == THUMB_CALL_INDIRECT;
    s->last = open ? i->number : WET_NOBODY;
}

static bool take_scan(void *context, const full_event *event)
{
    scan_event(context, event);
    return true;
}

bool gather_graph(wet_trace *t, const char *full, gather_resumes *resumes, bool *cut, char *message, size_t size)
{
    scanner *s = memory_zero(1, sizeof *s);
    s->t = t;
    s->resumes = resumes;
    s->fits.im = t->im;
    s->last = WET_NOBODY;
    t->graph = cfg_new(t->im);
    bool good = gather_read(full, cut, message, size, take_scan, s) && compared_fits(&s->fits, message, size);
    if (good)
        cfg_finish(t->graph);
    free(s->known);
    free(s->insns);
    free(s);
    return good;
}
