/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/scout.h"

/* Counts of the paths in the rest of a stretch, from symbol `number` on. */
static bool rest_of_stretch(const scout *s, frame_window *window, uint64_t number, uint64_t *accesses, uint64_t *values)
{
    uint32_t symbol;
    *accesses = *values = 0;
    while (window_symbol(window, number++, &symbol) && symbol != WEFT_SYMBOL_CONTEXT) {
        if (symbol < WEFT_SYMBOL_PATH)
            continue;
        const replay_script *script = s->model.script(s->model.context, symbol - WEFT_SYMBOL_PATH);
        if (!script)
            return false;
        *accesses += script->accesses;
        *values += script->values;
    }
    return true;
}

/* At a path symbol of the sought context: how many of its accesses the search did not pass. */
static bool measure(const scout *s, const place *at, const replay_script *script, const scout_found *passed,
                    scout_found *result)
{
    uint64_t others_accesses, others_values;
    if (!rest_of_stretch(s, at->window, at->symbol + 1, &others_accesses, &others_values))
        return false;
    int64_t accesses = (int64_t)at->stretch.accesses - at->stretch.accesses_tail - (int64_t)others_accesses;
    int64_t values = (int64_t)at->stretch.values - at->stretch.values_tail - (int64_t)others_values;
    result->script = script;
    result->accesses = (int64_t)script->accesses - accesses - passed->accesses;
    result->values = (int64_t)script->values - values - passed->values;
    return true;
}

/* Moves on to the next stretch, in this frame or the next ones. False: a gap, the end, or damage. */
static bool next_stretch(scout *s, place *at)
{
    if (trace_stretches_next(&at->stretches, &at->stretch))
        return true;
    if (at->stretches.reader.status != WEFT_OK)
        return false;
    size_t index = container_next(s->file, WEFT_FRAME_TRACE, at->window->index + 1);
    if (index == container_frame_count(s->file))
        return false;
    window_load(s->ahead, s->file, index);
    if (s->ahead->frame.after_gap || s->ahead->frame.recording != s->current->frame.recording)
        return false;
    return place_start(at, s->ahead);
}

/* The context's next path in this stretch, after those that are passed by: the walk stands on it. */
static bool path_in_stretch(place *at, bool mine, uint32_t *passed_by, uint32_t *symbol)
{
    for (; window_symbol(at->window, at->symbol, symbol) && *symbol != WEFT_SYMBOL_CONTEXT; at->symbol++)
        if (mine && *symbol >= WEFT_SYMBOL_PATH && (*passed_by)-- == 0)
            return true;
    return false;
}

bool scout_seek(scout *s, place at, uint32_t context, bool measured, uint32_t passed_by, scout_found *result)
{
    scout_found passed = {0};
    uint32_t symbol;
    *result = passed;
    if (at.window == s->current && s->current->first > 0) {
        /* Leave the window of the frame in replay alone. */
        window_load(s->ahead, s->file, s->current->index);
        at.window = s->ahead;
        at.stretches.body = &s->ahead->body;
        at.stretches.reader.bytes = s->ahead->body.section[WEFT_REGION_MARKS];
    }
    for (;;) {
        bool mine = at.stretch.context == context;
        if (path_in_stretch(&at, mine, &passed_by, &symbol)) {
            result->script = s->model.script(s->model.context, symbol - WEFT_SYMBOL_PATH);
            return result->script && (!measured || measure(s, &at, result->script, &passed, result));
        }
        at.symbol++;
        if (mine) {
            passed.accesses += at.stretch.accesses_tail;
            passed.values += at.stretch.values_tail;
        }
        if (!next_stretch(s, &at))
            return true; /* not there */
    }
}
