/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/expected.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/recording/unpack.h"

struct rerun_expected {
    const program *app;
    scripts *scripts;
    replay *events;
    unpack *packs;
    replay_event next;
    bool has_next, breaks_off;
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

/* The next event, which stays until `has_next` is false. NULL: there is none. */
static const replay_event *look(rerun_expected *e)
{
    e->has_next = e->has_next || replay_next(e->events, &e->next);
    return e->has_next ? &e->next : NULL;
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
    const replay_event *event;
    while ((event = look(e))) {
        e->has_next = false;
        if (event->kind == REPLAY_PATH)
            return compare(e, event->id, path);
        if (ends_here(e, event))
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
    while ((event = look(e)) && event->kind != REPLAY_PATH)
        e->has_next = false;
    return event;
}

bool rerun_expected_value(rerun_expected *e, rerun_value *value)
{
    const replay_event *event = look(e);
    while (event && event->kind == REPLAY_MARK) {
        e->has_next = false;
        event = look(e);
    }
    if (!event || event->kind != REPLAY_VALUE)
        return false;
    *value = (rerun_value){event->id, event->size, event->value};
    return true;
}

void rerun_expected_take_value(rerun_expected *e)
{
    e->has_next = false;
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
