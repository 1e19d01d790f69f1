/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/functions_feeder.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/recording/by_context.h"

static function_place place_of(const descriptor_block *block)
{
    return block->line_count ? (function_place){block->line[0].file, block->line[0].line} : (function_place){0};
}

/* The block that a path ends in; NULL: what it enters at its end is no block. */
static const descriptor_block *last_block(const descriptor_function *of, const replay_script *script)
{
    uint32_t at = script->count;
    while (at > script->before_count && script->items[at - 1].kind != REPLAY_BLOCK)
        at--;
    return at > script->before_count ? &of->block[script->items[at - 1].id - of->block_base] : NULL;
}

bool functions_path_stays(const feeder *f, const replay_script *script)
{
    const descriptor_block *block = last_block(&program_descriptors(f->app)->function[script->function], script);
    return block && block->flags & DESCRIPTOR_BLOCK_NORETURN && !(block->flags & DESCRIPTOR_BLOCK_TAIL);
}

static cost_note make_note(const feeder *f, uint32_t path)
{
    if (f->whole) {
        cost_note note = f->whole->notes[numbering_find(&f->whole->numbers, path)];
        note.count = note.cost = 0;
        return note;
    }
    const descriptors *known = program_descriptors(f->app);
    const replay_script *script = scripts_path(f->paths, path);
    const descriptor_function *of = &known->function[script->function];
    path_cost cost = costs_of(f->costs, path);
    bool probes = f->choice.with_probes && cost.most_all;
    cost_note note = {.least = probes ? cost.least_all : cost.least, .estimated = cost.estimated, .span = script->span};
    note.more = (probes ? cost.most_all : cost.most) - note.least;
    note.rare = probes ? cost.rare_all : cost.rare;
    const descriptor_block *block = last_block(of, script);
    note.call = block ? place_of(block) : (function_place){0};
    note.stays = functions_path_stays(f, script);
    return note;
}

cost_note *functions_note_of(feeder *f, uint32_t path)
{
    uint32_t number = numbering_of(&f->numbers, path);
    if (number == f->note_count) {
        f->notes = memory_room(f->notes, f->note_count, &f->note_max, sizeof *f->notes);
        f->notes[f->note_count++] = make_note(f, path);
    }
    return &f->notes[number];
}

static bool is_span(const feeder *f, uint32_t function)
{
    return program_descriptors(f->app)->function[function].flags & DESCRIPTOR_SPAN;
}

open_paths *functions_open_of(feeder *f, uint32_t context)
{
    f->open = by_context(f->open, &f->open_count, &f->open_max, sizeof *f->open, context, &f->open_last);
    return &f->open[f->open_last];
}

void functions_open_push(open_paths *open, uint32_t path)
{
    open->path = memory_room(open->path, open->depth, &open->max, sizeof *open->path);
    open->path[open->depth++] = path;
}

static uint32_t lead_of(feeder *f, uint32_t path)
{
    if (f->stacks_only)
        return 0;
    if (f->asking)
        pthread_mutex_lock(f->asking);
    uint32_t lead = costs_lead(f->costs, path, f->choice.with_probes);
    if (f->asking)
        pthread_mutex_unlock(f->asking);
    return lead;
}

/* An activation ends. One that a longjmp unwinds has executed instructions after its last path, up to the call. */
static void leave(feeder *f, const replay_event *event)
{
    open_paths *o = functions_open_of(f, event->context);
    uint32_t path = o->depth ? o->path[--o->depth] : FUNCTIONS_NONE;
    uint32_t lead = 0;
    if (event->unwound && path != FUNCTIONS_NONE && !f->time)
        lead = lead_of(f, path);
    if (lead) {
        functions_resume(f->all, event->context, event->function);
        functions_spend(f->all, event->context, lead, 0, false);
        functions_note_of(f, path)->cost += lead;
    }
    if (event->unwound || !f->last || !f->last->stays)
        functions_leave(f->all, event->context, event->function);
}

static void add_path(feeder *f, const replay_event *event)
{
    cost_note *note = functions_note_of(f, event->id);
    uint64_t cost = f->time ? f->took : note->least, more = f->time ? 0 : note->more;
    bool estimated = f->time ? timeline_shared(f->time) : note->estimated;
    note->count++;
    if (!f->time && !f->whole && note->count % FUNCTIONS_RARE == 0)
        more += note->rare;
    note->cost += cost;
    f->last = note;
    if (note->span) {
        const replay_script *script = scripts_path(f->paths, event->id);
        functions_flat(f->all, event->context, event->function, script->entry, cost, more, estimated);
        return;
    }
    open_paths *o = functions_open_of(f, event->context);
    if (!o->depth)
        functions_open_push(o, FUNCTIONS_NONE);
    o->path[o->depth - 1] = event->id;
    functions_resume(f->all, event->context, event->function);
    functions_spend(f->all, event->context, cost, more, estimated);
    functions_at(f->all, event->context, note->call);
}

/* Damaged bytes up to a place in the file, since the last such place. */
static uint64_t damaged_before(feeder *f, uint64_t offset)
{
    uint64_t bytes = 0;
    for (; f->gap < container_gap_count(f->file); f->gap++) {
        const container_gap *gap = container_gap_at(f->file, f->gap);
        if (gap->offset > offset)
            break;
        bytes += gap->bytes;
    }
    return bytes;
}

static void add_gap(feeder *f, const replay_event *event)
{
    f->seen->gaps++;
    f->seen->lost += event->counted ? event->paths : 0;
    f->last = NULL;
    for (size_t i = 0; i < f->open_count; i++)
        f->open[i].depth = 0;
    functions_loss loss = {.bytes = damaged_before(f, event->offset)};
    if (event->counted)
        loss = (functions_loss){event->paths, event->accesses, event->values, loss.bytes};
    functions_gap(f->all, loss);
}

static void add_access(feeder *f, const replay_event *event)
{
    const descriptors *known = program_descriptors(f->app);
    const descriptor_function *of = functions_wants_accesses(f->all) ? descriptors_of_site(known, event->id) : NULL;
    if (of)
        functions_access(f->all, (uint32_t)(of - known->function), event->address, event->size, event->store,
                         !event->unknown);
}

static bool is_chosen(const feeder *f, const replay_event *event)
{
    return event->kind == REPLAY_GAP || !f->choice.one_context || event->context == f->choice.context;
}

/* Every path and stamp, those of contexts that were not chosen too. */
static void tell_time(feeder *f, const replay_event *event)
{
    if (event->kind == REPLAY_PATH)
        f->took = timeline_path(f->time, event->id, event->context);
    else if (event->kind == REPLAY_MARK && event->mark->kind == WEFT_MARK_STAMP)
        timeline_stamp(f->time, event->recording, event->time);
    else
        return;
    functions_clock(f->all, timeline_now(f->time));
}

static void add_event(feeder *f, const replay_event *event)
{
    if (event->kind == REPLAY_GAP)
        add_gap(f, event);
    else if (event->kind == REPLAY_ACCESS)
        add_access(f, event);
    else if (event->kind == REPLAY_PATH) {
        add_path(f, event);
    } else if (event->kind == REPLAY_ENTRY && !is_span(f, event->function)) {
        functions_open_push(functions_open_of(f, event->context), FUNCTIONS_NONE);
        functions_enter(f->all, event->context, event->function);
    } else if (event->kind == REPLAY_EXIT && !is_span(f, event->function)) {
        leave(f, event);
    }
}

bool functions_take(feeder *f, const replay_event *event)
{
    if (f->time)
        tell_time(f, event);
    if (!is_chosen(f, event))
        return false;
    add_event(f, event);
    return true;
}

void functions_feeder_free(feeder *f)
{
    numbering_free(&f->numbers);
    for (size_t i = 0; i < f->open_count; i++)
        free(f->open[i].path);
    free(f->open);
    free(f->notes);
}
