/* SPDX-License-Identifier: MIT */
/* Where an interrupt stands, in a file of its own so that programs that do not record it do not link it. */
#include "core/own.h"
#include "core/recorder_parts.h"

static uint8_t *put_head(uint8_t *to, weft_mark_kind kind, uint64_t argument)
{
    return weft_put_varint64(to, argument << 5 | (uint32_t)kind << 1 | 1);
}

/* Before a place, `of_place`: it may stand in an earlier frame than that. */
static weft_status put_laps(weft_recorder *recorder, uint32_t context, uint32_t laps, bool of_place)
{
    weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    bool taken = weft_recorder_make_mark(recorder, context);
    recorder->marks++;
    if (!taken)
        return WEFT_AGAIN;
    marks->at = put_head(marks->at, WEFT_MARK_LAPS, (uint64_t)laps << 1 | of_place);
    return WEFT_OK;
}

weft_status weft_recorder_laps(weft_recorder *recorder, uint32_t context, uint32_t laps)
{
    return recorder->config.profile_only ? WEFT_CONFIG : put_laps(recorder, context, laps, false);
}

weft_status weft_recorder_input(weft_recorder *recorder, uint32_t context, uint32_t value, uint8_t hash, uint32_t more)
{
    weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    if (recorder->config.profile_only)
        return WEFT_CONFIG;
    bool taken = weft_recorder_make_mark(recorder, context);
    recorder->marks++;
    if (!taken)
        return WEFT_AGAIN;
    marks->at = weft_put_varint(put_head(marks->at, WEFT_MARK_INPUT, (uint64_t)value << 8 | hash), more);
    return WEFT_OK;
}

/* Its count stands in the recording, but not the place. */
static weft_status lose(weft_recorder *recorder, const weft_place *place)
{
    recorder->marks += place->counted;
    return WEFT_AGAIN;
}

weft_status weft_recorder_place(weft_recorder *recorder, uint32_t context, const weft_place *place)
{
    weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    if (recorder->config.profile_only)
        return WEFT_CONFIG;
    if (place->counted && put_laps(recorder, context, place->laps, true) != WEFT_OK)
        return WEFT_AGAIN;
    if (!weft_recorder_make_mark(recorder, context))
        return lose(recorder, place);
    marks->at = put_head(marks->at, WEFT_MARK_PLACE, place->pc >> 1);
    if (!weft_recorder_make_mark(recorder, context)) /* in the next frame, if this one is full */
        return lose(recorder, place);
    uint8_t *at =
        put_head(marks->at, WEFT_MARK_STACKED, place->exception << 2 | (uint32_t)place->floats << 1 | place->under_way);
    at = weft_put_varint(at, place->frame);
    marks->at = weft_put_varint(weft_put_varint(at, place->hashes[0]), place->hashes[1]);
    return WEFT_OK;
}
