/* SPDX-License-Identifier: MIT */
#include "core/recorder_tre.h"

#include <string.h>

enum {
    CREDIT = 32,     /* a holder that is idle for so many accesses of others may be followed */
    VOTES = 8,       /* lead of the next holder */
    TRIAL = 16,      /* accesses before a holder is judged */
    CHANGE = 7,      /* mark of a change of leases: more than levels can be */
    CHANGE_MAX = 13, /* its bytes */
};

/* A record of a nest of so many levels: levels, count, base; of each level coefficient, constant and slopes. And the number
 * of its engine. A plain list is written only if it is shorter; a nest of no level yet is one address, as a list. */
static uint32_t record_max(unsigned levels)
{
    uint32_t most = 1 + 2 * WEFT_VARINT32_MAX + levels * 2 * WEFT_VARINT32_MAX +
                    levels * (levels - 1) / 2 * WEFT_VARINT32_MAX;
    return (most < WEFT_TRE_RECORD_MAX ? most : WEFT_TRE_RECORD_MAX) + 2;
}

/* Keeps account of what flushing the engine may take. */
static void hold(weft_tre_pool *pool, uint32_t number)
{
    const weft_tre *engine = &pool->config.engines[number];
    weft_tre_lease *lease = &pool->config.leases[number];
    pool->reserve -= lease->held;
    lease->held = engine->count ? (uint16_t)record_max(engine->levels) : 0;
    pool->reserve += lease->held;
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
    /* An access writes what an engine holds, which is reserved, and a change; it may begin a nest, or add a level to one. */
    pool->room = record_max(config->levels_max) + record_max(0) + CHANGE_MAX;
    return WEFT_OK;
}

static size_t size_min(const void *state)
{
    const weft_tre_pool *pool = state;
    return 2 + pool->config.engines_max * WEFT_VARINT32_MAX + pool->room;
}

static bool unfit(const weft_tre_lease *lease)
{
    return lease->bytes > lease->taken;
}

static void take_away(weft_tre_lease *lease)
{
    lease->lent = false;
    lease->refused = true;
}

static void lend(weft_tre_lease *lease)
{
    lease->site = lease->rival;
    lease->lent = true;
    lease->refused = false;
}

static void count_anew(weft_tre_lease *lease)
{
    lease->taken = lease->bytes = lease->votes = 0;
    lease->credit = CREDIT;
}

static uint64_t holder(const weft_tre_lease *lease)
{
    return lease->lent ? (uint64_t)lease->site + 1 : 0;
}

static void begin(void *state, weft_writer *out)
{
    weft_tre_pool *pool = state;
    uint32_t lent = 0;
    pool->asked = 0;
    weft_write_varint(out, (uint32_t)pool->config.engines_max);
    for (size_t i = 0; i < pool->config.engines_max; i++) {
        weft_tre_lease *lease = &pool->config.leases[i];
        if (lease->lent && unfit(lease))
            take_away(lease);
        if (lease->votes && (!lease->lent || lease->votes > lease->taken))
            lend(lease);
        count_anew(lease);
        weft_write_varint64(out, holder(lease));
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

static void end_nest(weft_tre_pool *pool, uint32_t number, weft_writer *out)
{
    size_t before = out->size;
    (void)weft_tre_flush(&pool->config.engines[number], out); /* access left the room */
    sign(&pool->config.leases[number], number, before, out);
    hold(pool, number);
}

/* Says who has the engine from the next access on. */
static void write_change(weft_tre_pool *pool, uint32_t number, weft_writer *out)
{
    weft_write_varint(out, CHANGE);
    weft_write_varint(out, pool->asked);
    weft_write_varint64(out, holder(&pool->config.leases[number]));
    weft_write_varint(out, number);
    count_anew(&pool->config.leases[number]);
}

/* A record was written, or the nest grew. */
static void settle(weft_tre_pool *pool, uint32_t number, size_t before, weft_writer *out)
{
    weft_tre_lease *lease = &pool->config.leases[number];
    sign(lease, number, before, out);
    hold(pool, number);
    if (out->size != before && lease->taken >= TRIAL && unfit(lease)) {
        end_nest(pool, number, out);
        take_away(lease);
        write_change(pool, number, out);
    }
}

static weft_status take(weft_tre_pool *pool, uint32_t number, uint32_t address, weft_writer *out)
{
    weft_tre_lease *lease = &pool->config.leases[number];
    weft_tre *engine = &pool->config.engines[number];
    size_t before = out->size;
    unsigned levels = engine->levels;
    if (weft_tre_push(engine, address, out) != WEFT_OK)
        return WEFT_FULL;
    lease->taken++;
    lease->credit = CREDIT;
    pool->taken++;
    pool->asked++;
    if (out->size != before || engine->levels != levels || !lease->held)
        settle(pool, number, before, out);
    return WEFT_OK;
}

static void vote(weft_tre_lease *lease, uint32_t site)
{
    if (lease->credit)
        lease->credit--;
    if (lease->votes && lease->rival != site) {
        lease->votes--;
    } else {
        lease->rival = site;
        lease->votes++;
    }
}

static weft_status access(void *state, uint32_t site, uint32_t address, weft_writer *out)
{
    weft_tre_pool *pool = state;
    uint32_t number = site & (uint32_t)(pool->config.engines_max - 1);
    weft_tre_lease *lease = &pool->config.leases[number];
    bool room = weft_writer_room(out) >= pool->reserve + pool->room;
    if (lease->lent && lease->site == site)
        return room ? take(pool, number, address, out) : WEFT_FULL;
    pool->asked++;
    if (lease->refused && lease->site == site)
        return WEFT_AGAIN;
    vote(lease, site);
    if (room && lease->votes >= VOTES && (!lease->lent || !lease->credit)) {
        end_nest(pool, number, out);
        lend(lease);
        write_change(pool, number, out);
    }
    return WEFT_AGAIN;
}

static void flush(void *state, weft_writer *out)
{
    weft_tre_pool *pool = state;
    for (uint32_t i = 0; i < pool->config.engines_max; i++)
        end_nest(pool, i, out);
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
