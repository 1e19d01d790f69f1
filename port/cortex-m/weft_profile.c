/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/weft_profile.h"
#include "core/own.h"

/* Activations that an earlier profile counted may still be alive: their generations are lower. */
enum { GENERATIONS = 1 << 24, BEGINNINGS_MAX = 200 };

weft_status weft_profile_begin(const weft_profile *profile, const weft_sink *sink, const weft_clock *clock)
{
    static uint32_t beginnings;
    weft_status status = weft_ksf_init(profile->forest, profile->forest_config);
    beginnings = beginnings % BEGINNINGS_MAX + 1;
    if (status == WEFT_OK)
        weft_ksf_restart(profile->forest, beginnings * GENERATIONS);
    profile->config->sink = sink;
    profile->config->clock = clock;
    return status == WEFT_OK ? weft_start(profile->recorder, profile->config) : status;
}

weft_status weft_profile_send(const weft_profile *profile)
{
    weft_status status = weft_stop();
    if (status != WEFT_OK)
        return status;
    weft_ksf_restart(profile->forest, profile->forest->generation + 1); /* activations live on; their forest is sent */
    return weft_start(profile->recorder, profile->config);
}
