/* SPDX-License-Identifier: MIT */
/* The configuration of a recorder with any of the coders, and a state for each. For tests of one file. */
#ifndef WEFT_TESTS_LIB_ANY_CODER_H
#define WEFT_TESTS_LIB_ANY_CODER_H

#include "core/recorder_bfcm.h"
#include "core/recorder_grammar.h"
#include "core/recorder_loops.h"
#include "core/recorder_tre.h"

static uint8_t frame[1 << 16], spare_frame[1 << 16];
static weft_slot slots[64];
static weft_value_slot value_slots[64];
static uint32_t history[WEFT_HISTORY_WORDS(16)];

/* The coders of the tests that run now, by their ids, and a state for each. */
static unsigned coder, bus_coder, value_coder;
WEFT_LOOPNEST_DEF(nest, 32, 6);
WEFT_SEQ_DEF(grammar, 128, 128, 40, 64, false);
WEFT_TRE_POOL_DEF(engines, 4, 3);
WEFT_BFCM_CODER_DEF(addresses, 64);
WEFT_BFCM_CODER_DEF(values, 64);

/* The predictors get as many slots as the plain coders have, but 2 at least. */
static inline void set_numbers(weft_recorder_config *config, size_t slot_count)
{
    addresses_config.slots_max = values_config.slots_max = slot_count < 2 ? 2 : slot_count;
    if (bus_coder & WEFT_BUS_BFCM) {
        weft_bfcm_coder_init(&addresses, &addresses_config);
        config->bus_coder = &weft_bus_coder_bfcm;
        config->bus_coder_state = &addresses;
    }
    if (value_coder == WEFT_VALUE_BFCM) {
        weft_bfcm_coder_init(&values, &values_config);
        config->value_coder = &weft_value_coder_bfcm;
        config->value_coder_state = &values;
    }
}

static inline size_t set_coder(weft_recorder_config *config)
{
    if (coder == WEFT_CONTROL_LOOPS) {
        weft_loopnest_init(&nest, &nest_config);
        config->control_coder = &weft_control_coder_loops;
        config->control_coder_state = &nest;
    }
    if (coder == WEFT_CONTROL_GRAMMAR) {
        weft_seq_init(&grammar, &grammar_config);
        config->control_coder = &weft_control_coder_grammar;
        config->control_coder_state = &grammar;
    }
    size_t more = config->control_coder ? config->control_coder->size_min(config->control_coder_state) + 1 : 0;
    if (bus_coder & WEFT_BUS_TRE) {
        weft_tre_pool_init(&engines, &engines_config);
        config->model_coder = &weft_model_coder_tre;
        config->model_coder_state = &engines;
        more += config->model_coder->size_min(config->model_coder_state) + 2;
    }
    return more;
}

static inline weft_recorder_config config_of(size_t bytes, size_t slot_count)
{
    weft_recorder_config config = {.bytes = frame,
                                   .bytes_size = bytes,
                                   .slots = slots,
                                   .slots_max = slot_count,
                                   .value_slots = value_slots,
                                   .value_slots_max = slot_count,
                                   .history = history,
                                   .history_max = slot_count / 4 < WEFT_HISTORY_PLACES_MIN ? 0 : slot_count / 4,
                                   .probes = WEFT_PROBE_PATHS | WEFT_PROBE_ACCESSES};
    config.bytes_size += set_coder(&config);
    set_numbers(&config, slot_count);
    if (config.bytes_size > sizeof frame)
        config.bytes_size = sizeof frame;
    return config;
}

#endif
