/* SPDX-License-Identifier: MIT */
#include "core/recorder_bfcm.h"
#include "core/own.h"

#include <string.h>

#include "core/recorder_fast.h"

static uint8_t log2_of(size_t count)
{
    uint8_t bits = 0;
    while (count >>= 1)
        bits++;
    return bits;
}

weft_status weft_bfcm_coder_init(weft_bfcm_coder *coder, const weft_bfcm_coder_config *config)
{
    size_t count = config->slots_max;
    if (!config->sites || !config->words || count < 2 || count > (size_t)1 << WEFT_BFCM_SITES_BITS_MAX ||
        (count & (count - 1)))
        return WEFT_CONFIG;
    memset(coder, 0, sizeof *coder);
    coder->all = (weft_bfcm_sites){.site = config->sites,
                                   .cell = config->words,
                                   .row = config->words + count,
                                   .mask = (uint32_t)count - 1,
                                   .shift = (uint8_t)(32 - log2_of(count)),
                                   .epoch = UINT16_MAX}; /* so that the first epoch clears the slots */
    return WEFT_OK;
}

uint8_t weft_bfcm_coder_slots_log2(const void *state)
{
    const weft_bfcm_coder *coder = state;
    return (uint8_t)(32 - coder->all.shift);
}

void weft_bfcm_coder_restart(void *state, bool frame)
{
    weft_bfcm_coder *coder = state;
    weft_bfcm_sites_restart(&coder->all);
    if (frame)
        coder->flag = 0;
}

uint8_t *weft_bfcm_coder_high(uint8_t *to, uint32_t high)
{
    *to++ = WEFT_SITE_CODE_HIGH;
    return weft_put_varint(to, high);
}

/* The number is up to 2^32 + 6. Its lowest seven bits are split off, so that 32 bits hold the rest. */
uint8_t *weft_bfcm_coder_long(uint8_t *to, uint32_t zigzag)
{
    uint32_t least = zigzag % 0x80 + WEFT_SITE_CODE_DIFFERENCE;
    *to++ = (uint8_t)(least | 0x80);
    return weft_put_varint(to, zigzag / 0x80 + least / 0x80);
}

/* The first method that predicts the lower half; WEFT_SITE_METHODS: none. */
static unsigned trial(const weft_bfcm_place *place, uint32_t low)
{
    unsigned method = WEFT_SITE_CELL;
    if (WEFT_SMALL) {
        while (method < WEFT_SITE_METHODS && weft_bfcm_sites_predict(place, method) != low)
            method++;
        return method;
    }
    if (weft_bfcm_sites_predict(place, WEFT_SITE_CELL) == low)
        return WEFT_SITE_CELL;
    if (weft_bfcm_sites_predict(place, WEFT_SITE_LAST_STRIDE) == low)
        return WEFT_SITE_LAST_STRIDE;
    if (weft_bfcm_sites_predict(place, WEFT_SITE_FCM) == low)
        return WEFT_SITE_FCM;
    if (weft_bfcm_sites_predict(place, WEFT_SITE_DFCM) == low)
        return WEFT_SITE_DFCM;
    return place->site->low == low ? WEFT_SITE_LAST : WEFT_SITE_METHODS;
}

/* For addresses and values alike: a miss takes long enough that it may ask which. */
void weft_bfcm_coder_put_miss(weft_region *region, const weft_bfcm_place *place, uint32_t low, uint32_t high)
{
    const weft_bfcm_site *site = place->site;
    bool same = place->addresses || site->high == high;
    unsigned method = same ? trial(place, low) : (unsigned)WEFT_SITE_METHODS;
    bool known = method < WEFT_SITE_METHODS;
    uint32_t zigzag = weft_zigzag((int32_t)(low - site->low));
    uint8_t *to = region->at;
    weft_bfcm_sites_miss(place, low, high, known ? method : site->method);
    if (!same)
        to = weft_bfcm_coder_high(to, high);
    if (known)
        *to++ = (uint8_t)(1 + method);
    else if (zigzag < 0x80 - WEFT_SITE_CODE_DIFFERENCE)
        *to++ = (uint8_t)(zigzag + WEFT_SITE_CODE_DIFFERENCE);
    else
        to = weft_bfcm_coder_long(to, zigzag);
    region->at = to;
}

#if WEFT_SMALL
void weft_bfcm_coder_push(weft_recorder *recorder, uint32_t context, unsigned region, uint32_t number, uint32_t low,
                          uint32_t high)
{
    bool addresses = region == WEFT_REGION_BUS;
    weft_bfcm_coder *coder = addresses ? recorder->config.bus_coder_state : recorder->config.value_coder_state;
    if (!weft_recorder_make_room(recorder, context, region))
        return;
    weft_bfcm_site *site = weft_bfcm_sites_slot(&coder->all, addresses, number, recorder->address);
    weft_bfcm_place place = {&coder->all, site, number, recorder->address, addresses};
    if (!weft_bfcm_coder_put_here(coder, &recorder->region[region], &place, low, high))
        weft_bfcm_coder_put_miss(&recorder->region[region], &place, low, high);
    if (addresses)
        recorder->address = low;
}
#endif
