/* SPDX-License-Identifier: MIT */
#include "core/recorder_bfcm.h"
#include "core/recorder_fast.h"

/* Out of line, so that a hit keeps few registers. */
static __attribute__((noinline)) void put_miss(weft_recorder *recorder, uint32_t number, weft_bfcm_site *site,
                                               uint32_t address)
{
    const weft_bfcm_coder *coder = recorder->config.bus_coder_state;
    weft_bfcm_coder_put_miss(&coder->all, &recorder->region[WEFT_REGION_BUS], true, number, site, recorder->address,
                             address, 0);
}

static void access(weft_recorder *recorder, uint32_t context, uint32_t number, uint32_t address)
{
    weft_bfcm_coder *coder = recorder->config.bus_coder_state;
    weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    if ((context == recorder->context && weft_recorder_bus_fits(recorder)) ||
        weft_recorder_make_room(recorder, context, WEFT_REGION_BUS)) {
        weft_bfcm_site *site = weft_bfcm_sites_find(&coder->all, true, number, recorder->address);
        if (!weft_bfcm_coder_put(coder, bus, true, number, site, recorder->address, address, 0))
            put_miss(recorder, number, site, address);
        recorder->address = address;
    }
    recorder->accesses++;
}

const weft_number_coder weft_bus_coder_bfcm = {
    .restart = weft_bfcm_coder_restart, .access = access, .slots_log2 = weft_bfcm_coder_slots_log2};
