/* SPDX-License-Identifier: MIT */
/* The coders and the profile of autostart.c, by macro:
 *
 *     WEFT_AUTO_KSF k                 a k-slab forest of the paths; 0: none
 *     WEFT_AUTO_CODER_GRAMMAR, _LOOPS the coder of paths; else raw
 *     WEFT_AUTO_BUS_TRE, _TRE_BFCM    models of the addresses
 *     WEFT_AUTO_BUS_BFCM, _TRE_BFCM   the coder of addresses that no model has; else plain
 *     WEFT_AUTO_VALUES_BFCM           the coder of values; else plain
 *
 * auto_add_coders sets them up and names them in the configuration. False: one of them cannot work as configured. */
#ifndef WEFT_PORT_AUTO_CODERS_H
#define WEFT_PORT_AUTO_CODERS_H

#include "core/recorder.h"
#include "port/cortex-m/program/auto_choices.h"

#if WEFT_AUTO_KSF
#include "core/recorder_ksf.h"

#ifndef WEFT_AUTO_KSF_NODES
#define WEFT_AUTO_KSF_NODES 2000
#endif
WEFT_KSF_DEF(auto_forest, WEFT_AUTO_KSF, WEFT_AUTO_KSF_NODES, 256);

static bool auto_add_profile(weft_recorder_config *config)
{
    config->profiler = &weft_profiler_ksf;
    config->profiler_state = &auto_forest;
    config->profile_only = WEFT_AUTO_KSF_ONLY;
    config->profile_holds = WEFT_AUTO_KSF_HOLDS;
    return weft_ksf_init(&auto_forest, &auto_forest_config) == WEFT_OK;
}
#else
static bool auto_add_profile(weft_recorder_config *config)
{
    (void)config;
    return true;
}
#endif

#if defined(WEFT_AUTO_CODER_GRAMMAR)
#include "core/recorder_grammar.h"

#ifndef WEFT_AUTO_GRAMMAR
#define WEFT_AUTO_GRAMMAR 512
#endif
WEFT_SEQ_DEF(auto_grammar, WEFT_AUTO_GRAMMAR, WEFT_AUTO_GRAMMAR, WEFT_AUTO_GRAMMAR * 3 / 8, WEFT_AUTO_GRAMMAR / 2,
             false);

static bool auto_add_control_coder(weft_recorder_config *config)
{
    config->control_coder = &weft_control_coder_grammar;
    config->control_coder_state = &auto_grammar;
    return weft_seq_init(&auto_grammar, &auto_grammar_config) == WEFT_OK;
}
#elif defined(WEFT_AUTO_CODER_LOOPS)
#include "core/recorder_loops.h"

#ifndef WEFT_AUTO_LOOPS_WINDOW
#define WEFT_AUTO_LOOPS_WINDOW 32
#endif
#ifndef WEFT_AUTO_LOOPS_DEPTH
#define WEFT_AUTO_LOOPS_DEPTH 6
#endif
WEFT_LOOPNEST_DEF(auto_nest, WEFT_AUTO_LOOPS_WINDOW, WEFT_AUTO_LOOPS_DEPTH);

static bool auto_add_control_coder(weft_recorder_config *config)
{
    config->control_coder = &weft_control_coder_loops;
    config->control_coder_state = &auto_nest;
    return weft_loopnest_init(&auto_nest, &auto_nest_config) == WEFT_OK;
}
#else
static bool auto_add_control_coder(weft_recorder_config *config)
{
    (void)config;
    return true;
}
#endif

#if defined(WEFT_AUTO_BUS_TRE) || defined(WEFT_AUTO_BUS_TRE_BFCM)
#include "core/recorder_tre.h"

#ifndef WEFT_AUTO_ENGINES
#define WEFT_AUTO_ENGINES 16
#endif
#ifndef WEFT_AUTO_LEVELS
#define WEFT_AUTO_LEVELS 3
#endif
WEFT_TRE_POOL_DEF(auto_engines, WEFT_AUTO_ENGINES, WEFT_AUTO_LEVELS);

static bool auto_add_model_coder(weft_recorder_config *config)
{
    config->model_coder = &weft_model_coder_tre;
    config->model_coder_state = &auto_engines;
    return weft_tre_pool_init(&auto_engines, &auto_engines_config) == WEFT_OK;
}
#else
static bool auto_add_model_coder(weft_recorder_config *config)
{
    (void)config;
    return true;
}
#endif

#if defined(WEFT_AUTO_BUS_BFCM) || defined(WEFT_AUTO_BUS_TRE_BFCM)
#include "core/recorder_bfcm.h"

WEFT_BFCM_CODER_DEF(auto_addresses, WEFT_AUTO_SLOTS);

static bool auto_add_bus_coder(weft_recorder_config *config)
{
    config->bus_coder = &weft_bus_coder_bfcm;
    config->bus_coder_state = &auto_addresses;
    return weft_bfcm_coder_init(&auto_addresses, &auto_addresses_config) == WEFT_OK;
}
#else
static bool auto_add_bus_coder(weft_recorder_config *config)
{
    (void)config;
    return true;
}
#endif

#if defined(WEFT_AUTO_VALUES_BFCM)
#include "core/recorder_bfcm.h"

WEFT_BFCM_CODER_DEF(auto_values, WEFT_AUTO_VALUE_SLOTS);

static bool auto_add_value_coder(weft_recorder_config *config)
{
    config->value_coder = &weft_value_coder_bfcm;
    config->value_coder_state = &auto_values;
    return weft_bfcm_coder_init(&auto_values, &auto_values_config) == WEFT_OK;
}
#else
static bool auto_add_value_coder(weft_recorder_config *config)
{
    (void)config;
    return true;
}
#endif

static bool auto_add_coders(weft_recorder_config *config)
{
    return auto_add_control_coder(config) && auto_add_model_coder(config) && auto_add_bus_coder(config) &&
           auto_add_value_coder(config) && auto_add_profile(config);
}

#endif
