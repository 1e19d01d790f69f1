/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/items.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"

/* Events that are looked ahead: what handlers record while one event of a thread is under way, and the paths of a pack,
 * which come before the values of its last one. */
#define AHEAD 65536u

struct rerun_items {
    scripts *scripts;
    replay *events;
    rerun_item *items; /* in order: [first .. count) are left, but for those that were taken */
    size_t first, count, max;
    uint32_t place; /* half of one, whose other half comes */
    bool counted;   /* and whose counter this is: */
    uint32_t laps;
    bool breaks_off;
};

rerun_items *rerun_items_open(const program *app, const container *file)
{
    rerun_items *e = memory_zero(1, sizeof *e);
    weft_counts counts;
    e->scripts = scripts_open(app);
    e->events = replay_open(file, (replay_model){e->scripts, scripts_model});
    replay_leave_out(e->events, REPLAY_KIND(REPLAY_ENTRY) | REPLAY_KIND(REPLAY_EXIT) | REPLAY_KIND(REPLAY_BLOCK));
    e->breaks_off = container_cut(file) || !container_end_counts(file, 0, &counts);
    return e;
}

void rerun_items_close(rerun_items *e)
{
    if (!e)
        return;
    replay_close(e->events);
    scripts_close(e->scripts);
    free(e->items);
    free(e);
}

static rerun_place start_of(const trace_mark *mark, uint32_t handler, uint32_t pc)
{
    rerun_place place = {.handler = handler,
                         .interrupted = (uint32_t)(mark->argument >> 2),
                         .floats = mark->argument >> 1 & 1,
                         .pc = pc,
                         .frame = mark->value[WEFT_STACKED_FRAME],
                         .under_way = mark->argument & 1};
    for (unsigned i = 0; i < 7; i++)
        place.hashes[i] = (uint8_t)(mark->value[i < 4 ? WEFT_STACKED_LOW : WEFT_STACKED_HIGH] >> i % 4 * 8);
    return place;
}

static bool make_laps(rerun_items *e, const trace_mark *mark, rerun_item *made)
{
    uint32_t laps = (uint32_t)(mark->argument >> 1);
    made->kind = RERUN_ITEM_LAPS;
    made->laps = laps;
    e->counted = mark->argument & 1;
    e->laps = laps;
    return !e->counted;
}

static bool make_input(const trace_mark *mark, rerun_item *made)
{
    made->kind = RERUN_ITEM_INPUT;
    made->input.value = (uint32_t)(mark->argument >> 8);
    made->input.hash = (uint8_t)mark->argument;
    made->input.left = mark->value[0];
    return true;
}

/* False: it is none of those that are compared. */
static bool make_item(rerun_items *e, const replay_event *event, rerun_item *made)
{
    *made =
        (rerun_item){.context = event->context, .exception = vectors_is_handler(event->context) ? event->context : 0};
    switch (event->kind) {
    case REPLAY_PATH:
        made->kind = RERUN_ITEM_PATH;
        made->path = event->id;
        return true;
    case REPLAY_VALUE:
        made->kind = RERUN_ITEM_VALUE;
        made->value = (rerun_value){event->id, event->size, event->value};
        return true;
    case REPLAY_ACCESS:
        made->kind = RERUN_ITEM_ACCESS;
        made->access.site = event->id;
        made->access.address = event->address;
        return !event->derived && !event->unknown;
    case REPLAY_GAP:
    case REPLAY_UNRESOLVED:
        made->kind = RERUN_ITEM_STOP;
        made->unresolved = event->kind == REPLAY_UNRESOLVED;
        return true;
    case REPLAY_MARK:
        if (event->mark->kind == WEFT_MARK_LAPS)
            return make_laps(e, event->mark, made);
        if (event->mark->kind == WEFT_MARK_INPUT)
            return make_input(event->mark, made);
        if (event->mark->kind == WEFT_MARK_PLACE)
            e->place = (uint32_t)event->mark->argument;
        if (event->mark->kind != WEFT_MARK_STACKED)
            return false;
        made->kind = RERUN_ITEM_START;
        made->start = start_of(event->mark, made->exception, 2 * e->place);
        made->start.counted = e->counted;
        made->start.laps = e->laps;
        e->counted = false;
        return true;
    default:
        return false;
    }
}

rerun_item *rerun_items_look(rerun_items *e, size_t at)
{
    replay_event event;
    while (e->first < e->count && e->items[e->first].taken)
        e->first++;
    if (e->first == e->count)
        e->first = e->count = 0;
    while (e->count <= e->first + at && e->count < e->first + AHEAD && replay_next(e->events, &event)) {
        if (e->first > AHEAD) {
            memmove(e->items, e->items + e->first, (e->count - e->first) * sizeof *e->items);
            e->count -= e->first;
            e->first = 0;
        }
        e->items = memory_room(e->items, e->count, &e->max, sizeof *e->items);
        e->count += make_item(e, &event, &e->items[e->count]);
    }
    return e->first + at < e->count ? &e->items[e->first + at] : NULL;
}

const char *rerun_items_error(const rerun_items *e)
{
    return replay_error(e->events);
}

bool rerun_items_break_off(const rerun_items *e)
{
    return e->breaks_off;
}
