/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/weft_profile.h"
#include "core/own.h"

/* Activations that an earlier profile counted may still be alive: their generations are lower. */
enum { GENERATIONS = 1 << 24, BEGINNINGS_MAX = 200 };

/* A generation above those of all live activations. `own`: that of the profile's forest; 0: it begins. Where another
 * profile was counted meanwhile, the activations have that one's generations. */
static uint32_t next_generation(const weft_profile *profile, uint32_t own)
{
    static const weft_profile *last;
    static uint32_t beginnings;
    if (own && profile == last)
        return own + 1;
    last = profile;
    beginnings = beginnings % BEGINNINGS_MAX + 1;
    return beginnings * GENERATIONS;
}

weft_status weft_profile_begin(const weft_profile *profile, const weft_sink *sink, const weft_clock *clock)
{
    weft_status status = weft_ksf_init(profile->forest, profile->forest_config);
    if (status == WEFT_OK)
        weft_ksf_restart(profile->forest, next_generation(profile, 0));
    profile->config->sink = sink;
    profile->config->clock = clock;
    return status == WEFT_OK ? weft_start(profile->recorder, profile->config) : status;
}

weft_status weft_profile_send(const weft_profile *profile)
{
    weft_status status = weft_stop();
    if (status != WEFT_OK)
        return status;
    /* Activations live on; their forest is sent. */
    weft_ksf_restart(profile->forest, next_generation(profile, profile->forest->generation));
    return weft_start(profile->recorder, profile->config);
}
