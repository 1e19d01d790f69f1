/* SPDX-License-Identifier: MIT */
#include "core/own.h"
#include "core/recorder_bfcm.h"
#include "core/recorder_fast.h"

/* Out of line, so that a hit keeps few registers. */
static __attribute__((noinline)) void put_miss(weft_recorder *recorder, uint32_t number, weft_bfcm_site *site,
                                               uint32_t address)
{
    const weft_bfcm_coder *coder = recorder->config.bus_coder_state;
    weft_bfcm_place place = {&coder->all, site, number, recorder->address, true};
    weft_bfcm_coder_put_miss(&recorder->region[WEFT_REGION_BUS], &place, address, 0);
}

static void access(weft_recorder *recorder, uint32_t context, uint32_t number, uint32_t address)
{
    weft_bfcm_coder *coder = recorder->config.bus_coder_state;
    weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    if (WEFT_SMALL) {
        weft_bfcm_coder_push(recorder, context, WEFT_REGION_BUS, number, address, 0);
    } else if ((context == recorder->context && weft_recorder_bus_fits(recorder)) ||
               weft_recorder_make_room(recorder, context, WEFT_REGION_BUS)) {
        weft_bfcm_site *site = weft_bfcm_sites_slot(&coder->all, true, number, recorder->address);
        weft_bfcm_place place = {&coder->all, site, number, recorder->address, true};
        if (!weft_bfcm_coder_put_here(coder, bus, &place, address, 0))
            put_miss(recorder, number, site, address);
        recorder->address = address;
    }
    recorder->accesses++;
}

const weft_number_coder weft_bus_coder_bfcm = {
    .way = &weft_coded, .restart = weft_bfcm_coder_restart, .access = access, .slots_log2 = weft_bfcm_coder_slots_log2};
