/* SPDX-License-Identifier: MIT */
#include "core/recorder_tre.h"
#include "core/own.h"

#include <string.h>

#include "core/recorder_parts.h"

/* Not inlined, so that a caller saves few registers; at -Os it stands once anyway. */
#if WEFT_SMALL
#define APART
#else
#define APART __attribute__((noinline))
#endif

enum {
    CREDIT = 32, /* accesses by other sites before an idle holder may be replaced. More: engines change hands later */
    VOTES = 8,   /* least lead of the next holder. More: engines are lent later, to busier sites */
    VOTES_MAX = 2048, /* the lead needed doubles after each holder that was not affine, up to this */
    FRAMES = 8,       /* after this many, the lead that is needed halves */
    TRIAL = 16,       /* accesses before a holder is judged */
    HISTORY = 4,      /* a quarter of a frame's counts goes into the next, which may begin within a loop: its first
                         records are short. Less: small frames take engines away from affine sites */
    CHANGE_MAX = 13,  /* bytes of a change of holder */
};

/* The most bytes of a record of a nest of `levels`: levels, count, base; of each level coefficient, constant and
 * slopes; and the number of its engine. A plain list is written only if it is shorter. A nest of no level yet is one
 * address, as a list. */
static uint32_t record_max(unsigned levels)
{
    uint32_t most =
        1 + 2 * WEFT_VARINT32_MAX + levels * 2 * WEFT_VARINT32_MAX + levels * (levels - 1) / 2 * WEFT_VARINT32_MAX;
    return (most < WEFT_TRE_RECORD_MAX ? most : WEFT_TRE_RECORD_MAX) + 2;
}

/* Updates the reserve: the bytes that flushing this engine may take. */
static void hold(weft_tre_pool *pool, weft_tre_lease *lease)
{
    pool->reserve -= lease->held;
    lease->held = lease->engine.count ? (uint16_t)record_max(lease->engine.levels) : 0;
    pool->reserve += lease->held;
}

weft_status weft_tre_pool_init(weft_tre_pool *pool, const weft_tre_pool_config *config)
{
    size_t count = config->engines_max;
    if (!config->leases || !config->levels || count < 1 || count > WEFT_MODELS_ENGINES_MAX || (count & (count - 1)))
        return WEFT_CONFIG;
    memset(pool, 0, sizeof *pool);
    pool->config = *config;
    memset(config->leases, 0, count * sizeof *config->leases);
    for (size_t i = 0; i < count; i++) {
        weft_tre_lease *lease = &config->leases[i];
        lease->number = (uint8_t)i;
        lease->needed = VOTES;
        if (weft_tre_init(&lease->engine, config->levels + i * config->levels_max, config->levels_max) != WEFT_OK)
            return WEFT_CONFIG;
    }
    /* An access may write what an engine holds, which is reserved, and a change of holder. It may also begin a nest, or
     * add a level to one. */
    pool->room = record_max(config->levels_max) + record_max(0) + CHANGE_MAX;
    return WEFT_OK;
}

static size_t size_min(const void *state)
{
    const weft_tre_pool *pool = state;
    return 2 + pool->config.engines_max * WEFT_VARINT32_MAX + pool->room;
}

/* The most that the lent engines, and one more, may come to hold. */
static size_t size_wanted(const void *state)
{
    const weft_tre_pool *pool = state;
    return (pool->lent + 1) * record_max(pool->config.levels_max);
}

/* Not affine enough: three quarters of a byte per access is less than what most accesses cost in the bus section. */
static bool unfit(const weft_tre_lease *lease)
{
    return 4 * lease->bytes > 3 * lease->taken;
}

static void take_away(weft_tre_lease *lease)
{
    lease->lent = false;
    lease->refused = true;
    if (lease->needed < VOTES_MAX)
        lease->needed *= 2;
}

static void lend(weft_tre_lease *lease)
{
    lease->site = lease->rival;
    lease->lent = true;
    lease->refused = false;
}

static void vote_anew(weft_tre_lease *lease)
{
    lease->votes = lease->seen = 0;
    lease->credit = CREDIT;
}

static __attribute__((noinline)) void write_holder(const weft_tre_lease *lease, weft_writer *out)
{
    weft_write_varint64(out, lease->lent ? (uint64_t)lease->site + 1 : 0);
}

static void begin_lease(weft_tre_lease *lease, bool less_wary)
{
    if (lease->lent && unfit(lease))
        take_away(lease);
    else if (lease->needed > VOTES && (less_wary || lease->taken >= TRIAL))
        lease->needed /= 2;
    bool change = lease->votes >= lease->needed && (!lease->lent || lease->votes > lease->taken);
    vote_anew(lease);
    lease->taken /= HISTORY;
    lease->bytes /= HISTORY;
    if (change) {
        lend(lease);
        lease->taken = lease->bytes = 0;
    }
}

static void begin(void *state, weft_writer *out)
{
    weft_tre_pool *pool = state;
    weft_tre_lease *lease = pool->config.leases;
    bool less_wary = ++pool->frames % FRAMES == 0;
    pool->address = pool->lent = 0;
    weft_write_varint(out, (uint32_t)pool->config.engines_max);
    for (size_t i = 0; i < pool->config.engines_max; i++, lease++) {
        begin_lease(lease, less_wary);
        write_holder(lease, out);
        pool->lent += lease->lent;
    }
    if (pool->lent > pool->high)
        pool->high = pool->lent;
}

/* If a record of `accesses` was written, the number of its engine follows it. */
static void sign(weft_tre_pool *pool, weft_tre_lease *lease, uint32_t accesses, size_t before, weft_writer *out)
{
    if (out->size != before) {
        weft_write_varint(out, lease->number);
        lease->bytes += (uint32_t)(out->size - before);
        lease->taken += accesses;
        pool->taken += accesses;
    }
    hold(pool, lease);
}

static void end_nest(weft_tre_pool *pool, weft_tre_lease *lease, weft_writer *out)
{
    uint32_t accesses = lease->engine.count;
    size_t before = out->size;
    (void)weft_tre_flush(&lease->engine, out); /* access left the room */
    sign(pool, lease, accesses, before, out);
}

/* From the next access of the frame on, another site holds the engine: the one that leads the vote, or none. */
static __attribute__((noinline)) void change_holder(weft_recorder *recorder, weft_tre_lease *lease, bool none)
{
    weft_writer *out = &recorder->models;
    end_nest(recorder->config.model_coder_state, lease, out);
    if (none)
        take_away(lease);
    else
        lend(lease);
    weft_write_varint(out, WEFT_MODELS_CHANGE);
    weft_write_varint(out, weft_recorder_accesses(recorder) + 1);
    write_holder(lease, out);
    weft_write_varint(out, lease->number);
    lease->taken = lease->bytes = 0;
    vote_anew(lease);
}

/* The engine takes an access. There is room. */
static void take(weft_recorder *recorder, weft_tre_lease *lease, uint32_t address)
{
    weft_writer *out = &recorder->models;
    weft_tre *engine = &lease->engine;
    size_t before = out->size;
    uint32_t accesses = engine->count;
    unsigned levels = engine->levels;
    (void)weft_tre_push(engine, address, out);
    if (out->size == before && engine->levels == levels && lease->held)
        return;
    /* A record was written, or the nest grew. */
    sign(recorder->config.model_coder_state, lease, accesses, before, out);
    if (out->size != before && lease->taken >= TRIAL && unfit(lease))
        change_holder(recorder, lease, true);
}

/* An access by another site than the holder is a vote for that site, and uses up credit of the holder. */
static inline void vote(weft_tre_lease *lease, uint32_t site)
{
    if (lease->seen != lease->engine.count) {
        lease->seen = lease->engine.count;
        lease->credit = CREDIT;
    }
    if (lease->credit)
        lease->credit--;
    if (lease->votes && lease->rival != site) {
        lease->votes--;
    } else {
        lease->rival = site;
        lease->votes++;
    }
}

/* The lease that a site may have. */
static inline weft_tre_lease *lease_of(const weft_tre_pool *pool, uint32_t site)
{
    return &pool->config.leases[site & (uint32_t)(pool->config.engines_max - 1)];
}

/* Whether the engine may change hands. */
static inline bool is_due(const weft_tre_lease *lease)
{
    return lease->votes >= lease->needed && (!lease->lent || !lease->credit);
}

/* All accesses that `access` does not take at once. An address of the bus section is predicted from the one before it
 * in that section, which is pool->address. A second round of the loop is in a new frame, which has room for everything;
 * in it, the holders may have changed. */
static APART void access_slow(weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address)
{
    weft_tre_pool *pool = recorder->config.model_coder_state;
    weft_writer *out = &recorder->models;
    weft_tre_lease *lease = lease_of(pool, site);
    /* Needs no room, as the rest does. */
    if (lease->site == site && context == recorder->context && weft_tre_move(&lease->engine, address)) {
        recorder->address = address;
        recorder->accesses++;
        return;
    }
    bool open = (!WEFT_SMALL && context == recorder->context && weft_recorder_fits(recorder, WEFT_REGION_BUS)) ||
                weft_recorder_ready(recorder, context);
    for (; open; open = weft_recorder_cut(recorder) == WEFT_OK) {
        bool room = weft_writer_room(out) >= pool->reserve + pool->room;
        if (lease->lent && lease->site == site) {
            if (!room)
                continue;
            take(recorder, lease, address);
            recorder->address = address;
            break;
        }
        if (room && is_due(lease))
            change_holder(recorder, lease, false); /* this access still goes to the bus section */
        if (!weft_recorder_fits(recorder, WEFT_REGION_BUS))
            continue;
        recorder->address = pool->address;
        pool->address = address;
        weft_recorder_access_bus(recorder, context, site, address);
        return;
    }
    recorder->accesses++;
}

static inline void put_address(weft_recorder *recorder, uint32_t site, uint32_t address)
{
#ifdef __OPTIMIZE_SIZE__
    weft_recorder_put_address_apart(recorder, site, address);
#else
    weft_recorder_put_address(recorder, site, address);
#endif
}

/* Most accesses end here: the innermost loop of the site's engine predicts them, or the site has no engine, and votes.
 * While a frame waits, or no site holds the engine, it is empty and predicts nothing. A frame holds fewer than 2^32
 * accesses, and so does an engine. */
static void access(weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address)
{
    weft_tre_pool *pool = recorder->config.model_coder_state;
    weft_tre_lease *lease = lease_of(pool, site);
    bool mine = site == lease->site; /* it holds the engine, or held it last */
    if (!WEFT_SMALL && mine && context == recorder->context && weft_tre_predicted(&lease->engine, address)) {
        recorder->address = address;
        recorder->accesses++;
        return;
    }
    if (!(mine && lease->lent) && context == recorder->context && weft_recorder_bus_fits(recorder)) {
        if (!mine || !lease->refused)
            vote(lease, site);
        if (!WEFT_SMALL && !is_due(lease)) {
            recorder->address = pool->address;
            pool->address = address;
            if (recorder->config.bus_coder)
                recorder->config.bus_coder->access(recorder, context, site, address);
            else
                put_address(recorder, site, address);
            return;
        }
    }
    access_slow(recorder, context, site, address);
}

static void flush(void *state, weft_writer *out)
{
    weft_tre_pool *pool = state;
    weft_tre_lease *lease = pool->config.leases;
    for (uint32_t i = 0; i < pool->config.engines_max; i++)
        end_nest(pool, lease++, out);
}

static void stats(const void *state, weft_writer *out)
{
    const weft_tre_pool *pool = state;
    const uint32_t values[] = {pool->high, (uint32_t)pool->config.engines_max, pool->taken};
    weft_recorder_write_fields(out, WEFT_STATS_TRE_HIGH, values, WEFT_COUNT(values));
}

const weft_model_coder weft_model_coder_tre = {&weft_coded, size_min, size_wanted, begin, access, flush, stats};
