/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/inspect/retrace_parts.h"

/* ---- instructions ---- */

static bool is_probe(const retrace *r, uint32_t pc)
{
    const image_symbol *s = image_function(&r->im->symbols, pc);
    return s && !strncmp(s->name, "__weft_", 7);
}

/* The last step of a path calls the probe that ends it; what comes after, up to the call that the next path begins
 * with, or up to the end of the function, is given with it. */
static void begin_lead(retrace *r)
{
    const replay_script *s = r->script;
    retrace_context *c = retrace_here(r);
    const descriptors *known = program_descriptors(r->app);
    const descriptor_function *f = &known->function[s->function];
    bool call = s->enters != REPLAY_NO_BLOCK && f->block[s->enters - f->block_base].flags & DESCRIPTOR_BLOCK_CALL;
    const track_step *last = &r->steps[r->step_count - 1];
    if (c->depth)
        c->calls[c->depth - 1].led = c->calls[c->depth - 1].called = false;
    if (!call && !s->exit)
        return;
    retrace_static *probe = retrace_static_at(r, last->pc, last->condition, false);
    r->lead = probe && probe->insn.flow == THUMB_CALL ? last->pc + probe->insn.size : 0;
}

/* The next instruction of the lead. False: none; it has ended. */
static bool give_lead(retrace *r, full_event *event)
{
    uint8_t conditions[4];
    uint32_t pc = r->lead;
    const image_symbol *f = image_function(&r->im->symbols, pc);
    retrace_static *s = retrace_static_at(r, pc, THUMB_ALWAYS, false);
    retrace_context *c = retrace_here(r);
    r->lead = 0;
    if (!s || !f || thumb_it((uint16_t)(s->i.bytes[0] | s->i.bytes[1] << 8), conditions))
        return false;
    const thumb_insn *insn = &s->insn;
    if (insn->flow == THUMB_CALL && is_probe(r, insn->target)) {
        c->known &= ~RETRACE_CLOBBERED;
        r->lead = pc + insn->size;
        return false;
    }
    bool inside = insn->target - f->address < f->size;
    if (insn->flow == THUMB_NEXT)
        r->lead = pc + insn->size;
    else if (insn->flow == THUMB_BRANCH && !insn->falls && inside)
        r->lead = insn->target;
    if (insn->flow == THUMB_BRANCH && insn->falls)
        return false;
    bool call = insn->flow == THUMB_CALL || insn->flow == THUMB_CALL_INDIRECT;
    if (call && c->depth)
        c->calls[c->depth - 1].led = true;
    if (!retrace_execute(r, c, s, call, event))
        r->lead = pc;
    return true;
}

/* Steps between two of a path were left out: what they wrote is not known. */
static bool leads_to(const thumb_insn *from, uint32_t pc)
{
    if (from->flow == THUMB_SWITCH || (from->flow == THUMB_BRANCH && from->target == pc))
        return true;
    return from->falls && pc == from->pc + from->size;
}

/* The next instruction of a path. False: none, or it is the probes'. */
static bool give_step(retrace *r, full_event *event)
{
    retrace_context *c = retrace_here(r);
    if (r->step_at == r->step_count) {
        begin_lead(r);
        r->steps = NULL;
        return false;
    }
    const track_step *step = &r->steps[r->step_at];
    retrace_activation *a = &c->calls[c->depth - 1];
    bool awaited = r->script->first_reported && a->led && step->call;
    if (r->script->first_reported && a->led && !step->call) { /* the block was given before the call */
        r->step_at++;
        return false;
    }
    if (awaited && a->called) {
        a->led = false;
        r->step_at++;
        return false;
    }
    retrace_static *s = retrace_step_static(r, r->step_at);
    if (r->step_at && s && !awaited) {
        const retrace_static *b = retrace_step_static(r, r->step_at - 1);
        if (b && !leads_to(&b->insn, step->pc))
            c->known &= RETRACE_SP;
    }
    if (!s || (s->insn.flow == THUMB_CALL && !step->call)) {
        c->known &= ~RETRACE_CLOBBERED;
        r->step_at++;
        return false;
    }
    a->led &= !awaited;
    r->step_at += retrace_execute(r, c, s, step->call, event);
    return true;
}

/* ---- what the recording says ---- */

typedef struct retrace_path {
    track_step *steps;
    retrace_static **statics; /* one a step; NULL: not looked up, or the image has none */
    size_t count;
} retrace_path;

struct retrace_paths {
    numbering of;
    retrace_path *all;
    size_t max;
};

static const retrace_path *path_of(retrace *r, uint32_t path)
{
    struct retrace_paths *k = r->paths;
    uint32_t known = k->of.count, number = numbering_of(&k->of, path);
    k->all = memory_room(k->all, number, &k->max, sizeof *k->all);
    if (number == known) {
        retrace_path *p = &k->all[number];
        p->count = tracks_of(r->code, path, &p->steps);
        p->statics = memory_zero(p->count + 1, sizeof *p->statics);
    }
    return &k->all[number];
}

static void begin_path(retrace *r, const replay_event *e)
{
    const retrace_path *path = path_of(r, e->id);
    retrace_context *c = retrace_here(r);
    if (!c->depth)
        retrace_enter(r)->known = 0;
    r->doubts.paths += !path->count || e->script->span;
    if (!path->count)
        c->known &= RETRACE_SP;
    r->script = e->script;
    r->steps = path->steps;
    r->step_statics = path->statics;
    r->step_count = path->count;
    r->step_at = 0;
    if (!path->count) {
        c->item_count = 0;
        r->script = NULL;
        r->steps = NULL;
    } else {
        r->last_pc = path->steps[path->count - 1].pc;
    }
}

static void add_item(retrace *r, const replay_event *e)
{
    retrace_context *c = retrace_here(r);
    const descriptor_site *site = descriptors_site(program_descriptors(r->app), e->id);
    c->items = memory_room(c->items, c->item_count, &c->item_max, sizeof *c->items);
    c->items[c->item_count++] = (retrace_item){.address = e->address,
                                               .size = e->unknown ? 0 : e->size,
                                               .id = e->id,
                                               .store = e->store,
                                               .exclusive = site && site->flags & DESCRIPTOR_SITE_ATOMIC};
}

static void add_value(retrace *r, const replay_event *e)
{
    retrace_context *c = retrace_here(r);
    size_t i = c->item_count;
    while (i && c->items[i - 1].id != e->id)
        i--;
    if (i) {
        c->items[i - 1].value = e->value;
        c->items[i - 1].valued = true;
    }
}

static void forget(retrace *r, const replay_event *e)
{
    r->seen.gaps++;
    r->seen.lost += e->counted ? e->paths : 0;
    for (uint32_t i = 0; i < r->context_count; i++) {
        retrace_context_reset(&r->contexts[i], i);
        r->contexts[i].known = RETRACE_SP;
    }
    for (uint32_t i = 0; i < r->words_of.count; i++)
        r->words[i].known = 0;
    r->masked = true;
}

static void take(retrace *r, const replay_event *e)
{
    if (e->kind == REPLAY_GAP) {
        forget(r, e);
        return;
    }
    r->context = retrace_context_of(r, e->context);
    r->wanted = e->context;
    if (e->kind == REPLAY_ENTRY)
        (void)retrace_enter(r);
    else if (e->kind == REPLAY_EXIT)
        retrace_leave(r);
    else if (e->kind == REPLAY_ACCESS)
        add_item(r, e);
    else if (e->kind == REPLAY_VALUE)
        add_value(r, e);
    else if (e->kind == REPLAY_PATH)
        begin_path(r, e);
}

int retrace_next(retrace *r, full_event *event)
{
    replay_event next;
    for (;;) {
        if (r->masked && retrace_mask(r, event))
            return 1;
        if (r->wanted != retrace_running(r->p)) {
            retrace_exception(r, event);
            return 1;
        }
        if (r->lead && give_lead(r, event))
            return 1;
        if (r->lead)
            continue;
        if (r->steps && give_step(r, event))
            return 1;
        if (r->steps || r->lead)
            continue;
        if (r->script && retrace_leftover(r, retrace_here(r), event))
            return 1;
        if (r->script)
            retrace_here(r)->item_count = 0;
        r->script = NULL;
        if (!replay_next(r->events, &next))
            return 0;
        take(r, &next);
    }
}

/* ---- open and close ---- */

retrace *retrace_open(const container *file, program *app)
{
    retrace *r = memory_zero(1, sizeof *r);
    r->file = file;
    r->app = app;
    r->im = program_image(app);
    r->code = tracks_open(app);
    r->scripts = scripts_open(app);
    r->paths = memory_zero(1, sizeof *r->paths);
    return r;
}

void retrace_begin(retrace *r, const processor *p)
{
    if (r->events)
        replay_close(r->events);
    for (uint32_t i = 0; i < r->context_count; i++)
        retrace_context_free(&r->contexts[i]);
    r->context_count = 0;
    numbering_free(&r->words_of);
    r->words_of = (numbering){0};
    free(r->words);
    r->words = NULL;
    r->word_max = 0;
    r->events = replay_open(r->file, (replay_model){r->scripts, scripts_model});
    r->p = p;
    r->context = retrace_context_of(r, 0);
    r->wanted = r->lead = 0;
    r->masked = false;
    r->steps = NULL;
    r->script = NULL;
    r->time = 0;
    r->doubts = (race_doubts){0};
    r->seen = (functions_seen){0};
}

void retrace_close(retrace *r)
{
    if (!r)
        return;
    if (r->events)
        replay_close(r->events);
    for (uint32_t i = 0; i < r->context_count; i++)
        retrace_context_free(&r->contexts[i]);
    for (uint32_t i = 0; i < r->paths->of.count; i++) {
        free(r->paths->all[i].steps);
        free(r->paths->all[i].statics);
    }
    for (uint32_t i = 0; i < r->statics_of.count; i++)
        free(r->statics[i]);
    free(r->paths->all);
    numbering_free(&r->paths->of);
    numbering_free(&r->statics_of);
    numbering_free(&r->words_of);
    free(r->paths);
    free(r->statics);
    free(r->words);
    free(r->contexts);
    tracks_close(r->code);
    scripts_close(r->scripts);
    free(r);
}

const thumb_insn *retrace_insn(const retrace *r)
{
    return &r->given->insn;
}

const char *retrace_error(const retrace *r)
{
    return replay_error(r->events);
}

race_doubts retrace_doubts(const retrace *r)
{
    return r->doubts;
}

functions_seen retrace_seen(const retrace *r)
{
    functions_seen seen = r->seen;
    seen.unresolved = replay_unresolved(r->events);
    seen.unknown = replay_unknown(r->events);
    return seen;
}
