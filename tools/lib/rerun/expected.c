/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/expected.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/recording/unpack.h"

/* Values come before the paths that they belong to, but a pack is recorded after its last one: so the value of a later
 * path is looked for after the earlier paths. */
#define AHEAD 256u

struct rerun_expected {
    const program *app;
    scripts *scripts;
    replay *events;
    unpack *packs;
    replay_event waiting[AHEAD]; /* events that were read, in order */
    size_t count;
    bool breaks_off;
    uint64_t compared;
    char error[300];
};

rerun_expected *rerun_expected_open(const program *app, const container *file)
{
    rerun_expected *e = memory_zero(1, sizeof *e);
    e->app = app;
    e->scripts = scripts_open(app);
    e->events = replay_open(file, (replay_model){e->scripts, scripts_model});
    replay_leave_out(e->events, REPLAY_KIND(REPLAY_ENTRY) | REPLAY_KIND(REPLAY_EXIT) | REPLAY_KIND(REPLAY_BLOCK) |
                                    REPLAY_KIND(REPLAY_ACCESS));
    weft_counts counts;
    e->breaks_off = container_cut(file) || !container_end_counts(file, 0, &counts);
    e->packs = unpack_open((pack_source){program_descriptors(app), NULL});
    return e;
}

void rerun_expected_close(rerun_expected *e)
{
    if (!e)
        return;
    unpack_close(e->packs);
    replay_close(e->events);
    scripts_close(e->scripts);
    free(e);
}

/* The event after `at` others, which stays until it is dropped. NULL: there is none, or it is too far ahead. */
static const replay_event *look(rerun_expected *e, size_t at)
{
    while (e->count <= at && e->count < AHEAD && replay_next(e->events, &e->waiting[e->count]))
        e->count++;
    return at < e->count ? &e->waiting[at] : NULL;
}

static void drop(rerun_expected *e, size_t at)
{
    e->count--;
    memmove(&e->waiting[at], &e->waiting[at + 1], (e->count - at) * sizeof *e->waiting);
}

static void name_path(const rerun_expected *e, uint32_t path, char *text, size_t size)
{
    const descriptor_function *f = descriptors_of_path(program_descriptors(e->app), path);
    snprintf(text, size, "%" PRIu32 " of %s", path, f ? f->name : "no function");
}

/* What else may come, and means that it cannot go on from here. False: nothing to say, go on. */
static bool ends_here(rerun_expected *e, const replay_event *event)
{
    char name[VECTORS_NAME_MAX];
    switch (event->kind) {
    case REPLAY_GAP:
        snprintf(e->error, sizeof e->error, "the recording has a gap here, or another one begins");
        return true;
    case REPLAY_UNRESOLVED:
    case REPLAY_MARK:
    case REPLAY_VALUE:
        return false;
    default:
        snprintf(e->error, sizeof e->error, "%s came in between, and the recording does not say where exactly",
                 vectors_name(program_image(e->app), event->context, name));
        return vectors_is_handler(event->context);
    }
}

static bool compare(rerun_expected *e, uint32_t recorded, uint32_t path)
{
    char said[120], made[120];
    e->compared += recorded == path;
    if (recorded == path)
        return true;
    name_path(e, recorded, said, sizeof said);
    name_path(e, path, made, sizeof made);
    snprintf(e->error, sizeof e->error, "it takes path %s, but the recording has path %s", made, said);
    return false;
}

bool rerun_expected_path(rerun_expected *e, uint32_t path)
{
    const replay_event *next;
    while ((next = look(e, 0))) {
        replay_event event = *next;
        drop(e, 0);
        if (event.kind == REPLAY_PATH)
            return compare(e, event.id, path);
        if (ends_here(e, &event))
            return false;
        *e->error = 0;
    }
    if (replay_error(e->events))
        snprintf(e->error, sizeof e->error, "%s", replay_error(e->events));
    else if (e->breaks_off)
        snprintf(e->error, sizeof e->error, "the recording breaks off here");
    return false;
}

bool rerun_expected_more(rerun_expected *e)
{
    const replay_event *event;
    while ((event = look(e, 0)) && event->kind != REPLAY_PATH)
        drop(e, 0);
    return event;
}

/* Where the next value stands; AHEAD: none comes in this context. */
static size_t next_value(rerun_expected *e)
{
    const replay_event *event;
    for (size_t at = 0; (event = look(e, at)); at++) {
        if (event->kind == REPLAY_VALUE)
            return at;
        if (event->kind == REPLAY_GAP || (event->kind == REPLAY_CONTEXT && vectors_is_handler(event->context)))
            break;
    }
    return AHEAD;
}

bool rerun_expected_value(rerun_expected *e, rerun_value *value)
{
    size_t at = next_value(e);
    if (at == AHEAD)
        return false;
    const replay_event *event = &e->waiting[at];
    *value = (rerun_value){event->id, event->size, event->value};
    return true;
}

void rerun_expected_take_value(rerun_expected *e)
{
    drop(e, next_value(e));
}

bool rerun_expected_pack(rerun_expected *e, uint32_t number, uint32_t word)
{
    const uint32_t *paths;
    size_t count = unpack_paths(e->packs, number, word, &paths);
    if (!count)
        snprintf(e->error, sizeof e->error, "its probe records a pack that the image does not know");
    bool same = count > 0;
    for (size_t i = 0; i < count && same; i++)
        same = rerun_expected_path(e, paths[i]);
    return same;
}

const char *rerun_expected_error(const rerun_expected *e)
{
    return *e->error ? e->error : NULL;
}

uint64_t rerun_expected_compared(const rerun_expected *e)
{
    return e->compared;
}
