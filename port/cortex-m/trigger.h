/* SPDX-License-Identifier: MIT */
/* Records from a trigger on: `before` paths and more from before it, `after` paths from it on. It comes when a path
 * ends, when a function is entered (port/cortex-m/activations.h), or when weft_trigger_now is called:
 *
 *     WEFT_HOLD_DEF(held, 8192);                         // frames that may yet be wanted
 *     static const weft_trigger overrun = {.number = 1, .first = 4711, .count = 1,
 *                                          .before = 1000, .after = 500, .hold = &held};
 *     weft_trigger_arm(&overrun);
 *
 * Without `before`, nothing is recorded until the trigger comes. With it, all is recorded, and frames are held back in
 * RAM, where the oldest make room: what is given up is missing from the recording, and said so. After `after` paths the
 * recording is paused, until weft_resume or the next weft_trigger_arm.
 *
 * Cost. A trigger at a path needs to see each path, so while it is armed all events take the long way (docs/COSTS.md).
 * One at a function or by a call does not, if it has a `before`. Once the trigger has come, nothing is slower. */
#ifndef WEFT_PORT_TRIGGER_H
#define WEFT_PORT_TRIGGER_H

#include "hal/sink.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- frames held back ---- */

/* A ring of frames between the recorder and its sink. */
typedef struct weft_hold {
    uint32_t *words; /* the caller's */
    uint32_t size;   /* words */
    uint32_t first, end;
    uint32_t frames;    /* in the ring */
    uint32_t forgotten; /* oldest frames that were given up */
    bool holds;
    const weft_sink *to;
    weft_sink sink;
    const struct weft_hold_calls *calls;
} weft_hold;

typedef struct weft_hold_calls {
    /* Puts the ring in front of the recording's sink, and begins to hold frames. False, and nothing has changed: the
     * sink refused a frame that was let go before. */
    bool (*begin)(weft_hold *hold);
    /* Gives up what is older than `before` paths, and lets the rest go with the next frames. */
    void (*let_go)(weft_hold *hold, uint32_t before);
} weft_hold_calls;
extern const weft_hold_calls weft_hold_by_trigger;

/* `bytes` hold the frames and eight bytes more for each. Less than two frames' worth holds none. */
#define WEFT_HOLD_DEF(name, bytes)                                                                                     \
    static uint32_t name##_words[((bytes) + 3) / 4];                                                                   \
    static weft_hold name = {.words = name##_words, .size = ((bytes) + 3) / 4, .calls = &weft_hold_by_trigger}

/* ---- triggers ---- */

typedef struct weft_trigger {
    uint32_t number; /* the firmware's own, for the mark in the recording */
    /* Paths, by their global numbers (`weft dump` prints them): the first one of these that ends. count 0: no path,
     * but a function or weft_trigger_now. What a routine records in packs (__weft_packed) is not seen: only its pack
     * number is, which is the one after its last path. The plugin's option `exact` records each path alone. */
    uint32_t first, count;
    uint32_t before; /* paths, in whole frames, and as far as `hold` has room; 0: none */
    uint32_t after;  /* paths, with that of the trigger; 0: until weft_pause or weft_stop */
    weft_hold *hold; /* needed for `before`; it must live as long as the recording, which keeps it */
} weft_trigger;

/* Arms a trigger, instead of the one before, in a recording that runs or is paused. What was recorded before is sent.
 * weft_pause and weft_resume give it up: what is held back for its `before` is then sent, too. weft_stop gives up
 * what is held back. A change of the filter (port/cortex-m/controls.h) leaves it as it is. WEFT_AGAIN: there is no
 * recording, or the sink refused a mark, or the caller has interrupted one that works on it. WEFT_CONFIG: a `before`
 * without `hold`, or there is a profile. Needs privilege. */
weft_status weft_trigger_arm(const weft_trigger *trigger);
/* The trigger comes, if it is armed. Any context that may run probes. */
void weft_trigger_now(void);
/* Armed, and it has not come. */
bool weft_trigger_armed(void);
/* It has come, and all that was to be recorded after it is. */
bool weft_trigger_done(void);

/* What WEFT_REQUEST_ARM arms. */
extern weft_trigger weft_control_trigger;

#ifdef __cplusplus
}
#endif

#endif
