/* SPDX-License-Identifier: MIT */
/* activations_count, in parts of the frames on all cores. Steps:
 *   1. go through the control stream once, without counting: for each part this gives the activations that are open
 *      where it begins, and the last k - 1 paths of each. One part alone needs no such pass;
 *   2. count each part by itself;
 *   3. add the counts up. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/profile/activations.h"
#include "tools/lib/profile/path_notes.h"
#include "tools/lib/recording/by_context.h"
#include "tools/lib/recording/control.h"

typedef struct active {
    uint32_t function;
    uint32_t caught; /* of its last path: replay_script */
    uint32_t place;  /* step 2 */
    uint32_t count;  /* step 1: paths kept, */
    uint32_t next;   /* and where the next one goes */
} active;

typedef struct stack {
    uint32_t context; /* first: by_context */
    active *frames;   /* innermost last */
    size_t depth, max;
    uint32_t *recent; /* step 1: `keep` paths of each, as a ring */
    size_t recent_max;
} stack;

typedef struct stacks {
    stack *all;
    size_t count, max, last; /* last: the one used last */
    size_t keep;             /* paths kept of each activation; 0: none */
} stacks;

/* One part of the frames. */
typedef struct part {
    stacks begin; /* where it begins */
    sequences *counts;
    uint64_t unread;
    bool bad; /* the program does not have path `missing` */
    uint32_t missing;
} part;

typedef struct counting {
    const container *file;
    const event_filter *wanted;
    path_notes *notes; /* NULL: each path is an activation of its own */
    unsigned k;
    size_t parts;
    part *part;
} counting;

/* ---- stacks ---- */

static stack *stack_of(stacks *s, uint32_t context)
{
    s->all = by_context(s->all, &s->count, &s->max, sizeof *s->all, context, &s->last);
    return s->all + s->last;
}

static active *enter(const stacks *all, stack *s, uint32_t function)
{
    s->frames = memory_room(s->frames, s->depth, &s->max, sizeof *s->frames);
    if (all->keep)
        s->recent = memory_room(s->recent, (s->depth + 1) * all->keep, &s->recent_max, sizeof *s->recent);
    s->frames[s->depth] = (active){.function = function, .caught = REPLAY_NO_BLOCK};
    return s->frames + s->depth++;
}

/* How many activations are open, up to the one that a path without an entry goes on in: the innermost one of its
 * function, or the one that an exception arrived in. */
static size_t depth_of(const stack *s, const path_note *note)
{
    size_t at = note->arrives == REPLAY_NO_BLOCK ? 0 : s->depth;
    while (at && s->frames[at - 1].caught != note->arrives)
        at--;
    if (at)
        return at;
    for (at = s->depth; at && s->frames[at - 1].function != note->function;)
        at--;
    return at;
}

/* The activation that a path belongs to. If none is open, its beginning was not recorded. */
static active *find_activation(stacks *all, stack *s, const path_note *note)
{
    size_t at = note->entry ? 0 : depth_of(s, note);
    active *found = at ? s->frames + at - 1 : enter(all, s, note->function);
    if (at)
        s->depth = at;
    found->caught = note->caught;
    return found;
}

static void forget_all(stacks *s)
{
    for (size_t i = 0; i < s->count; i++)
        s->all[i].depth = 0;
}

static void free_stacks(stacks *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->all[i].frames);
        free(s->all[i].recent);
    }
    free(s->all);
}

static stacks copy_stacks(const stacks *from)
{
    stacks to = {.all = memory_copy(from->all, from->count, sizeof *from->all),
                 .count = from->count,
                 .max = from->count,
                 .keep = from->keep};
    for (size_t i = 0; i < to.count; i++) {
        const stack *s = &from->all[i];
        to.all[i].frames = memory_copy(s->frames, s->depth, sizeof *s->frames);
        to.all[i].recent = memory_copy(s->recent, s->depth * from->keep, sizeof *s->recent);
        to.all[i].max = s->depth;
    }
    return to;
}

/* ---- step 1 ---- */

static void keep_path(const stacks *all, const stack *s, active *a, uint32_t path)
{
    s->recent[(size_t)(a - s->frames) * all->keep + a->next] = path;
    a->next = a->next + 1 == all->keep ? 0 : a->next + 1;
    a->count += a->count < all->keep;
}

/* `s`: what is open before the part, and then what is after it. */
static void walk_part(const counting *c, size_t number, stacks *s)
{
    part *p = &c->part[number];
    size_t frames = container_frame_count(c->file);
    control *events = control_open_range(c->file, threads_first(frames, c->parts, number),
                                         threads_first(frames, c->parts, number + 1));
    for (control_event event; !p->bad && control_next(events, &event);) {
        if (event.kind == CONTROL_GAP)
            forget_all(s);
        if (event.kind != CONTROL_PATH || !event_filter_context(c->wanted, event.context))
            continue;
        const path_note *note = path_notes_of(c->notes, event.path);
        if (!note) {
            p->bad = true;
            p->missing = event.path;
            break;
        }
        stack *of = stack_of(s, event.context);
        active *a = find_activation(s, of, note);
        if (event_filter_function(c->wanted, note->function))
            keep_path(s, of, a, event.path);
        of->depth -= note->leaves;
    }
    control_close(events);
}

/* False: the program does not have one of the paths. */
static bool walk_all(const counting *c)
{
    stacks s = {.keep = c->k - 1};
    bool good = true;
    for (size_t i = 0; i < c->parts && good; i++) {
        c->part[i].begin = copy_stacks(&s);
        walk_part(c, i, &s);
        good = !c->part[i].bad;
    }
    free_stacks(&s);
    return good;
}

/* ---- step 2 ---- */

/* Finds the place of each activation that is open. */
static void find_places(part *p)
{
    stacks *s = &p->begin;
    size_t keep = s->keep;
    for (size_t i = 0; i < s->count; i++)
        for (size_t d = 0; d < s->all[i].depth; d++) {
            active *a = &s->all[i].frames[d];
            const uint32_t *recent = s->all[i].recent + d * keep;
            for (uint32_t n = 0; n < a->count; n++)
                sequences_follow(p->counts, &a->place, recent[(a->next + keep - a->count + n) % keep]);
        }
    s->keep = 0;
}

static void count_path(const counting *c, part *p, const control_event *event)
{
    uint32_t alone = 0;
    if (!c->notes) {
        sequences_push(p->counts, &alone, event->path);
        return;
    }
    const path_note *note =
        c->parts > 1 ? path_notes_known(c->notes, event->path) : path_notes_of(c->notes, event->path);
    if (!note) {
        p->bad = true;
        p->missing = event->path;
        return;
    }
    stack *of = stack_of(&p->begin, event->context);
    active *a = find_activation(&p->begin, of, note);
    if (event_filter_function(c->wanted, note->function))
        sequences_push(p->counts, &a->place, event->path);
    of->depth -= note->leaves;
}

static void count_part(void *own, size_t number)
{
    const counting *c = own;
    part *p = &c->part[number];
    size_t frames = container_frame_count(c->file);
    control *events = control_open_range(c->file, threads_first(frames, c->parts, number),
                                         threads_first(frames, c->parts, number + 1));
    find_places(p);
    for (control_event event; !p->bad && control_next(events, &event);) {
        if (event.kind == CONTROL_GAP)
            forget_all(&p->begin);
        if (event.kind != CONTROL_PATH || !event_filter_context(c->wanted, event.context))
            continue;
        count_path(c, p, &event);
        if (number == 0 && sequences_events(p->counts) % 4096 == 0)
            progress_show(sequences_events(p->counts) * c->parts, "events");
    }
    p->unread = control_unread(events);
    control_close(events);
}

/* ---- step 3 ---- */

static void add_part(sequences *counts, part *p)
{
    if (p->counts && p->counts != counts) {
        sequences_merge(counts, p->counts);
        sequences_free(p->counts);
    }
    free_stacks(&p->begin);
}

const char *activations_count(const container *file, program *app, const event_filter *wanted, sequences *counts,
                              uint64_t *unread)
{
    static char message[80];
    const char *error = NULL;
    counting c = {.file = file,
                  .wanted = wanted,
                  .notes = app ? path_notes_new(app) : NULL,
                  .k = sequences_k(counts),
                  .parts = threads_parts(container_frame_count(file))};
    c.part = memory_zero(c.parts, sizeof *c.part);
    if (!app || c.parts == 1 || walk_all(&c)) {
        for (size_t i = 0; i < c.parts; i++)
            c.part[i].counts = i ? sequences_new(c.k) : counts;
        threads_run(c.parts, count_part, &c);
    }
    progress_end();
    *unread = 0;
    for (size_t i = 0; i < c.parts; i++) {
        if (c.part[i].bad && !error) {
            snprintf(message, sizeof message, "the program has no path %u", c.part[i].missing);
            error = message;
        }
        *unread += c.part[i].unread;
        add_part(counts, &c.part[i]);
    }
    free(c.part);
    path_notes_free(c.notes);
    return error;
}
