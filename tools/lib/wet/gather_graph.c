/* SPDX-License-Identifier: MIT */
/* The first reading. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/compared.h"
#include "tools/lib/machine/decode_in.h"
#include "tools/lib/wet/gathering.h"

enum { SEEN = 1 << 16 };

typedef struct scanner {
    wet_trace *t;
    gather_resumes *resumes;
    uint8_t *known; /* by full number */
    thumb_insn *insns;
    size_t max;
    uint32_t last; /* full number of an instruction that goes where only the run tells; WET_NONE */
    uint32_t call; /* full number of a call whose callee has called nothing yet; WET_NONE */
    bool returns;  /* and the instruction before was a return */
    compared_image fits;
    uint64_t seen[SEEN]; /* ways noted lately */
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
    thumb_decode_in(&s->insns[i->number], s->t->im, i->pc, i->bytes, i->size, i->condition);
    cfg_add(s->t->graph, &s->insns[i->number]);
}

/* Whether this way has been noted lately. From now on it has. */
static bool is_noted(scanner *s, uint32_t from, uint32_t to)
{
    uint64_t way = (uint64_t)from << 32 | to, *slot = &s->seen[(way ^ way >> 29) & (SEEN - 1)];
    bool noted = *slot == way;
    *slot = way;
    return noted;
}

/* Notes where control went from an instruction whose targets only the run shows. */
static void scan_way(scanner *s, uint32_t pc)
{
    if (s->last != WET_NONE) {
        const thumb_insn *from = &s->insns[s->last];
        if (!is_noted(s, from->pc, pc)) {
            if (from->flow == THUMB_SWITCH)
                cfg_add_way(s->t->graph, from->pc, pc);
            else
                cfg_add_start(s->t->graph, pc);
        }
    }
    if (s->returns) {
        uint32_t call = s->insns[s->call].pc;
        if (!is_noted(s, call, pc))
            cfg_add_return(s->t->graph, call, pc);
        s->call = WET_NONE;
    }
}

static void scan_event(scanner *s, const full_event *event)
{
    if (event->kind == FULL_EXCEPTION) {
        gather_resume_event(s->resumes, event, NULL);
        if (event->entry)
            cfg_add_start(s->t->graph, event->pc);
        s->last = s->call = WET_NONE;
        s->returns = false;
        return;
    }
    const full_instruction *i = event->instruction;
    if (i->number >= s->max || !s->known[i->number]) {
        full_compare(&s->fits, event);
        scan_new(s, i);
    }
    gather_resume_event(s->resumes, event, &s->insns[i->number]);
    scan_way(s, i->pc);
    unsigned flow = event->passed ? s->insns[i->number].flow : THUMB_NEXT;
    bool open = flow == THUMB_SWITCH || flow == THUMB_CALL || flow == THUMB_CALL_INDIRECT;
    s->last = open ? i->number : WET_NONE;
    if (flow == THUMB_CALL || flow == THUMB_CALL_INDIRECT)
        s->call = flow == THUMB_CALL ? i->number : WET_NONE;
    s->returns = flow == THUMB_RETURN && s->call != WET_NONE;
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
    s->last = s->call = WET_NONE;
    t->graph = cfg_new(t->im);
    bool good = gather_read(full, cut, message, size, take_scan, s) && compared_fits(&s->fits, message, size);
    if (good)
        cfg_finish(t->graph);
    free(s->known);
    free(s->insns);
    free(s);
    return good;
}
