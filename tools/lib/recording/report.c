/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/report.h"

#include "tools/lib/base/memory.h"
#include "tools/lib/image/descriptor_format.h"

replay_event *report_event(report *r, replay_kind kind)
{
    if (r->left_out & REPLAY_KIND(kind))
        return &r->nobody;
    r->out = memory_room(r->out, r->count, &r->max, sizeof *r->out);
    replay_event *event = &r->out[r->count++];
    *event = (replay_event){.kind = kind,
                            .context = r->state ? r->state->number : 0,
                            .recording = r->frame->recording,
                            .offset = r->frame->offset,
                            .time = r->frame->frame.time};
    return event;
}

/* ---- activations ---- */

/* Leaves all activations above the `depth` outermost ones. */
static void unwind(report *r, size_t depth)
{
    context_state *state = r->state;
    while (state->depth > depth) {
        replay_event *event = report_event(r, REPLAY_EXIT);
        event->id = event->function = state->stack[--state->depth].function;
        event->unwound = true;
    }
}

/* Where the innermost activation's frame is. After a longjmp, that shows which activation it is. */
static void note_frame(report *r, const replay_script *script, uint32_t frame)
{
    context_state *state = r->state;
    size_t depth = state->depth;
    while (state->landed && depth &&
           (state->stack[depth - 1].function != script->function || state->stack[depth - 1].frame != frame))
        depth--;
    if (depth)
        unwind(r, depth);
    else
        context_doubt_bases(state, script->function);
    state->stack[state->depth - 1].frame = frame;
    state->landed = false;
}

/* Whether the path goes on where the last one of its context ended. Then no longjmp or exception came between. */
static bool follows(const replay_script *last, const replay_script *script)
{
    return last && last->function == script->function &&
           (last->away || (last->enters == script->begins && last->enters != REPLAY_NO_BLOCK));
}

/* For a path that does not follow the last one: whether that one is of the same routine, and did not leave it. Then a
 * longjmp in code without probes led here. */
static bool breaks_off(const replay_script *last, const replay_script *script)
{
    return last && last->function == script->function && !last->exit;
}

/* How many activations are open, up to the one that the script goes on in: the innermost one of its function, or the
 * one that an exception arrived in. */
static size_t depth_of(const context_state *state, const replay_script *script)
{
    size_t depth = script->arrives == REPLAY_NO_BLOCK ? 0 : state->depth;
    while (depth && state->stack[depth - 1].caught != script->arrives)
        depth--;
    if (depth)
        return depth;
    for (depth = state->depth; depth && state->stack[depth - 1].function != script->function;)
        depth--;
    return depth;
}

/* Before a script's first item: the activation that it belongs to becomes the innermost one. */
static void enter_activation(report *r, const replay_script *script)
{
    context_state *state = r->state;
    state->repeat_first = false;
    if (script->span || script->entry)
        return;
    size_t depth = depth_of(state, script);
    if (depth == 0) {
        /* It began before the recording, or in a gap; or a call that does not return led back into it (longjmp). */
        state->repeat_first = !r->fresh || !context_entered(state, script->function);
        context_push(state, script->function);
        return;
    }
    bool goes_on = follows(state->last, script);
    state->landed = script->lands && !goes_on && script->frames;
    bool torn = script->jumps || (!goes_on && (script->lands || breaks_off(state->last, script)));
    if (!state->landed && !r->light && (state->depth > depth || torn))
        context_doubt_bases(state, script->function);
    unwind(r, depth);
    if (!script->keeps_bases)
        context_forget_bases(state);
}

/* ---- items ---- */

static uint32_t term_value(const descriptor_term *term, uint32_t base, uint32_t mask)
{
    uint32_t value = base + term->plus;
    switch (term->operation) {
    case DESCRIPTOR_AND:
        return term->coefficient * (value & term->operand);
    case DESCRIPTOR_AND_BASE:
        return term->coefficient * (value & mask);
    case DESCRIPTOR_SHIFT:
        return term->coefficient * (value >> term->operand);
    case DESCRIPTOR_SHIFT_SIGNED:
        return term->coefficient * (value >> term->operand | (value >> 31 ? ~(UINT32_MAX >> term->operand) : 0));
    default:
        return term->coefficient * value;
    }
}

/* Notes that something was made of a guessed base, once per base: it is right only if the guess is. */
static void note_guess(report *r, uint32_t group, group_base *base)
{
    const context_state *state = r->state;
    r->guess = memory_room(r->guess, r->guess_count, &r->guess_max, sizeof *r->guess);
    r->guess[r->guess_count++] = (report_guess){state->number, group, state->depth - 1, base->known};
    base->guessed = false;
}

/* context_base, for a reader. */
static group_base *read_base(report *r, const replay_script *script, uint32_t group)
{
    group_base *base = context_base(r->state, group, script->groups);
    if (base && base->guessed)
        note_guess(r, group, base);
    return base;
}

/* The address of a computed site. */
static group_base compute(report *r, const replay_script *script, const replay_item *item)
{
    group_base sum = {.base = item->constant, .known = true};
    for (uint32_t i = 0; i < item->count; i++) {
        const descriptor_term *term = &item->terms[i];
        const group_base *base = read_base(r, script, term->group), *mask = base;
        if (term->operation == DESCRIPTOR_AND_BASE)
            mask = read_base(r, script, term->operand);
        if (!base || !base->known || !mask || !mask->known)
            return (group_base){0};
        sum.base += term_value(term, base->base, mask->base);
    }
    return sum;
}

/* Where an access or a base site finds its address. False: it is not known. */
static bool find_address(report *r, const replay_script *script, const replay_item *item, uint32_t *address)
{
    group_base *base = context_base(r->state, item->group, script->groups);
    if (item->how == REPLAY_RECORDED) {
        *address = frame_numbers_address(&r->numbers, item->id);
        if (base)
            *base = (group_base){.base = *address - item->constant, .known = true};
        return true;
    }
    if (item->how == REPLAY_COMPUTED) {
        group_base found = compute(r, script, item);
        *address = found.base;
        if (base)
            *base = (group_base){.base = found.base - item->constant, .known = found.known};
        return found.known;
    }
    if (base && base->guessed && item->how != REPLAY_STATIC)
        note_guess(r, item->group, base);
    *address = item->how == REPLAY_STATIC ? item->constant : base ? base->base + item->constant : 0;
    return item->how == REPLAY_STATIC || (base && base->known);
}

/* What an edge does to bases. All are read before one is written. */
static void move_bases(report *r, const replay_script *script, const replay_item *item)
{
    r->moved = memory_room(r->moved, item->count, &r->moved_max, sizeof *r->moved);
    for (uint32_t i = 0; i < item->count; i++) {
        const descriptor_move *move = &item->moves[i];
        const group_base *from = read_base(r, script, move->from);
        r->moved[i] = (group_base){.base = move->step + (from ? from->base : 0),
                                   .known = from ? from->known : move->from == REPLAY_NO_GROUP};
    }
    for (uint32_t i = 0; i < item->count; i++) {
        group_base *moved = context_base(r->state, item->moves[i].group, script->groups);
        if (moved)
            *moved = r->moved[i];
    }
}

/* Items that only give bases. */
static void give_base(report *r, const replay_script *script, const replay_item *item)
{
    if (item->kind == REPLAY_MOVE) {
        move_bases(r, script, item);
        return;
    }
    group_base base = {0};
    base.known = find_address(r, script, item, &base.base);
    if (item->frame && base.known && r->state->depth)
        note_frame(r, script, base.base);
    group_base *given = context_base(r->state, item->target, script->groups);
    if (given)
        *given = base;
}

static void report_access(report *r, const replay_script *script, const replay_item *item, replay_event *event)
{
    event->size = item->size ? item->size : r->state->length;
    r->state->length = 0;
    event->store = item->store;
    event->derived = item->how != REPLAY_RECORDED;
    event->unknown = !find_address(r, script, item, &event->address);
    if (event->unknown)
        event->address = 0;
    *(event->unknown ? &r->accesses.unknown : event->derived ? &r->accesses.derived : &r->accesses.recorded) += 1;
}

static void report_item(report *r, const replay_script *script, const replay_item *item)
{
    context_state *state = r->state;
    if (r->light && item->kind != REPLAY_ENTRY && item->kind != REPLAY_EXIT)
        return;
    if (item->kind == REPLAY_LENGTH) {
        state->length = frame_numbers_address(&r->numbers, item->id);
        return;
    }
    if (item->kind == REPLAY_BASE || item->kind == REPLAY_MOVE) {
        give_base(r, script, item);
        return;
    }
    if (item->kind == REPLAY_BLOCK && r->left_out & REPLAY_KIND(REPLAY_BLOCK))
        return; /* the most frequent ones */
    replay_event *event = report_event(r, (replay_kind)item->kind);
    event->id = item->id;
    event->function = script->function;
    event->script = script;
    event->item = (uint32_t)(item - script->items);
    if (item->kind == REPLAY_ACCESS) {
        report_access(r, script, item, event);
    } else if (item->kind == REPLAY_VALUE) {
        event->value = frame_numbers_value(&r->numbers, item->id);
        event->size = item->size;
        event->store = item->store;
    } else if (item->kind == REPLAY_ENTRY && !script->span) {
        context_note_entry(state, script->function);
        context_push(state, script->function);
    } else if (item->kind == REPLAY_EXIT && !script->span && state->depth) {
        state->depth--;
    }
}

/* Whether nothing of the items between a script's first and its last one is reported, or kept. */
static bool passes_over(const report *r, const replay_script *script)
{
    return r->light || (script->plain && r->left_out & REPLAY_KIND(REPLAY_BLOCK));
}

/* The rest of what happened before the record, of which nothing but an entry is reported. */
static void pass_to_record(report *r, const replay_script *script)
{
    if (r->state->item == 0) {
        enter_activation(r, script);
        if (script->entry)
            report_item(r, script, script->items);
    }
    r->state->item = script->before_count;
    r->state->accesses = script->accesses;
    r->state->values = script->values;
}

/* Items that were missed in a gap are passed over. */
bool report_items(report *r, const replay_script *script, uint32_t accesses, uint32_t values)
{
    context_state *state = r->state;
    if (passes_over(r, script) && state->accesses + accesses == script->accesses &&
        state->values + values == script->values) {
        pass_to_record(r, script);
        return true;
    }
    uint32_t skip_accesses = state->item ? 0 : state->accesses, skip_values = state->item ? 0 : state->values;
    uint32_t left_accesses = accesses, left_values = values;
    if (state->item == 0)
        enter_activation(r, script);
    for (; state->item < script->before_count; state->item++) {
        const replay_item *item = &script->items[state->item];
        if (item->kind == REPLAY_ACCESS && !replay_is_recorded(item) && skip_accesses)
            continue; /* it happened in the gap */
        uint32_t *skip = item->kind == REPLAY_VALUE ? &skip_values : &skip_accesses;
        uint32_t *left = item->kind == REPLAY_VALUE ? &left_values : &left_accesses;
        if (replay_is_recorded(item)) {
            if (*skip) {
                --*skip;
                continue;
            }
            if (*left == 0)
                break;
            --*left;
        } else if (left_accesses == 0 && left_values == 0 && state->accesses + accesses < script->accesses) {
            break; /* as late as the path allows */
        }
        if (item->kind == REPLAY_BLOCK && state->item == 0 && script->first_reported && !state->repeat_first)
            continue;
        report_item(r, script, item);
    }
    state->accesses += accesses;
    state->values += values;
    return left_accesses == 0 && left_values == 0;
}

void report_record(report *r, const replay_script *script)
{
    context_state *state = r->state;
    replay_event *event = report_event(r, REPLAY_PATH);
    event->id = script->path;
    event->function = script->function;
    event->script = script;
    event->item = script->before_count;
    /* An exit is the last item. */
    uint32_t first = !passes_over(r, script) ? script->before_count : script->count - script->exit;
    for (uint32_t i = first; i < script->count; i++)
        report_item(r, script, &script->items[i]);
    if (!script->span && !script->exit && state->depth)
        state->stack[state->depth - 1].caught = script->caught;
    state->last = script;
    state->sought = false;
    state->next = NULL;
    state->item = state->accesses = state->values = 0;
}
