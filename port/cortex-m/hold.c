/* SPDX-License-Identifier: MIT */
/* Frames held back for a trigger. Each lies whole in the ring, after its size in bytes and the number of the
 * recording's paths at its end:
 *
 *     | size paths frame | size paths frame | ... free ... | size paths frame | 0 (too little for the next one) |
 *       ^ in front again                      end            first
 */
#include <string.h>

#include "core/own.h"
#include "port/cortex-m/trigger.h"
#include "port/cortex-m/weft_target.h"

enum { HEAD = 2, KIND_AT = 2 }; /* words; bytes of a frame on the wire before its kind, which is not 0 */

static uint32_t words_of(uint32_t bytes)
{
    return HEAD + (bytes + 3) / 4;
}

/* The next entry's place is found at once, while what ends the ring's upper part is still there. */
static void drop_first(weft_hold *hold)
{
    uint32_t next = hold->first + words_of(hold->words[hold->first]);
    hold->frames--;
    if (!hold->frames)
        hold->first = hold->end = 0;
    else
        hold->first = next + HEAD > hold->size || hold->words[next] == 0 ? 0 : next;
}

/* Finds a place for an entry of `words`, dropping the oldest frames where it must. There is a place if the entry is not
 * larger than the ring. */
static uint32_t make_room(weft_hold *hold, uint32_t words)
{
    for (;;) {
        bool wrapped = hold->frames && hold->first >= hold->end; /* the free part ends at the first entry */
        if ((wrapped ? hold->first : hold->size) - hold->end >= words)
            return hold->end;
        if (!wrapped && hold->frames && hold->first >= words) {
            if (hold->end < hold->size)
                hold->words[hold->end] = 0;
            return 0;
        }
        drop_first(hold);
        hold->forgotten++;
    }
}

static void keep(weft_hold *hold, const uint8_t *frame, uint32_t size)
{
    const weft_recorder *recorder = weft_target_started();
    uint32_t words = words_of(size), at = make_room(hold, words);
    hold->words[at] = size;
    hold->words[at + 1] = recorder ? (uint32_t)recorder->before.paths : 0;
    memcpy(&hold->words[at + HEAD], frame, size);
    hold->end = at + words;
    hold->frames++;
}

/* False: the sink refused one. */
static bool send_kept(weft_hold *hold)
{
    while (hold->frames) {
        uint32_t at = hold->first;
        if (hold->to->write(hold->to->context, (const uint8_t *)&hold->words[at + HEAD], hold->words[at]) != WEFT_OK)
            return false;
        drop_first(hold);
    }
    return true;
}

static void forget(weft_hold *hold)
{
    hold->forgotten += hold->frames;
    hold->frames = hold->first = hold->end = 0;
}

/* META goes out at once if no held frame would come before it, and so does STATS. */
static bool goes_out(weft_hold *hold, const uint8_t *frame, size_t size)
{
    uint8_t kind = size > KIND_AT && frame[0] ? frame[KIND_AT] : WEFT_FRAME_META; /* the head of the container has 0 */
    if (kind == WEFT_FRAME_STATS)
        forget(hold);
    return !hold->frames && kind != WEFT_FRAME_TRACE;
}

static weft_status write(void *context, const uint8_t *frame, size_t size)
{
    weft_hold *hold = context;
    if (!hold->holds || goes_out(hold, frame, size)) {
        if (!send_kept(hold))
            return WEFT_AGAIN;
        return hold->to->write(hold->to->context, frame, size);
    }
    if (words_of((uint32_t)size) > hold->size) {
        forget(hold);
        hold->forgotten++;
    } else {
        keep(hold, frame, (uint32_t)size);
    }
    return WEFT_OK;
}

static bool begin(weft_hold *hold)
{
    weft_recorder *recorder = weft_target_started();
    if (recorder->config.sink != &hold->sink) {
        hold->to = recorder->config.sink;
        hold->sink = (weft_sink){hold, write};
        recorder->config.sink = &hold->sink;
        hold->frames = hold->first = hold->end = 0;
    } else if (!hold->holds && !send_kept(hold)) {
        return false;
    }
    hold->forgotten = 0;
    hold->holds = true;
    return true;
}

static void let_go(weft_hold *hold, uint32_t before)
{
    const weft_recorder *recorder = weft_target_started();
    uint32_t paths = recorder ? (uint32_t)recorder->before.paths : 0;
    while (hold->holds && hold->frames && paths - hold->words[hold->first + 1] >= before) {
        drop_first(hold);
        hold->forgotten++;
    }
    hold->holds = false;
}

const weft_hold_calls weft_hold_by_trigger = {begin, let_go};
