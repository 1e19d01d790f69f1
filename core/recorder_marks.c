/* SPDX-License-Identifier: MIT */
/* Marks other than switches of context: events of the firmware's own, stamps of time, changes of what is
 * recorded. In a file of its own, so that programs without them do not link it. */
#include "core/own.h"
#include "core/recorder_parts.h"

/* The head of an entry of the marks section. */
static uint8_t *put_head(uint8_t *to, weft_mark_kind kind, uint64_t argument)
{
    return weft_put_varint64(to, argument << 5 | (uint64_t)kind << 1 | 1);
}

weft_status weft_recorder_event(weft_recorder *recorder, uint32_t context, uint32_t id, const uint32_t *values,
                                size_t count)
{
    weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    if (count > WEFT_RECORDER_EVENT_VALUES_MAX || recorder->config.profile_only)
        return WEFT_CONFIG;
    bool taken = weft_recorder_make_mark(recorder, context);
    recorder->marks++;
    if (!taken)
        return WEFT_AGAIN;
    uint8_t *to = put_head(marks->at, WEFT_MARK_EVENT, id);
    *to++ = (uint8_t)count;
    for (size_t i = 0; i < count; i++)
        to = weft_put_varint(to, values[i]);
    marks->at = to;
    return WEFT_OK;
}

weft_status weft_recorder_stamp_in(weft_recorder *recorder, uint32_t context, uint64_t time)
{
    weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    if (recorder->config.profile_only)
        return WEFT_CONFIG;
    if (!weft_recorder_make_mark(recorder, context))
        return WEFT_AGAIN;
    if (time < recorder->stamp)
        time = recorder->stamp;
    marks->at = put_head(marks->at, WEFT_MARK_STAMP, time - recorder->stamp);
    recorder->stamp = time;
    return WEFT_OK;
}

weft_status weft_recorder_stamp(weft_recorder *recorder, uint64_t time)
{
    return weft_recorder_stamp_in(recorder, recorder->context, time);
}

void weft_recorder_pace(weft_recorder *recorder, uint32_t paths)
{
    uint32_t count = weft_recorder_paths(recorder);
    recorder->paths_max = paths < WEFT_RECORDER_PATHS_MAX - count ? count + paths : WEFT_RECORDER_PATHS_MAX;
}

weft_status weft_recorder_change(weft_recorder *recorder, uint32_t change, uint32_t parameter)
{
    weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    if (recorder->config.profile_only)
        return WEFT_CONFIG;
    if (!weft_recorder_make_mark(recorder, recorder->context))
        return WEFT_AGAIN;
    marks->at = weft_put_varint(put_head(marks->at, WEFT_MARK_CONTROL, change), parameter);
    if (change == WEFT_CHANGE_PAUSE)
        recorder->pauses++;
    return WEFT_OK;
}
