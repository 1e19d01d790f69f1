/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/expected_items.h"

#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"

/* Events that are looked ahead: what handlers record while one event of a thread is under way, and the paths of a pack,
 * which come before the values of its last one. */
#define AHEAD 65536u

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

static bool make_laps(rerun_expected *e, const trace_mark *mark, item *made)
{
    uint32_t laps = (uint32_t)(mark->argument >> 1);
    made->kind = LAPS;
    made->laps = laps;
    e->counted = mark->argument & 1;
    e->laps = laps;
    return !e->counted;
}

static bool make_input(const trace_mark *mark, item *made)
{
    made->kind = INPUT;
    made->input.value = (uint32_t)(mark->argument >> 8);
    made->input.hash = (uint8_t)mark->argument;
    made->input.left = mark->value[0];
    return true;
}

/* False: it is none of those that are compared. */
static bool make_item(rerun_expected *e, const replay_event *event, item *made)
{
    *made = (item){.context = event->context, .exception = vectors_is_handler(event->context) ? event->context : 0};
    switch (event->kind) {
    case REPLAY_PATH:
        made->kind = PATH;
        made->path = event->id;
        return true;
    case REPLAY_VALUE:
        made->kind = VALUE;
        made->value = (rerun_value){event->id, event->size, event->value};
        return true;
    case REPLAY_ACCESS:
        made->kind = ACCESS;
        made->access.site = event->id;
        made->access.address = event->address;
        return !event->derived && !event->unknown;
    case REPLAY_GAP:
    case REPLAY_UNRESOLVED:
        made->kind = STOP;
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
        made->kind = START;
        made->start = start_of(event->mark, made->exception, 2 * e->place);
        made->start.counted = e->counted;
        made->start.laps = e->laps;
        e->counted = false;
        return true;
    default:
        return false;
    }
}

item *rerun_expected_look(rerun_expected *e, size_t at)
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
