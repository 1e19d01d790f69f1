/* SPDX-License-Identifier: MIT */
#include "core/own.h"
#include "core/recorder_bfcm.h"

/* Out of line, so that a hit keeps few registers. */
static __attribute__((noinline)) void put_miss(weft_recorder *recorder, uint32_t number, weft_bfcm_site *site,
                                               uint32_t low, uint32_t high)
{
    const weft_bfcm_coder *coder = recorder->config.value_coder_state;
    weft_bfcm_place place = {&coder->all, site, number, recorder->address, false};
    weft_bfcm_coder_put_miss(&recorder->region[WEFT_REGION_VALUES], &place, low, high);
}

static void value(weft_recorder *recorder, uint32_t context, uint32_t number, uint32_t low, uint32_t high)
{
    weft_bfcm_coder *coder = recorder->config.value_coder_state;
    weft_region *values = &recorder->region[WEFT_REGION_VALUES];
    if (WEFT_SMALL) {
        weft_bfcm_coder_push(recorder, context, WEFT_REGION_VALUES, number, low, high);
    } else if ((context == recorder->context && values->end - values->at >= (ptrdiff_t)WEFT_RECORDER_VALUE_MAX) ||
               weft_recorder_make_room(recorder, context, WEFT_REGION_VALUES)) {
        weft_bfcm_site *site = weft_bfcm_sites_slot(&coder->all, false, number, 0);
        weft_bfcm_place place = {&coder->all, site, number, recorder->address, false};
        if (!weft_bfcm_coder_put_here(coder, values, &place, low, high))
            put_miss(recorder, number, site, low, high);
    }
    recorder->values++;
}

const weft_number_coder weft_value_coder_bfcm = {
    .way = &weft_coded, .restart = weft_bfcm_coder_restart, .value = value, .slots_log2 = weft_bfcm_coder_slots_log2};
