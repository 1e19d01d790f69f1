/* SPDX-License-Identifier: MIT */
/* Packed paths among all other events, through each coder and frames of all sizes. A decoder written from
 * core/FORMAT.md alone reads each record with its word and its context. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/recorder_bfcm.h"
#include "core/recorder_grammar.h"
#include "core/recorder_loops.h"
#include "core/recorder_tre.h"
#include "tests/lib/check.h"
#include "tests/lib/model.h"
#include "tests/lib/pack_section.h"
#include "tools/lib/recording/symbols.h"

enum { PACK_NUMBERS = 1000, EVENTS_MAX = 40000, SYMBOLS_MAX = 1 << 17 };

/* Here some path numbers are a pack's, so that the decoder knows them without descriptors. */
static bool is_pack(uint32_t path)
{
    return path % PACK_NUMBERS == 7;
}

/* A record of a path as it was made. */
typedef struct made {
    uint32_t context, path, word;
} made;

static made record[EVENTS_MAX];
static uint32_t paths_made, accesses_made, values_made, marks_made;
static model_sink kept;
static weft_recorder recorder;
static uint8_t frame_bytes[4096], spare[4096];
static uint32_t history[WEFT_HISTORY_WORDS(64)], packs[WORDS_MAX];
static weft_slot slots[8];
static weft_value_slot value_slots[4];
WEFT_LOOPNEST_DEF(nest, 32, 6);
WEFT_SEQ_DEF(grammar, 128, 128, 40, 64, false);
WEFT_SEQ_DEF(small_grammar, 16, 16, 4, 8, false);
WEFT_TRE_POOL_DEF(engines, 4, 3);
WEFT_BFCM_CODER_DEF(addresses, 64);
static weft_loopnest nest;
static weft_seq grammar, small_grammar;

typedef struct run_case {
    weft_control_coder_id coder;
    unsigned bus; /* weft_bus_coder_id */
    bool spare;
    size_t bytes, places, words;
    uint32_t seed, refuse_percent, accesses; /* percent of steps that have accesses, in half of the run */
} run_case;

static bool begin(const run_case *c, const weft_sink *sink)
{
    weft_recorder_config config = {.bytes = frame_bytes,
                                   .spare = c->spare ? spare : NULL,
                                   .bytes_size = c->bytes,
                                   .slots = slots,
                                   .slots_max = WEFT_COUNT(slots),
                                   .value_slots = value_slots,
                                   .value_slots_max = WEFT_COUNT(value_slots),
                                   .history = history,
                                   .history_max = c->places,
                                   .packs = packs,
                                   .packs_max = c->words,
                                   .probes = c->accesses ? WEFT_PROBE_PATHS | WEFT_PROBE_ACCESSES : WEFT_PROBE_PATHS,
                                   .sink = sink};
    if (c->coder == WEFT_CONTROL_LOOPS) {
        EXPECT(weft_loopnest_init(&nest, &nest_config) == WEFT_OK);
        config.control_coder = &weft_control_coder_loops;
        config.control_coder_state = &nest;
    }
    if (c->coder == WEFT_CONTROL_GRAMMAR) {
        bool small = c->seed % 2;
        EXPECT(weft_seq_init(small ? &small_grammar : &grammar, small ? &small_grammar_config : &grammar_config) ==
               WEFT_OK);
        config.control_coder = &weft_control_coder_grammar;
        config.control_coder_state = small ? &small_grammar : &grammar;
    }
    if (c->bus & WEFT_BUS_BFCM) {
        EXPECT(weft_bfcm_coder_init(&addresses, &addresses_config) == WEFT_OK);
        config.bus_coder = &weft_bus_coder_bfcm;
        config.bus_coder_state = &addresses;
    }
    if (c->bus & WEFT_BUS_TRE) {
        EXPECT(weft_tre_pool_init(&engines, &engines_config) == WEFT_OK);
        config.model_coder = &weft_model_coder_tre;
        config.model_coder_state = &engines;
    }
    memset(packs, 0xaa, sizeof packs); /* what was in RAM before */
    return weft_recorder_init(&recorder, &config) == WEFT_OK;
}

/* Mostly words that a loop repeats; of all lengths. */
static uint32_t some_word(check_random *random, uint32_t step)
{
    uint32_t bits = check_random_below(random, 32);
    if (check_random_below(random, 4))
        return 1u << 9 | step % 5 * 77;
    return 1u << bits | (check_random_next(random) & ((1u << bits) - 1));
}

static void make_path(check_random *random, uint32_t context, uint32_t step)
{
    uint32_t far = check_random_below(random, 20) ? 0 : check_random_below(random, 1u << 21) * PACK_NUMBERS;
    made event = {context, far + step % 7, 0};
    if (check_random_below(random, 3)) {
        event.path = far + step % 3 * PACK_NUMBERS + 7;
        event.word = some_word(random, step);
        weft_recorder_packed(&recorder, context, event.path, event.word);
    } else {
        event.path += is_pack(event.path);
        weft_recorder_path(&recorder, context, event.path);
    }
    record[paths_made++] = event;
}

static void make_accesses(check_random *random, uint32_t context)
{
    for (uint32_t n = check_random_below(random, 4); n; n--, accesses_made++) {
        uint32_t site = check_random_below(random, 12);
        weft_recorder_access(&recorder, context, site, check_random_below(random, 2) ? site * 4 : accesses_made * 64);
        if (check_random_below(random, 3))
            continue;
        weft_recorder_value(&recorder, context, site, check_random_next(random));
        values_made++;
    }
}

/* Accesses come in stretches of the run, or never. */
static void make_events(const run_case *c, uint32_t steps)
{
    check_random random = {c->seed};
    uint32_t context = 0, value = 3;
    paths_made = accesses_made = values_made = marks_made = 0;
    for (uint32_t i = 0; i < steps; i++) {
        if (check_random_below(&random, 15) == 0)
            context = check_random_below(&random, 4) * 15;
        if (i / 200 % 2 && check_random_below(&random, 100) < c->accesses)
            make_accesses(&random, context);
        make_path(&random, context, i);
        if (check_random_below(&random, 60) == 0) {
            (void)weft_recorder_event(&recorder, context, 5, &value, 1);
            marks_made++;
        }
        if (check_random_below(&random, 90) == 0)
            (void)weft_recorder_stamp(&recorder, i);
        if (check_random_below(&random, 300) == 0)
            (void)weft_recorder_flush(&recorder);
        if (c->spare && check_random_below(&random, 9) == 0)
            (void)weft_recorder_send(&recorder);
    }
}

/* ---- the decoder */

/* What was read of a recording. */
typedef struct decoded {
    uint64_t paths, voids, accesses, values, words, marked; /* words: in sections; marked: in marks */
    uint64_t next;                                          /* the record that the next frame begins with */
} decoded;

static size_t symbols_of(const body *b, uint32_t *out)
{
    trace_symbols *symbols = trace_symbols_open((pack_source){NULL, NULL});
    size_t count = 0, more;
    trace_symbols_start(symbols, &b->trace);
    while ((more = trace_symbols_read(symbols, out + count, SYMBOLS_MAX - count)) > 0)
        count += more;
    if (trace_symbols_corrupt(symbols))
        count = 0;
    trace_symbols_close(symbols);
    return count;
}

/* The state of reading a frame. */
typedef struct reading {
    const body *b;
    uint32_t symbols[SYMBOLS_MAX];
    size_t count, i; /* of symbols; the next one */
    section words;
    weft_reader marks;
} reading;

/* The word of the pack's record that comes next. False: there is none, or (*is_void) the record is void. */
static bool word_of(reading *r, uint32_t *word, bool *is_void)
{
    const uint32_t *symbol = &r->symbols[r->i];
    bool last = r->i + 1 == r->count;
    if (r->b->word_count)
        return next_word(&r->words, *symbol - WEFT_SYMBOL_PATH, word);
    *is_void = last && r->b->trace.control_coder != WEFT_CONTROL_COPIES;
    if (last || symbol[1] != WEFT_SYMBOL_MARK)
        return false;
    uint64_t head = weft_read_varint64(&r->marks);
    *word = (uint32_t)(head >> 5);
    return (head & 31) == (5 << 1 | 1) && head >> 37 == 0;
}

/* Whether the frame holds the made records from its first one on. */
static bool same_frame(const body *b, decoded *all)
{
    static reading r;
    uint32_t context = b->trace.context;
    r.b = b;
    r.count = symbols_of(b, r.symbols);
    uint64_t at = b->trace.before.paths - all->voids;
    r.words = (section){.log2 = b->words_log2, .left = b->word_count};
    weft_reader_init(&r.words.reader, b->trace.section[WEFT_REGION_MODELS], b->trace.size[WEFT_REGION_MODELS]);
    weft_reader_init(&r.marks, b->trace.section[WEFT_REGION_MARKS], b->trace.size[WEFT_REGION_MARKS]);
    EXPECT(r.count == b->trace.counts.paths + b->trace.escapes);
    for (r.i = 0; r.i < r.count; r.i++) {
        if (r.symbols[r.i] < WEFT_SYMBOL_PATH) {
            uint64_t head = weft_read_varint64(&r.marks);
            if (head & 1)
                skip_mark(&r.marks, head);
            else
                skip_switch(&r.marks, head, &context);
            continue;
        }
        made event = {context, r.symbols[r.i] - WEFT_SYMBOL_PATH, 0};
        bool is_void = false;
        if (is_pack(event.path) && !word_of(&r, &event.word, &is_void)) {
            EXPECT(is_void);
            all->voids++;
            continue;
        }
        all->marked += event.word && !b->word_count;
        r.i += event.word && !b->word_count; /* skip the mark that holds the word */
        EXPECT(at < paths_made && !memcmp(&record[at], &event, sizeof event));
        at++;
        all->paths++;
    }
    EXPECT(r.marks.status == WEFT_OK && weft_reader_left(&r.marks) == 0);
    EXPECT(r.words.left == 0 && r.words.run == 0 && !r.words.other &&
           (!b->word_count || !weft_reader_left(&r.words.reader)));
    all->words += b->word_count;
    all->accesses += b->trace.counts.accesses;
    all->values += b->trace.counts.values;
    return true;
}

static bool same_recording(decoded *all)
{
    *all = (decoded){0};
    for (size_t at = 0, end; at < kept.size; at = end + 1) {
        weft_frame frame;
        for (end = at; end < kept.size && kept.bytes[end]; end++)
            ;
        if (end == at || !memcmp(kept.bytes + at, "WEFT", end - at))
            continue;
        EXPECT(weft_frame_open(&frame, kept.bytes + at, end - at) == WEFT_OK);
        if (frame.kind != WEFT_FRAME_TRACE)
            continue;
        body b;
        EXPECT(parse(&frame, &b));
        EXPECT(same_frame(&b, all));
    }
    return true;
}

static decoded sum;

static bool once(const run_case *c)
{
    const weft_sink sink = {&kept, model_write};
    decoded all;
    bool done = false;
    free(kept.bytes);
    kept = (model_sink){.refuse_percent = c->refuse_percent, .random = {c->seed}};
    EXPECT(begin(c, &sink));
    make_events(c, 1200);
    for (unsigned i = 0; i < 1000 && !done; i++)
        done = weft_recorder_finish(&recorder) == WEFT_OK;
    EXPECT(done && same_recording(&all));
    EXPECT(all.paths + recorder.lost.paths == paths_made);
    EXPECT(recorder.before.paths == paths_made + all.voids);
    EXPECT(all.accesses + recorder.lost.accesses == accesses_made);
    EXPECT(all.values + recorder.lost.values == values_made);
    EXPECT(recorder.before.marks == marks_made);
    EXPECT(c->refuse_percent || recorder.lost.paths + recorder.lost.accesses == 0);
    EXPECT(c->coder != WEFT_CONTROL_RAW || all.voids == 0);
    sum.words += all.words;
    sum.marked += all.marked;
    sum.voids += all.voids;
    sum.paths += all.paths;
    return true;
}

static void all_sizes(weft_control_coder_id coder, unsigned bus, uint32_t accesses, uint32_t refuse_percent,
                      uint32_t seeds)
{
    sum = (decoded){0};
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        run_case c = {.coder = coder,
                      .bus = bus,
                      .spare = seed % 2,
                      .bytes = WEFT_RECORDER_BYTES_MIN + (coder == WEFT_CONTROL_RAW ? 0 : 30) +
                               (bus & WEFT_BUS_TRE ? 700 : 0) + seed * 37 % (seed % 3 ? 200 : 3000),
                      .places = seed % 5 ? (size_t)WEFT_HISTORY_PLACES_MIN << seed % 4 : 0,
                      .words = seed % 7 ? (size_t)1 << seed % 7 : 0,
                      .seed = seed,
                      .refuse_percent = refuse_percent,
                      .accesses = accesses};
        if (!once(&c)) {
            printf("# coder %u bus %u bytes %zu places %zu words %zu seed %u accesses %u refused %u %%\n",
                   (unsigned)coder, bus, c.bytes, c.places, c.words, seed, accesses, refuse_percent);
            return;
        }
    }
}

static void words_of_paths_alone_are_in_sections(void)
{
    all_sizes(WEFT_CONTROL_RAW, 0, 0, 0, check_quick() ? 100 : 400);
    CHECK(sum.words > sum.paths / 3);
    CHECK_EQ(sum.marked, 0);
    all_sizes(WEFT_CONTROL_RAW, WEFT_BUS_BFCM, 0, 0, 100);
    CHECK(sum.words > sum.paths / 3 && sum.marked == 0);
}

static void words_among_accesses_are_in_sections(void)
{
    all_sizes(WEFT_CONTROL_RAW, 0, 40, 0, check_quick() ? 100 : 400);
    CHECK(sum.words > sum.paths / 3);
    CHECK_EQ(sum.marked, 0);
    all_sizes(WEFT_CONTROL_RAW, 0, 2, 0, 100);
    all_sizes(WEFT_CONTROL_RAW, WEFT_BUS_BFCM, 40, 0, 100);
    CHECK(sum.words > sum.paths / 3 && sum.marked == 0);
}

static void with_engines_all_are_marks(void)
{
    all_sizes(WEFT_CONTROL_RAW, WEFT_BUS_TRE, 40, 0, 100);
    CHECK(sum.words == 0 && sum.marked > sum.paths / 3);
}

static void with_a_coder_all_are_marks(void)
{
    all_sizes(WEFT_CONTROL_LOOPS, 0, 40, 0, 100);
    CHECK(sum.words == 0 && sum.marked > sum.paths / 3);
    CHECK(sum.voids > 0);
    all_sizes(WEFT_CONTROL_GRAMMAR, 0, 40, 0, 100);
    CHECK(sum.words == 0 && sum.marked > sum.paths / 3);
    CHECK(sum.voids > 0);
    all_sizes(WEFT_CONTROL_GRAMMAR, WEFT_BUS_TRE | WEFT_BUS_BFCM, 40, 0, 50);
}

static void refused_frames_lose_no_pack_in_silence(void)
{
    all_sizes(WEFT_CONTROL_RAW, 0, 0, 60, 100);
    all_sizes(WEFT_CONTROL_RAW, 0, 20, 60, check_quick() ? 100 : 300);
    all_sizes(WEFT_CONTROL_LOOPS, 0, 20, 60, 50);
    all_sizes(WEFT_CONTROL_GRAMMAR, 0, 20, 60, 50);
}

/* A frame of predicted packs only: as many as it may have, in one item. */
static void runs_of_all_lengths_are_one_item(void)
{
    for (uint32_t length = 1; length < 200000; length += length / 3 + 1) {
        const weft_sink sink = {&kept, model_write};
        run_case c = {.coder = WEFT_CONTROL_RAW, .bytes = WEFT_RECORDER_BYTES_MIN, .words = length % 2};
        decoded all;
        bool good = true;
        free(kept.bytes);
        kept = (model_sink){0};
        CHECK(begin(&c, &sink));
        for (uint32_t i = 0; i < length; i++)
            weft_recorder_packed(&recorder, 0, 7, 0x80000001u);
        CHECK_EQ(weft_recorder_finish(&recorder), WEFT_OK);
        paths_made = length < EVENTS_MAX ? length : 0;
        for (uint32_t i = 0; i < paths_made; i++)
            record[i] = (made){0, 7, 0x80000001u};
        good = paths_made == 0 || (same_recording(&all) && all.paths == length && all.words == length);
        CHECK(good);
        CHECK(kept.size < 400 + length / WEFT_RECORDER_PATHS_MAX * 100);
    }
}

int main(void)
{
    RUN(words_of_paths_alone_are_in_sections);
    RUN(words_among_accesses_are_in_sections);
    RUN(with_engines_all_are_marks);
    RUN(with_a_coder_all_are_marks);
    RUN(refused_frames_lose_no_pack_in_silence);
    RUN(runs_of_all_lengths_are_one_item);
    return check_failed();
}
