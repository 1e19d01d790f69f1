/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/activations.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/profile/path_notes.h"
#include "tools/lib/recording/by_context.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/script.h"

typedef struct active {
    uint32_t function;
    uint32_t caught; /* of its last path: replay_script */
    kipf_activation activation;
    size_t base; /* of its open loops */
} active;

typedef struct stack {
    uint32_t context; /* first: by_context */
    active *frames;
    size_t depth, max;
    rounds_stack loops;
} stack;

typedef struct stacks {
    stack *all;
    size_t count, max;
    size_t last; /* the one used last */
} stacks;

static stack *stack_of(stacks *s, uint32_t context)
{
    s->all = by_context(s->all, &s->count, &s->max, sizeof *s->all, context, &s->last);
    return s->all + s->last;
}

static active *enter(stack *s, uint32_t function)
{
    s->frames = memory_room(s->frames, s->depth, &s->max, sizeof *s->frames);
    s->frames[s->depth] = (active){.function = function, .base = s->loops.count};
    return s->frames + s->depth++;
}

/* How many activations are open, up to the one that a path without an entry goes on in: the innermost one of its
 * function, or the one that an exception arrived in. */
static size_t depth_of(const stack *s, const replay_script *script)
{
    size_t at = script->arrives == REPLAY_NO_BLOCK ? 0 : s->depth;
    while (at && s->frames[at - 1].caught != script->arrives)
        at--;
    if (at)
        return at;
    for (at = s->depth; at && s->frames[at - 1].function != script->function;)
        at--;
    return at;
}

static active *resume(stack *s, const replay_script *script)
{
    size_t at = depth_of(s, script);
    if (!at)
        return enter(s, script->function); /* its beginning was not recorded */
    if (at < s->depth)
        s->loops.count = s->frames[at].base;
    s->depth = at;
    return s->frames + at - 1;
}

static void forget_all(stacks *s)
{
    for (size_t i = 0; i < s->count; i++)
        s->all[i].depth = s->all[i].loops.count = 0;
}

/* Where a feed's paths go. */
typedef struct feed {
    scripts *paths;
    const descriptors *known;
    kipf *forest;
    uint64_t pushed;
    rounds *loops;
    const event_filter *wanted; /* NULL: all are */
    stacks s;
} feed;

static void push(feed *f, active *a, uint32_t path)
{
    kipf_push(f->forest, &a->activation, path);
    f->pushed++;
}

static bool feed_path(feed *f, const control_event *event)
{
    if (!f->paths) {
        push(f, &(active){0}, event->path);
        return true;
    }
    const replay_script *script = scripts_path(f->paths, event->path);
    if (!script)
        return false;
    stack *of = stack_of(&f->s, event->context);
    active *a = script->entry ? enter(of, script->function) : resume(of, script);
    bool wanted = !f->wanted || event_filter_function(f->wanted, script->function);
    a->caught = script->caught;
    if (wanted)
        push(f, a, event->path);
    if (f->loops && wanted)
        rounds_path(f->loops, &of->loops, a->base, event->path);
    if (path_leaves(f->known, script))
        of->loops.count = of->frames[--of->depth].base;
    return true;
}

static const char *feed_all(const container *file, feed *f, uint64_t *unread)
{
    static char message[80];
    const char *error = NULL;
    control *events = control_open(file);
    for (control_event event; !error && control_next(events, &event);) {
        if (event.kind == CONTROL_GAP)
            forget_all(&f->s);
        bool wanted = !f->wanted || event_filter_context(f->wanted, event.context);
        if (event.kind == CONTROL_PATH && wanted && !feed_path(f, &event)) {
            snprintf(message, sizeof message, "the program has no path %u", event.path);
            error = message;
        }
        if (f->pushed % 4096 == 0)
            progress_show(f->pushed, "events");
    }
    progress_end();
    *unread = control_unread(events);
    control_close(events);
    for (size_t i = 0; i < f->s.count; i++) {
        free(f->s.all[i].frames);
        free(f->s.all[i].loops.open);
    }
    free(f->s.all);
    return error;
}

const char *activations_feed_scripts(const container *file, scripts *paths, const descriptors *known,
                                     const event_filter *wanted, kipf *forest, rounds *loops, uint64_t *unread)
{
    feed f = {.paths = paths, .known = known, .forest = forest, .wanted = wanted, .loops = loops};
    return feed_all(file, &f, unread);
}

const char *activations_feed_profile(const container *file, kipf *forest)
{
    container_frame frame;
    uint8_t *buffer = NULL;
    uint32_t recording = 0;
    weft_status status = WEFT_OK;
    kipf_new_recording(forest);
    for (size_t i = 0; i < container_frame_count(file) && status == WEFT_OK; i++) {
        profile_body body;
        weft_reader part;
        if (container_kind(file, i) != WEFT_FRAME_PROFILE)
            continue;
        container_read(file, i, &frame, &buffer);
        if (frame.recording != recording)
            kipf_new_recording(forest);
        recording = frame.recording;
        if (!profile_parse(&frame.frame, &body)) {
            status = WEFT_CORRUPT;
            break;
        }
        weft_reader_init(&part, body.bytes, body.size);
        if (body.size)
            status = kipf_add_part(forest, &part);
    }
    free(buffer);
    return status == WEFT_OK       ? NULL
           : status == WEFT_CONFIG ? "its parts were made with another k"
                                   : "a part is damaged";
}
