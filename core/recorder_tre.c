/* SPDX-License-Identifier: MIT */
#include "core/recorder_tre.h"

#include <string.h>

/* A record of a nest of so many levels: levels, count, base; of each level coefficient, constant and slopes. And the number
 * of its engine. A plain list is written only if it is shorter. */
static uint32_t record_max(unsigned levels)
{
    uint32_t most = 1 + 2 * WEFT_VARINT32_MAX + levels * 2 * WEFT_VARINT32_MAX +
                    levels * (levels - 1) / 2 * WEFT_VARINT32_MAX;
    /* A nest of no level yet is one address, as a list. */
    return (most < WEFT_TRE_RECORD_MAX ? most : WEFT_TRE_RECORD_MAX) + 2;
}

weft_status weft_tre_pool_init(weft_tre_pool *pool, const weft_tre_pool_config *config)
{
    size_t count = config->engines_max;
    if (!config->engines || !config->leases || !config->levels || count < 1 || count > 128 || (count & (count - 1)))
        return WEFT_CONFIG;
    memset(pool, 0, sizeof *pool);
    pool->config = *config;
    memset(config->leases, 0, count * sizeof *config->leases);
    for (size_t i = 0; i < count; i++)
        if (weft_tre_init(&config->engines[i], config->levels + i * config->levels_max, config->levels_max) != WEFT_OK)
            return WEFT_CONFIG;
    pool->reserve = (uint32_t)count * record_max(config->levels_max);
    return WEFT_OK;
}

static size_t size_min(const void *state)
{
    const weft_tre_pool *pool = state;
    return 2 + pool->config.engines_max * WEFT_VARINT64_MAX / 2 + pool->config.engines_max + pool->reserve +
           record_max(pool->config.levels_max);
}

/* Who has the engine in the next frame. */
static void renew(weft_tre_lease *lease)
{
    if (lease->lent && lease->bytes > lease->taken) {
        lease->lent = false;
        lease->refused = true;
    }
    if (lease->votes && (!lease->lent || lease->votes > lease->taken)) {
        lease->site = lease->rival;
        lease->lent = true;
        lease->refused = false;
    }
    lease->taken = lease->bytes = lease->votes = 0;
}

static void begin(void *state, weft_writer *out)
{
    weft_tre_pool *pool = state;
    uint32_t lent = 0;
    weft_write_varint(out, (uint32_t)pool->config.engines_max);
    for (size_t i = 0; i < pool->config.engines_max; i++) {
        weft_tre_lease *lease = &pool->config.leases[i];
        renew(lease);
        weft_write_varint64(out, lease->lent ? (uint64_t)lease->site + 1 : 0);
        lent += lease->lent;
    }
    if (lent > pool->high)
        pool->high = lent;
}

/* The number of the engine behind each record that was written. */
static void sign(weft_tre_lease *lease, uint32_t number, size_t before, weft_writer *out)
{
    if (out->size == before)
        return;
    weft_write_varint(out, number);
    lease->bytes += (uint32_t)(out->size - before);
}

static weft_status access(void *state, uint32_t site, uint32_t address, weft_writer *out)
{
    weft_tre_pool *pool = state;
    uint32_t number = site & (uint32_t)(pool->config.engines_max - 1);
    weft_tre_lease *lease = &pool->config.leases[number];
    if (lease->lent && lease->site == site) {
        size_t before = out->size;
        /* A push writes one record at most, and what is held may become as long as reserved. */
        if (weft_writer_room(out) < pool->reserve + record_max(pool->config.levels_max) ||
            weft_tre_push(&pool->config.engines[number], address, out) != WEFT_OK)
            return WEFT_FULL;
        sign(lease, number, before, out);
        lease->taken++;
        pool->taken++;
        return WEFT_OK;
    }
    if (lease->refused && lease->site == site)
        return WEFT_AGAIN;
    if (lease->votes && lease->rival != site) {
        lease->votes--;
    } else {
        lease->rival = site;
        lease->votes++;
    }
    return WEFT_AGAIN;
}

static void flush(void *state, weft_writer *out)
{
    weft_tre_pool *pool = state;
    for (uint32_t i = 0; i < pool->config.engines_max; i++) {
        size_t before = out->size;
        (void)weft_tre_flush(&pool->config.engines[i], out); /* access left the room */
        sign(&pool->config.leases[i], i, before, out);
    }
}

static void field(weft_writer *out, uint32_t key, uint32_t value)
{
    weft_write_varint(out, key);
    weft_write_varint(out, value);
}

static void stats(const void *state, weft_writer *out)
{
    const weft_tre_pool *pool = state;
    field(out, WEFT_STATS_TRE_HIGH, pool->high);
    field(out, WEFT_STATS_TRE_MAX, (uint32_t)pool->config.engines_max);
    field(out, WEFT_STATS_TRE_TAKEN, pool->taken);
}

const weft_bus_coder weft_bus_coder_tre = {WEFT_BUS_TRE, size_min, begin, access, flush, stats};
