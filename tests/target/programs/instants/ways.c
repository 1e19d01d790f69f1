/* SPDX-License-Identifier: MIT */
/* Recorders with every coder. */
#include "core/own.h"
#include "core/recorder_ksf.h"
#include "tests/target/programs/instants/instants.h"

#ifndef ONLY_RAW
#include "core/recorder_bfcm.h"
#include "core/recorder_grammar.h"
#include "core/recorder_loops.h"
#include "core/recorder_tre.h"
#endif

enum { RAW = WEFT_CONTROL_RAW, PLAIN = WEFT_BUS_PLAIN };
#ifdef ONLY_RAW
enum { SLOTS = 8 }; /* where ring delivery and a C library leave little of 16 KB */
#else
enum { SLOTS = 16 };
#endif

#define FORESTS                                                                                                        \
    {"forest", RAW, PLAIN, false, false, true, FOREST_ONLY},                                                           \
    {                                                                                                                  \
        "forest and raw", RAW, PLAIN, false, true, true, FOREST_BESIDE                                                 \
    }

#ifdef ONLY_RAW
enum { BYTES = WEFT_RECORDER_BYTES_MIN };
const way ways[] = {{"raw", RAW, PLAIN, false, false, false, NO_FOREST},
                    {"raw, two buffers", RAW, PLAIN, false, true, false, NO_FOREST},
                    {"raw, paths alone", RAW, PLAIN, false, false, true, NO_FOREST},
                    FORESTS};
#else
enum { BYTES = WEFT_RECORDER_BYTES_MIN + 400 };
enum { LOOPS = WEFT_CONTROL_LOOPS, GRAMMAR = WEFT_CONTROL_GRAMMAR, TRE = WEFT_BUS_TRE, BFCM = WEFT_BUS_BFCM };
const way ways[] = {{"raw", RAW, PLAIN, false, false, false, NO_FOREST},
                    {"raw, two buffers", RAW, PLAIN, false, true, false, NO_FOREST},
                    {"raw, paths alone", RAW, PLAIN, false, false, true, NO_FOREST},
                    {"loops", LOOPS, PLAIN, false, false, false, NO_FOREST},
                    {"grammar", GRAMMAR, PLAIN, false, true, false, NO_FOREST},
                    {"tre", RAW, PLAIN | TRE, false, false, false, NO_FOREST},
                    {"bfcm", RAW, BFCM, true, false, false, NO_FOREST},
                    {"loops, tre-bfcm, values bfcm", LOOPS, BFCM | TRE, true, true, false, NO_FOREST},
                    FORESTS};
#endif
const unsigned ways_count = WEFT_COUNT(ways);

weft_recorder recorders[RECORDERS];
tally tallies[RECORDERS];

/* What each recorder works with. */
static weft_recorder_config configs[RECORDERS];
static uint8_t bytes[RECORDERS][2][BYTES];
static weft_slot slots[RECORDERS][SLOTS];
static weft_value_slot value_slots[RECORDERS][SLOTS];
static uint32_t history[RECORDERS][WEFT_HISTORY_WORDS(SLOTS)];
static uint32_t packs[RECORDERS][4];
static weft_sink sinks[RECORDERS];

enum { K = 3, NODES = 26, ROOTS = 8 };
static weft_ksf forests[RECORDERS];
static weft_ksf_node nodes[RECORDERS][NODES];
static weft_handle roots[RECORDERS][ROOTS];

static void add_forest(weft_recorder_config *config, unsigned r, const way *of)
{
    const weft_ksf_config forest = {K, nodes[r], NODES, roots[r], ROOTS};
    if (of->forest == NO_FOREST)
        return;
    (void)weft_ksf_init(&forests[r], &forest);
    if (r == OTHER)
        weft_ksf_restart(&forests[r], LATER_GENERATION);
    config->profiler = &weft_profiler_ksf;
    config->profiler_state = &forests[r];
    config->profile_only = of->forest == FOREST_ONLY;
    config->probes = WEFT_PROBE_PATHS;
}

static weft_status take(void *context, const uint8_t *frame, size_t size)
{
    tally *all = context;
    all->crc = weft_crc32(all->crc, frame, size);
    all->size += (uint32_t)size;
    return WEFT_OK;
}

#ifdef ONLY_RAW
static size_t add_coders(weft_recorder_config *config, unsigned recorder, const way *of)
{
    (void)config, (void)recorder, (void)of;
    return 0;
}
#else
enum { WINDOW = 16, SYMBOLS = 64, TERMINALS = 24, ENGINES = 4, LEVELS = 3 };
static weft_loopnest nests[RECORDERS];
static weft_loopnest_term terms[RECORDERS][WINDOW];
static uint16_t buckets[RECORDERS][2 * WINDOW];
static weft_seq grammars[RECORDERS];
static struct {
    weft_seq_symbol symbols[SYMBOLS];
    uint32_t terminals[TERMINALS];
    weft_handle digrams[SYMBOLS], slots[2 * TERMINALS > 32 ? 64 : 32];
} grammar_memory[RECORDERS];
static weft_tre_pool pools[RECORDERS];
static weft_tre_lease leases[RECORDERS][ENGINES];
static weft_tre_level levels[RECORDERS][ENGINES * LEVELS];
static weft_bfcm_coder predictors[RECORDERS][2];
static weft_bfcm_site sites[RECORDERS][2][SLOTS];
static uint32_t words[RECORDERS][2][2 * SLOTS];

static size_t add_control(weft_recorder_config *config, unsigned r, const way *of)
{
    if (of->control == LOOPS) {
        weft_loopnest_config nest = {terms[r], WINDOW, buckets[r], 2 * WINDOW, WINDOW, 4, 0};
        (void)weft_loopnest_init(&nests[r], &nest);
        config->control_coder = &weft_control_coder_loops;
        config->control_coder_state = &nests[r];
    }
    if (of->control == GRAMMAR) {
        weft_seq_config grammar = {grammar_memory[r].symbols,
                                   SYMBOLS,
                                   grammar_memory[r].digrams,
                                   SYMBOLS,
                                   grammar_memory[r].terminals,
                                   TERMINALS,
                                   grammar_memory[r].slots,
                                   WEFT_COUNT(grammar_memory[r].slots),
                                   false};
        (void)weft_seq_init(&grammars[r], &grammar);
        config->control_coder = &weft_control_coder_grammar;
        config->control_coder_state = &grammars[r];
    }
    return config->control_coder ? config->control_coder->size_min(config->control_coder_state) + 1 : 0;
}

static size_t add_models(weft_recorder_config *config, unsigned r, const way *of)
{
    const weft_tre_pool_config pool = {leases[r], levels[r], ENGINES, LEVELS};
    if (!(of->bus & TRE))
        return 0;
    (void)weft_tre_pool_init(&pools[r], &pool);
    config->model_coder = &weft_model_coder_tre;
    config->model_coder_state = &pools[r];
    return config->model_coder->size_min(&pools[r]) + 2;
}

static size_t add_coders(weft_recorder_config *config, unsigned r, const way *of)
{
    for (unsigned i = 0; i < 2; i++) {
        const weft_bfcm_coder_config predictor = {sites[r][i], words[r][i], SLOTS};
        (void)weft_bfcm_coder_init(&predictors[r][i], &predictor);
    }
    config->bus_coder = of->bus & BFCM ? &weft_bus_coder_bfcm : NULL;
    config->bus_coder_state = &predictors[r][0];
    config->value_coder = of->value_bfcm ? &weft_value_coder_bfcm : NULL;
    config->value_coder_state = &predictors[r][1];
    return add_control(config, r, of) + add_models(config, r, of);
}
#endif

const weft_recorder_config *configured(unsigned recorder, const way *of)
{
    weft_recorder_config *config = &configs[recorder];
    sinks[recorder] = (weft_sink){&tallies[recorder], take};
    tallies[recorder] = (tally){0, 0};
    *config = (weft_recorder_config){.sink = &sinks[recorder],
                                     .bytes = bytes[recorder][0],
                                     .spare = of->spare ? bytes[recorder][1] : NULL,
                                     .slots = slots[recorder],
                                     .slots_max = SLOTS,
                                     .value_slots = value_slots[recorder],
                                     .value_slots_max = SLOTS,
                                     .history = history[recorder],
                                     .history_max = SLOTS,
                                     .packs = packs[recorder],
                                     .packs_max = WEFT_COUNT(packs[recorder]),
                                     .probes = WEFT_PROBE_PATHS | WEFT_PROBE_ACCESSES | WEFT_PROBE_VALUES};
    config->bytes_size = WEFT_RECORDER_BYTES_MIN + add_coders(config, recorder, of);
    add_forest(config, recorder, of);
    return config;
}
