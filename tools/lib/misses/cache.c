/* SPDX-License-Identifier: MIT */
#include "tools/lib/misses/cache.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

void cache_init(cache *c, const cache_config *config)
{
    *c = (cache){.config = *config, .random = 1};
    if (!config->ways)
        return;
    c->shift = (uint32_t)__builtin_ctz(config->line);
    c->sets = config->size / config->line / config->ways;
    c->lines = memory_zero((size_t)c->sets * config->ways, sizeof *c->lines);
    c->used = memory_zero((size_t)c->sets * config->ways, sizeof *c->used);
    c->turn = memory_zero(c->sets, sizeof *c->turn);
}

void cache_free(cache *c)
{
    free(c->lines);
    free(c->used);
    free(c->turn);
}

static uint32_t random_way(cache *c)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 17;
    c->random ^= c->random << 5;
    return c->random % c->config.ways;
}

/* The way that a new line gets in a set that is full. */
static uint32_t victim(cache *c, uint32_t set)
{
    if (c->config.policy == CACHE_RANDOM)
        return random_way(c);
    if (c->config.policy == CACHE_FIFO) {
        uint32_t way = c->turn[set];
        c->turn[set] = (way + 1) % c->config.ways;
        return way;
    }
    const uint64_t *used = c->used + (size_t)set * c->config.ways;
    uint32_t oldest = 0;
    for (uint32_t way = 1; way < c->config.ways; way++)
        if (used[way] < used[oldest])
            oldest = way;
    return oldest;
}

bool cache_misses(cache *c, uint32_t line, bool fill)
{
    if (!c->config.ways)
        return true;
    if (line + 1 == c->last) /* nothing changes: it is the latest already */
        return false;
    uint32_t set = line & (c->sets - 1), way = 0, *lines = c->lines + (size_t)set * c->config.ways;
    while (way < c->config.ways && lines[way] && lines[way] != line + 1)
        way++;
    bool there = way < c->config.ways && lines[way];
    if (!there && !fill)
        return true;
    if (way == c->config.ways)
        way = victim(c, set);
    lines[way] = line + 1;
    c->used[(size_t)set * c->config.ways + way] = ++c->now;
    c->last = line + 1;
    return !there;
}
