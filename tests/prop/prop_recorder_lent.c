/* SPDX-License-Identifier: MIT */
/* Probes put predicted paths and packs into a lent history, and take predicted addresses, as
 * port/cortex-m/probes_paths.c and probes_packs.c do. The recording must be, byte for byte, that of the recorder's
 * own calls. Also with values, with a sink that refuses, and with few paths per frame. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/recorder_packs.h"
#include "core/recorder_ready.h"
#include "core/recorder_value.h"
#include "tests/lib/check.h"

enum { BYTES = 1 << 20, FRAME = 400, PLACES = 32, STEPS = 4000, PATHS = 40 };

typedef struct output {
    uint8_t bytes[BYTES];
    size_t size;
    unsigned writes, refuse; /* each refuse-th write is refused; 0: none */
} output;

static weft_status keep(void *context, const uint8_t *bytes, size_t size)
{
    output *out = context;
    if (out->size + size > BYTES || (out->refuse && ++out->writes % out->refuse == 0))
        return WEFT_AGAIN;
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
    return WEFT_OK;
}

typedef struct side {
    output out;
    uint8_t frame[FRAME];
    uint32_t history[WEFT_HISTORY_WORDS(PLACES)];
    uint32_t packs[4];
    weft_slot slots[8];
    weft_value_slot value_slots[4];
    weft_sink sink;
    weft_recorder recorder;
} side;

static uint32_t entered;  /* switches of context that took no more than a few steps */
static uint32_t stepped;  /* paths that ended a run in a step of its own */
static uint32_t in_steps; /* accesses found first, then written */

static bool start(side *s, uint32_t seed)
{
    memset(s->history, 0xaa, sizeof s->history); /* what was in RAM before */
    s->out.size = s->out.writes = 0;
    s->out.refuse = seed % 7 ? 0 : 4;
    s->sink = (weft_sink){&s->out, keep};
    weft_recorder_config config = {.sink = &s->sink,
                                   .bytes = s->frame,
                                   .bytes_size = FRAME,
                                   .slots = s->slots,
                                   .slots_max = 8,
                                   .value_slots = s->value_slots,
                                   .value_slots_max = 4,
                                   .history = s->history,
                                   .history_max = PLACES,
                                   .packs = s->packs,
                                   .packs_max = 4,
                                   .probes = WEFT_PROBE_PATHS | WEFT_PROBE_ACCESSES | WEFT_PROBE_VALUES};
    bool good = weft_recorder_init(&s->recorder, &config) == WEFT_OK;
    if (seed % 4 == 0)
        s->recorder.paths_max = 20; /* fewer than the ring has places, and than a frame takes */
    return good;
}

/* No probe is at work on the recorder. */
static void open_up(weft_recorder *recorder)
{
    weft_recorder_set_open(recorder, recorder->waiting ? WEFT_RECORDER_CLOSED : recorder->context);
    weft_recorder_lend(recorder);
}

static void shut(weft_recorder *recorder)
{
    weft_recorder_set_open(recorder, WEFT_RECORDER_CLOSED);
    weft_recorder_keep(recorder);
    weft_history_settle(&recorder->history);
}

/* Switches to another context, as weft_delivery_enter does. */
static void enter(weft_recorder *recorder, uint32_t context)
{
    shut(recorder);
    if (context == recorder->context || !weft_recorder_enter_begin(recorder, context))
        return;
    while (recorder->entering)
        weft_recorder_enter_go_on(recorder);
    entered++;
}

/* Takes a path in steps, as put_slowly of the probe does. False: it must be delivered. */
static bool put_in_steps(weft_recorder *recorder, uint32_t context, uint32_t path)
{
    uint32_t word = weft_history_word(weft_history_exception(context), path);
    bool steps = word != WEFT_HISTORY_NONE && !recorder->waiting && context == recorder->context;
    weft_status status = steps ? WEFT_AGAIN : WEFT_FULL;
    while (status == WEFT_AGAIN)
        status = weft_recorder_path_step(recorder, word, path);
    stepped += recorder->run_ended != NULL;
    return status == WEFT_OK;
}

/* As put_other of the probe does. */
static bool put_lent(weft_recorder *recorder, uint32_t word)
{
    if (WEFT_SHORT_STEPS)
        (void)weft_history_put_few(&recorder->history, word);
    if (!weft_recorder_path_lent(recorder, word))
        return false;
    if (WEFT_SHORT_STEPS && !weft_recorder_control_fits(recorder))
        weft_recorder_keep(recorder);
    return true;
}

/* Records a path as a probe does. Lends the history whenever the recorder is free. `predicted` counts the paths that
 * needed no more than the lent history. */
static void probe(weft_recorder *recorder, uint32_t context, uint32_t path, uint32_t *predicted)
{
    uint32_t word = weft_history_word(weft_history_exception(context), path);
    bool small = word != WEFT_HISTORY_NONE;
    while (small && recorder->context == context && weft_history_lent(&recorder->history)) {
        if (weft_history_take_lent(&recorder->history, word) || weft_recorder_path_again(recorder, word)) {
            ++*predicted;
            return;
        }
        if (put_lent(recorder, word))
            return;
        bool caught = false;
        while (weft_history_catch_up(&recorder->history))
            caught = true;
        if (!weft_recorder_go_on(recorder) && !caught)
            break;
    }
    CHECK(!small || recorder->context == context || !weft_history_take_lent(&recorder->history, word));
    shut(recorder);
    if (context != recorder->context)
        enter(recorder, context);
    if (!put_in_steps(recorder, context, path))
        weft_recorder_path(recorder, context, path);
    open_up(recorder);
}

/* As probe, for a pack. `predicted` counts the packs put into the lent history. */
static void probe_pack(weft_recorder *recorder, uint32_t context, uint32_t number, uint32_t word, uint32_t *predicted)
{
    weft_history *history = &recorder->history;
    uint32_t key = weft_history_word(weft_history_exception(context), number);
    while (key != WEFT_HISTORY_NONE && recorder->context == context && weft_history_lent(history) &&
           weft_recorder_pack_fits(recorder, number, word)) {
        if (weft_history_take_lent(history, key) || (history->at == history->from && put_lent(recorder, key))) {
            weft_recorder_put_pack(recorder, number, word);
            ++*predicted;
            return;
        }
        if (!weft_history_catch_up(history) && (*history->at != WEFT_HISTORY_NONE || !weft_recorder_go_on(recorder)))
            break;
    }
    shut(recorder);
    if (context != recorder->context)
        enter(recorder, context);
    weft_recorder_packed(recorder, context, number, word);
    open_up(recorder);
}

/* In two steps. What was found for another address, or before the slot changed, is not written. */
static void put_ready(weft_recorder *recorder, uint32_t site, uint32_t address, bool *put)
{
    weft_ready_address now, old;
    weft_recorder_ready_address(recorder, site, address, &now);
    old = now;
    old.was.last++;
    CHECK(!weft_recorder_access_ready(recorder, site, address, &old));
    old = now;
    old.epoch++;
    CHECK(!weft_recorder_access_ready(recorder, site, address, &old));
    old = now;
    old.address++;
    CHECK(!weft_recorder_access_ready(recorder, site, address, &old));
    *put = weft_recorder_access_ready(recorder, site, address, &now);
    in_steps += *put;
}

/* As probe, for an access. */
static void access(weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address, uint32_t *taken)
{
    if (weft_recorder_access_lent(recorder, context, site, address)) {
        ++*taken;
        return;
    }
    bool put = false;
    if (context == recorder->context && address % 8 == 0)
        put_ready(recorder, site, address, &put);
    if (put)
        return;
    if (weft_recorder_access_fast(recorder, context, site, address))
        return;
    enter(recorder, context);
    weft_recorder_access(recorder, context, site, address);
    open_up(recorder);
}

static void put_value(weft_recorder *recorder, uint32_t context, uint32_t site, uint64_t value)
{
    if (context == recorder->context && weft_recorder_value_here(recorder, site, value))
        return;
    enter(recorder, context);
    weft_recorder_value(recorder, context, site, value);
    open_up(recorder);
}

static bool finish(weft_recorder *recorder)
{
    unsigned tries = 0;
    while (weft_recorder_finish(recorder) != WEFT_OK && tries < 10)
        tries++;
    return tries < 10;
}

/* Whether both sides record the same. The program has handlers, and loops over short bodies that differ now and
 * then. A larger `noise` makes its events harder to predict. */
static bool same(side *one, side *other, uint32_t seed, uint32_t noise, uint32_t *predicted, uint32_t *taken,
                 uint32_t *packed)
{
    bool alone = seed % 3 == 0; /* no accesses, but packs */
    check_random random = {seed};
    uint32_t moved[PATHS] = {0}, body[12], length = 1 + check_random_below(&random, 12);
    if (!start(one, seed) || !start(other, seed))
        return false;
    open_up(&other->recorder);
    for (uint32_t step = 0; step < STEPS; step++) {
        if (step == 0 || check_random_below(&random, 100) == 0) {
            length = 1 + check_random_below(&random, 12);
            for (uint32_t i = 0; i < length; i++)
                body[i] = check_random_below(&random, PATHS);
        }
        if (check_random_below(&random, 300) == 0) {
            shut(&other->recorder);
            if (weft_recorder_flush(&one->recorder) != weft_recorder_flush(&other->recorder))
                return false;
            open_up(&other->recorder);
        }
        uint32_t context = check_random_below(&random, 40) == 0 ? 15 + check_random_below(&random, 3) : 0;
        uint32_t path = body[step % length];
        if (check_random_below(&random, 100) < noise)
            path =
                check_random_below(&random, 8) ? check_random_below(&random, PATHS) : check_random_next(&random) >> 4;
        for (uint32_t accesses = alone || check_random_below(&random, 4) ? 0 : 1 + path % 3; accesses; accesses--) {
            uint32_t site = path % PATHS, jump = check_random_below(&random, 20) ? 0 : check_random_next(&random);
            uint32_t address = 64 * site + 4 * moved[site] * (site % 3) + jump;
            moved[site]++;
            weft_recorder_access(&one->recorder, context, site, address);
            access(&other->recorder, context, site, address, taken);
        }
        if (alone && path % 3) {
            uint32_t word = 1 + (check_random_below(&random, 5) ? step % length : check_random_next(&random) >> 1);
            weft_recorder_packed(&one->recorder, context, path, word);
            probe_pack(&other->recorder, context, path, word, packed);
            continue;
        }
        if (!alone && seed % 2 && check_random_below(&random, 6) == 0) {
            uint64_t value = (uint64_t)moved[path % PATHS] * (path % 5);
            weft_recorder_value(&one->recorder, context, path, value);
            put_value(&other->recorder, context, path, value);
        }
        weft_recorder_path(&one->recorder, context, path);
        probe(&other->recorder, context, path, predicted);
    }
    shut(&other->recorder);
    return finish(&one->recorder) && finish(&other->recorder) && one->out.size == other->out.size &&
           !memcmp(one->out.bytes, other->out.bytes, one->out.size);
}

static void lent_and_kept_record_the_same(void)
{
    side *one = calloc(1, sizeof *one), *other = calloc(1, sizeof *other);
    uint32_t predicted = 0, taken = 0, packed = 0, runs = check_quick() ? 300 : 1000;
    for (uint32_t seed = 1; seed <= runs; seed++) {
        bool good = same(one, other, seed, seed % 5 * 10, &predicted, &taken, &packed);
        if (!good)
            printf("# seed %u\n", seed);
        CHECK(good);
        if (!good)
            break;
    }
    /* Less would mean that nothing was tested: at least a quarter of all paths needed the lent history only. */
    CHECK(predicted > runs * (uint64_t)STEPS / 4);
    CHECK(packed > runs * (uint64_t)STEPS / 10);
    CHECK(taken > runs * (uint64_t)STEPS / 40);
    CHECK(entered > runs * 100);
    CHECK(stepped > runs * 10);
    CHECK(in_steps > runs * 10);
    free(one);
    free(other);
}

int main(void)
{
    RUN(lent_and_kept_record_the_same);
    return check_failed();
}
