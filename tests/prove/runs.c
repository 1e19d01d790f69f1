/* SPDX-License-Identifier: MIT */
/* Contracts of the coders of runs and numbers in the recorder (core/recorder_fast.h, core/recorder_value.h,
 * core/recorder_values.c, core/recorder_bfcm*), in the manner of bytes.h: an item takes at most the bytes that its
 * region keeps for it, and nothing else is written. */
#include "tests/prove/bytes.h"

#include "core/recorder.h"
#include "core/recorder_bfcm.h"

/*@ axiomatic masks {
      axiom mask{L}: \forall integer x, y; 0 <= x && 0 <= y ==> 0 <= (x & y) <= y;
      axiom shift{L}: \forall integer x; 0 <= x ==> 0 <= (x >> 7) <= x / 128;
      axiom cleared{L}: \forall integer x; 0 <= x ==> ((x - (x & WEFT_TURN_RUN)) & WEFT_TURN_RUN) == 0;
      axiom next{L}: \forall uint32_t x; (x & WEFT_TURN_RUN) < WEFT_TURN_RUN ==>
        (((uint32_t)(x + 1)) & WEFT_TURN_RUN) == (x & WEFT_TURN_RUN) + 1;
    }
*/

/*@ assigns \nothing;
    ensures value == 0 ==> \result == 0; */
static inline uint32_t weft_zigzag(int32_t value);

/*@ assigns \nothing; */
static inline uint64_t weft_zigzag64(int64_t value);

/*@ requires left <= WEFT_TURN_RUN_MAX && \valid(to + (0 .. WEFT_RECORDER_RUN_BYTES - 1));
    assigns to[0 .. WEFT_RECORDER_RUN_BYTES - 1];
    ensures moved{Pre, Post}(to, \result, 0, WEFT_RECORDER_RUN_BYTES); */
static inline uint8_t *weft_put_run(uint8_t *to, uint32_t left);

/*@ requires left <= WEFT_TURN_RUN_MAX && \valid(to + (0 .. WEFT_RECORDER_RUN_BYTES - 1));
    assigns to[0 .. WEFT_RECORDER_RUN_BYTES - 1];
    ensures moved{Pre, Post}(to, \result, 0, WEFT_RECORDER_RUN_BYTES); */
static inline uint8_t *weft_put_run_here(uint8_t *to, uint32_t left);

/*@ requires \valid(to + (0 .. 4));
    assigns to[0 .. 4];
    ensures moved{Pre, Post}(to, \result, 1, 5); */
static inline uint8_t *weft_put_other(uint8_t *to, uint32_t difference);

/*@ requires \valid(recorder);
    assigns recorder->accesses_done, recorder->turn_done; */
static inline void weft_recorder_sample(weft_recorder *recorder);

/*@ requires \valid(recorder);
    assigns recorder->accesses_done, recorder->turn_done, recorder->values_done; */
static inline void weft_recorder_path_done(weft_recorder *recorder);

/*@ requires \valid(recorder);
    assigns recorder->seen_at, recorder->accesses_done, recorder->turn_done; */
static inline void weft_recorder_look_at_paths(weft_recorder *recorder);

/*@ requires \valid(recorder);
    assigns recorder->values_seen_at, recorder->values_done; */
static inline void weft_recorder_look_at_paths_for_value(weft_recorder *recorder);

/* The region has `size` bytes of its own for the next item. */
/*@ predicate has_room{L}(weft_recorder *r, weft_region *region, integer size) =
      \valid(r) && \valid(region->at + (0 .. size - 1)) && \separated(r, region->at + (0 .. size - 1));

    predicate bus_ok{L}(weft_recorder *r) =
      (r->turn & WEFT_TURN_RUN) <= WEFT_TURN_RUN_MAX && \valid(r->slots + (0 .. r->slots_mask)) &&
      \separated(r, r->slots + (0 .. r->slots_mask)) && has_room(r, &r->region[WEFT_REGION_BUS], 8) &&
      \separated(r->slots + (0 .. r->slots_mask), r->region[WEFT_REGION_BUS].at + (0 .. 7));
*/

/*@ assigns \nothing; */
static inline uint32_t weft_slot_stride(uint32_t state);

/*@ requires \valid(recorder) && run == (turn & WEFT_TURN_RUN);
    assigns recorder->accesses, recorder->turn;
    ensures (recorder->turn & WEFT_TURN_RUN) == 0; */
static inline void weft_recorder_end_turn(weft_recorder *recorder, uint32_t turn, uint32_t run);

/*@ requires \valid(recorder) && has_room(recorder, &recorder->region[WEFT_REGION_BUS], 8);
    requires \valid(slot) && \separated(recorder, slot) &&
             \separated(slot, recorder->region[WEFT_REGION_BUS].at + (0 .. 7));
    requires (turn & WEFT_TURN_RUN) <= WEFT_TURN_RUN_MAX;
    assigns *slot, recorder->address, recorder->accesses, recorder->turn, recorder->region[WEFT_REGION_BUS].at;
    assigns recorder->region[WEFT_REGION_BUS].at[0 .. 7];
    ensures (recorder->turn & WEFT_TURN_RUN) == 0;
    ensures moved{Pre, Post}(\old(recorder->region[WEFT_REGION_BUS].at), recorder->region[WEFT_REGION_BUS].at, 1, 8);
    ensures 8 + WEFT_RECORDER_RUN_BYTES <= WEFT_RECORDER_ADDRESS_MAX; */
static inline void weft_recorder_put_miss(weft_recorder *recorder, uint32_t turn, weft_slot *slot, uint32_t difference,
                                          uint32_t state, uint32_t address, bool stale);

/*@ requires \valid(recorder) && bus_ok(recorder);
    assigns *recorder, recorder->slots[0 .. recorder->slots_mask], recorder->region[WEFT_REGION_BUS].at[0 .. 7];
    ensures (recorder->turn & WEFT_TURN_RUN) <= WEFT_TURN_RUN_MAX;
    ensures moved{Pre, Post}(\old(recorder->region[WEFT_REGION_BUS].at), recorder->region[WEFT_REGION_BUS].at, 0, 8);
    ensures 8 + WEFT_RECORDER_RUN_BYTES <= WEFT_RECORDER_ADDRESS_MAX; */
static inline void weft_recorder_put_address(weft_recorder *recorder, uint32_t site, uint32_t address);

/* ---- values */

/*@ predicate values_ok{L}(weft_recorder *r, integer size) =
      \valid(r->value_slots + (0 .. r->value_slots_mask)) &&
      \separated(r, r->value_slots + (0 .. r->value_slots_mask)) &&
      has_room(r, &r->region[WEFT_REGION_VALUES], size) &&
      \separated(r->value_slots + (0 .. r->value_slots_mask), r->region[WEFT_REGION_VALUES].at + (0 .. size - 1));
*/

/*@ requires \valid_read(recorder);
    assigns \nothing;
    ensures \result == recorder->value_slots + (site & recorder->value_slots_mask); */
static weft_value_slot *slot_of(const weft_recorder *recorder, uint32_t site);

/*@ requires \valid_read(recorder) && \valid_read(slot);
    assigns \nothing; */
static uint64_t code_of(const weft_recorder *recorder, const weft_value_slot *slot, uint64_t value);

/*@ requires \valid(recorder) && \valid(slot) && \separated(recorder, slot);
    assigns *slot, recorder->value; */
static void learn(weft_recorder *recorder, weft_value_slot *slot, uint64_t value);

/*@ requires \valid(recorder) && values_ok(recorder, WEFT_VARINT64_MAX);
    assigns recorder->value_slots[0 .. recorder->value_slots_mask], recorder->value;
    assigns recorder->region[WEFT_REGION_VALUES].at;
    assigns recorder->region[WEFT_REGION_VALUES].at[0 .. WEFT_VARINT64_MAX - 1];
    ensures moved{Pre, Post}(\old(recorder->region[WEFT_REGION_VALUES].at), recorder->region[WEFT_REGION_VALUES].at, 1,
                             WEFT_VARINT64_MAX); */
static void put(weft_recorder *recorder, uint32_t site, uint64_t value);

/*@ requires \valid(recorder) && \valid(recorder->value_slots + (0 .. recorder->value_slots_mask));
    requires \separated(recorder, recorder->value_slots + (0 .. recorder->value_slots_mask));
    requires \base_addr(recorder->region[WEFT_REGION_VALUES].at) ==
             \base_addr(recorder->region[WEFT_REGION_VALUES].limit);
    requires recorder->region[WEFT_REGION_VALUES].at <= recorder->region[WEFT_REGION_VALUES].limit ==>
             values_ok(recorder, WEFT_VARINT32_MAX);
    assigns recorder->value_slots[0 .. recorder->value_slots_mask], recorder->value, recorder->values;
    assigns recorder->values_seen_at, recorder->values_done;
    assigns recorder->region[WEFT_REGION_VALUES].at;
    assigns recorder->region[WEFT_REGION_VALUES].at[0 .. WEFT_VARINT32_MAX - 1];
    ensures moved{Pre, Post}(\old(recorder->region[WEFT_REGION_VALUES].at), recorder->region[WEFT_REGION_VALUES].at, 0,
                             WEFT_VARINT32_MAX);
    ensures !\result ==> recorder->region[WEFT_REGION_VALUES].at == \old(recorder->region[WEFT_REGION_VALUES].at); */
static inline bool weft_recorder_value_here(weft_recorder *recorder, uint32_t site, uint64_t value);

/* ---- numbers that are predicted */

/*@ requires \valid(to + (0 .. WEFT_VARINT32_MAX));
    assigns to[0 .. WEFT_VARINT32_MAX];
    ensures moved{Pre, Post}(to, \result, 2, 1 + WEFT_VARINT32_MAX); */
uint8_t *weft_bfcm_coder_high(uint8_t *to, uint32_t high);

/*@ requires zigzag >= 0x80 - WEFT_SITE_CODE_DIFFERENCE && \valid(to + (0 .. WEFT_VARINT32_MAX - 1));
    assigns to[0 .. WEFT_VARINT32_MAX - 1];
    ensures moved{Pre, Post}(to, \result, 2, WEFT_VARINT32_MAX); */
uint8_t *weft_bfcm_coder_long(uint8_t *to, uint32_t zigzag);

/* Flags: the byte of flags lies before the region's next byte. */
/*@ requires \valid(coder) && \valid(region) && \separated(coder, region, region->at);
    requires \valid(region->at) && coder->flag < 0x100;
    requires coder->flag != 0 ==> \valid(coder->flags) && \separated(coder, region, coder->flags);
    assigns *coder, region->at, *(region->at), *(coder->flags);
    ensures moved{Pre, Post}(\old(region->at), region->at, 0, 1);
    ensures \valid(coder->flags); */
static inline void weft_bfcm_coder_flag(weft_bfcm_coder *coder, weft_region *region, bool hit);

#include "core/recorder_bfcm.c"
#include "core/recorder_values.c"
