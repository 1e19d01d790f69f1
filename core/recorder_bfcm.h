/* SPDX-License-Identifier: MIT */
/* Predictors (core/bfcm_sites.h) as the recorder's coder of values, and of the addresses that no engine takes: a bit
 * per number, and a byte or more for a number that is not predicted.
 *
 *     WEFT_BFCM_CODER_DEF(values, 256);
 *     weft_bfcm_coder_init(&values, &values_config);
 *     config.value_coder = &weft_value_coder_bfcm; config.value_coder_state = &values;
 *
 * and for addresses with bus_coder, bus_coder_state and weft_bus_coder_bfcm. RAM: 28 bytes, and 24 per slot. Sites may
 * share slots; it is best if few do. Each epoch starts from nothing, which takes 3 instructions per slot. */
#ifndef WEFT_CORE_RECORDER_BFCM_H
#define WEFT_CORE_RECORDER_BFCM_H

#include "core/bfcm_sites.h"
#include "core/recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_bfcm_coder_config {
    weft_bfcm_site *sites; /* slots_max of them */
    uint32_t *words;       /* twice as many */
    size_t slots_max;      /* a power of two, 2 to 2^WEFT_BFCM_SITES_BITS_MAX */
} weft_bfcm_coder_config;

typedef struct weft_bfcm_coder {
    weft_bfcm_sites all;
    uint8_t *flags; /* the byte that holds the next number's bit; it starts as all ones, and a miss clears its bit */
    uint8_t flag;   /* that bit; 0: the next number needs a new byte. Always 0 while a frame waits */
} weft_bfcm_coder;

#define WEFT_BFCM_CODER_DEF(name, slots_count)                                                                         \
    static weft_bfcm_site name##_sites[slots_count];                                                                   \
    static uint32_t name##_words[2 * (slots_count)];                                                                   \
    static weft_bfcm_coder name;                                                                                       \
    static weft_bfcm_coder_config name##_config = {name##_sites, name##_words, slots_count}

/* WEFT_CONFIG: slots_max is outside its range or not a power of two, or an array is missing. */
weft_status weft_bfcm_coder_init(weft_bfcm_coder *coder, const weft_bfcm_coder_config *config);

/* The state of each is a weft_bfcm_coder. */
extern const weft_number_coder weft_bus_coder_bfcm;
extern const weft_number_coder weft_value_coder_bfcm;

/* ---- for recorder_bfcm*.c ---- */

/* An epoch begins: all slots are empty. `frame`: a frame begins, too. */
void weft_bfcm_coder_restart(void *state, bool frame);
/* log2 of the number of slots, as the frame says it. */
uint8_t weft_bfcm_coder_slots_log2(const void *state);
/* Writes a difference that takes more than a byte, given as its zigzag. Returns where it ended. */
uint8_t *weft_bfcm_coder_long(uint8_t *to, uint32_t zigzag);
/* Writes the code of a changed high half, and that half. Returns where it ended. */
uint8_t *weft_bfcm_coder_high(uint8_t *to, uint32_t high);
/* Codes a number that is not predicted, after its bit. */
void weft_bfcm_coder_put_miss(weft_region *region, const weft_bfcm_place *place, uint32_t low, uint32_t high);

/* Writes the bit of a number, 1 for a hit. */
static WEFT_SMALL_APART void weft_bfcm_coder_flag(weft_bfcm_coder *coder, weft_region *region, bool hit)
{
    uint32_t flag = coder->flag;
    if (!flag) {
        coder->flags = region->at++;
        *coder->flags = 0xff;
        flag = 1;
    }
    if (!hit)
        *coder->flags &= (uint8_t)~flag;
    coder->flag = (uint8_t)(flag << 1);
}

/* Writes the bit of a number. True: it was predicted; then it is coded, and the predictor has learned it. There is
 * room. */
static inline bool weft_bfcm_coder_put_here(weft_bfcm_coder *coder, weft_region *region, const weft_bfcm_place *place,
                                            uint32_t low, uint32_t high)
{
    bool hit =
        (place->addresses || place->site->high == high) && weft_bfcm_sites_predict(place, place->site->method) == low;
    weft_bfcm_coder_flag(coder, region, hit);
    if (hit)
        weft_bfcm_sites_hit(place, low);
    return hit;
}

/* Makes room for an address, or a value, and codes it. `region`: of the bus or of values. Without room it is lost. In
 * place of what recorder_bfcm_bus.c and recorder_bfcm_values.c have inlined, with WEFT_SMALL. */
void weft_bfcm_coder_push(weft_recorder *recorder, uint32_t context, unsigned region, uint32_t number, uint32_t low,
                          uint32_t high);

#ifdef __cplusplus
}
#endif

#endif
