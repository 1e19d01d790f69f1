/* SPDX-License-Identifier: MIT */
/* The fast path of a loop's passes, to be inlined into its probe: see core/recorder_fast.h. */
#ifndef WEFT_CORE_RECORDER_PASSES_H
#define WEFT_CORE_RECORDER_PASSES_H

#include "core/recorder_fast.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Paths of the context of the event before: `first`, then `rest`, `count` in all; the first of them has room. Returns
 * how many it took, at most those up to the end of the present run. 0: weft_recorder_path_here must be asked.
 *
 * The second pass follows the first, the third follows the second, and from then on each follows itself. The first two
 * it takes only as predicted; the third was last followed by the way out of the loop, mostly, so it takes that too if
 * two bytes hold it with the run before it. */
static inline uint32_t weft_recorder_passes_here(weft_recorder *recorder, uint32_t first, uint32_t rest, uint32_t count)
{
    weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    uint32_t *followers = recorder->followers, mask = recorder->followers_mask;
    uint32_t before = recorder->path, left = recorder->run_left, done = 0;
    if (first != rest) {
        if (followers[before & mask] != first || left == 0)
            return 0;
        before = first;
        done = 1;
    }
    if (done < count && before != rest && left > done && followers[before & mask] == rest) {
        before = rest;
        done++;
    }
    left -= done;
    if (done < count && before == rest) {
        uint32_t *follower = &followers[rest & mask], code = weft_zigzag((int32_t)(rest - *follower));
        uint32_t run = WEFT_RECORDER_RUN_MAX - left;
        if (code > 0 && code < WEFT_CODE_OTHER && run < WEFT_RUN_LONG) {
            if (run > 0)
                *control->at++ = (uint8_t)run;
            *control->at++ = (uint8_t)(WEFT_CODE_OTHER | code);
            *follower = rest;
            left = WEFT_RECORDER_RUN_MAX;
            code = 0;
            done++;
        }
        if (code == 0 && control->at <= control->limit) {
            uint32_t more = count - done < left ? count - done : left;
            left -= more;
            done += more;
        }
    }
    recorder->path = before;
    recorder->run_left = left;
    recorder->paths += done;
    recorder->accesses_done = recorder->accesses;
    recorder->values_done = recorder->values;
    return done;
}

#ifdef __cplusplus
}
#endif

#endif
