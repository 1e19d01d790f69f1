/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/weft_profile.h"
#include "core/own.h"

/* Activations that another recorder's forest counted may still be alive: their generations are lower. */
enum { GENERATION_FIRST = 1 << 24 };

/* A generation above those of all live activations, which earlier profiles may have counted, too. It is not used up
 * before 2^32 - 2^24 profiles have begun or been sent. Call it before the profile's forest is cleared. */
static uint32_t next_generation(const weft_profile *profile)
{
    static const weft_profile *last;
    static uint32_t highest = GENERATION_FIRST;
    if (last && last->forest->generation > highest)
        highest = last->forest->generation;
    if (profile->forest->generation > highest)
        highest = profile->forest->generation;
    last = profile;
    return ++highest;
}

weft_status weft_profile_begin(const weft_profile *profile, const weft_sink *sink, const weft_clock *clock)
{
    uint32_t generation = next_generation(profile);
    weft_status status = weft_ksf_init(profile->forest, profile->forest_config);
    if (status == WEFT_OK)
        weft_ksf_restart(profile->forest, generation);
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
    weft_ksf_restart(profile->forest, next_generation(profile));
    return weft_start(profile->recorder, profile->config);
}
