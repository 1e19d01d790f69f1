/* SPDX-License-Identifier: MIT */
#include "tools/lib/misses/predictor.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

#define COUNTER_START 1u /* weakly not taken */
#define COUNTER_TAKEN 2u /* from here on taken is predicted */
#define COUNTER_MAX 3u

static uint32_t mask(unsigned bits)
{
    return (1u << bits) - 1;
}

void predictor_init(predictor *p, const predictor_config *config)
{
    *p = (predictor){.config = *config};
    if (config->kind < PREDICTOR_BIMODAL)
        return;
    bool two = config->kind == PREDICTOR_TWO_LEVEL;
    size_t counters = (size_t)1 << (two ? config->history : config->bits);
    p->counters = memory_zero(counters, 1);
    memset(p->counters, COUNTER_START, counters);
    p->histories = memory_zero(two ? (size_t)1 << config->bits : 1, sizeof *p->histories);
}

void predictor_free(predictor *p)
{
    free(p->counters);
    free(p->histories);
}

static uint8_t *counter_of(predictor *p, uint32_t address, const uint32_t *history)
{
    if (p->config.kind == PREDICTOR_TWO_LEVEL)
        return &p->counters[*history];
    return &p->counters[(address ^ *history) & mask(p->config.bits)];
}

static bool counted_misses(predictor *p, uint32_t address, bool taken)
{
    uint32_t *history = p->histories;
    if (p->config.kind == PREDICTOR_TWO_LEVEL)
        history += address & mask(p->config.bits);
    uint8_t *counter = counter_of(p, address, history);
    bool predicted = *counter >= COUNTER_TAKEN;
    if (taken && *counter < COUNTER_MAX)
        ++*counter;
    else if (!taken && *counter)
        --*counter;
    *history = (*history << 1 | taken) & mask(p->config.history);
    return predicted != taken;
}

bool predictor_misses(predictor *p, uint32_t pc, bool backward, bool taken)
{
    switch (p->config.kind) {
    case PREDICTOR_NONE:
        return false;
    case PREDICTOR_NOT_TAKEN:
        return taken;
    case PREDICTOR_BACKWARD:
        return backward != taken;
    default:
        return counted_misses(p, pc >> 1, taken);
    }
}
