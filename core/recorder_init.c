/* SPDX-License-Identifier: MIT */
/* What a configuration must fulfil, and the recorder before its first event. */
#include <stddef.h>
#include <string.h>

#include "core/own.h"
#include "core/recorder_parts.h"

/* A size of an array of the caller's, which is 0 or a power of two. */
static bool bad_count(size_t count, const void *array)
{
    return count && (!array || (count & (count - 1)));
}

/* The hooks that its coders name, taken from the first coder; NULL: there is no coder. */
static const weft_coded_way *coded_of(const weft_recorder_config *config)
{
    return config->control_coder ? config->control_coder->way
           : config->model_coder ? config->model_coder->way
           : config->bus_coder   ? config->bus_coder->way
           : config->value_coder ? config->value_coder->way
                                 : NULL;
}

static bool can_work(const weft_recorder_config *config, const weft_coded_way *coded)
{
    if (!config->sink || !config->sink->write || !config->bytes || bad_count(config->slots_max, config->slots) ||
        bad_count(config->value_slots_max, config->value_slots) || bad_count(config->history_max, config->history) ||
        config->history_max > WEFT_HISTORY_PLACES_MAX ||
        (config->history_max && config->history_max < WEFT_HISTORY_PLACES_MIN) ||
        bad_count(config->packs_max, config->packs) || config->packs_max > WEFT_RECORDER_PACKS_MAX ||
        config->build_id_size > WEFT_RECORDER_BUILD_ID_MAX || (config->names_max && !config->names))
        return false;
    size_t least = WEFT_RECORDER_BYTES_MIN + (coded ? coded->buffer_more(config) : 0);
    if (config->bytes_size < least || config->bytes_size > (size_t)1 << 24)
        return false;
    if (config->profile_only && config->probes & ~(uint32_t)WEFT_PROBE_PATHS)
        return false; /* without the paths, the sites of accesses are unknown */
    /* holds needs only, and only a profiler */
    if (config->profile_holds > config->profile_only || config->profile_only > (config->profiler != NULL))
        return false;
    return !config->profiler || (config->profiler->frames && config->bytes_size >= config->profiler->bytes_min);
}

/* Before the first frame there is no earlier one whose use of the regions is known. All are 0. */
static void guess_use(weft_recorder *recorder, uint32_t probes)
{
    recorder->used[WEFT_REGION_CONTROL] = 12;
    recorder->used[WEFT_REGION_MARKS] = 1;
    if (probes & (WEFT_PROBE_VALUES | WEFT_PROBE_ACCESSES)) {
        recorder->used[WEFT_REGION_CONTROL] = 4;
        recorder->used[WEFT_REGION_BUS] = 8;
    }
    if (probes & WEFT_PROBE_VALUES)
        recorder->used[WEFT_REGION_VALUES] = 12;
}

/* Out of line, for all callers. */
static __attribute__((noinline)) uint8_t log2_of(uint32_t mask)
{
    uint8_t bits = 0;
    for (; mask; mask >>= 1)
        bits++;
    return bits;
}

/* Those of a recorder without coders. Out of line, where short stores reach them. */
static __attribute__((noinline)) void name_coders(const weft_recorder *recorder, uint8_t *coders)
{
    coders[WEFT_HEAD_CONTROL] = WEFT_CONTROL_COPIES;
    coders[WEFT_HEAD_HISTORY] = (uint8_t)(log2_of(recorder->history.found_mask) + 2);
    coders[WEFT_HEAD_BUS] = WEFT_BUS_PLAIN;
    coders[WEFT_HEAD_SLOTS] = log2_of(recorder->slots_mask);
    coders[WEFT_HEAD_VALUE_SLOTS] = log2_of(recorder->value_slots_mask);
}

weft_status weft_recorder_init(weft_recorder *recorder, const weft_recorder_config *config)
{
    const weft_coded_way *coded = coded_of(config);
    if (!can_work(config, coded))
        return WEFT_CONFIG;
    /* A probe of the recording before this one may be interrupted just now: it must find the recorder closed. */
    recorder->turn = WEFT_TURN_CLOSED;
    recorder->open = WEFT_RECORDER_CLOSED;
    if (config->history_max)
        weft_history_init(&recorder->history, config->history, (uint32_t)config->history_max);
    else
        weft_history_init(&recorder->history, recorder->own_history, WEFT_HISTORY_PLACES_MIN);
    const size_t from = offsetof(weft_recorder, values_seen_at), to = offsetof(weft_recorder, own_history);
    memset((uint8_t *)recorder + from, 0, to - from); /* the history is ready, and no probe may find it otherwise */
    weft_recorder_see(recorder);
    recorder->accesses = 0;
    recorder->config = *config;
    recorder->control_fresh = true;
    recorder->packs.table = &recorder->packs.none;
    recorder->packs.shift = 32;
    recorder->coded = coded;
    recorder->plain = !coded && !config->profiler;
    recorder->send = weft_recorder_send;
    recorder->slots = &recorder->own_slot;
    if (config->slots_max) {
        recorder->slots = config->slots;
        recorder->slots_mask = (uint32_t)config->slots_max - 1;
    }
    recorder->value_slots = &recorder->own_value_slot;
    if (config->value_slots_max) {
        recorder->value_slots = config->value_slots;
        recorder->value_slots_mask = (uint32_t)config->value_slots_max - 1;
    }
    recorder->access = weft_recorder_access_bus;
    name_coders(recorder, recorder->coders);
    if (coded)
        coded->init(recorder);
    recorder->epoch = UINT16_MAX; /* the first epoch clears the slots */
    guess_use(recorder, config->probes);
    weft_recorder_begin_interval(recorder);
    weft_recorder_begin_frame(recorder);
    return WEFT_OK;
}
