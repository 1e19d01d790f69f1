/* SPDX-License-Identifier: MIT */
/* The windowed detector on all small strings, random ones and hostile ones. Its output expands to the input and is
 * that of a naive model. No repetition that fits half a window is left. */
#include <stdlib.h>
#include <string.h>

#include "core/loopnest.h"
#include "tests/lib/check.h"
#include "tests/lib/hostile.h"
#include "tests/lib/loop_model.h"
#include "tools/lib/recording/terms.h"

enum { INPUT_MAX = 200000, OUT_MAX = 6 * INPUT_MAX };

static uint32_t input[INPUT_MAX], back[INPUT_MAX];
static size_t back_size;
enum { FENCE = 0x5c, FENCE_SIZE = 64 };
static uint8_t out_bytes[OUT_MAX + FENCE_SIZE], model_bytes[OUT_MAX];

typedef struct detector {
    weft_loopnest nest;
    weft_loopnest_config config;
} detector;

static uint32_t power_of_two(uint32_t n)
{
    uint32_t p = 1;
    while (p < n)
        p *= 2;
    return p;
}

static detector *make(uint32_t window, uint32_t depth, uint32_t progress)
{
    detector *d = calloc(1, sizeof *d);
    uint32_t size = power_of_two(window);
    d->config = (weft_loopnest_config){.terms = malloc(size * sizeof(weft_loopnest_term)),
                                       .terms_max = size,
                                       .buckets = malloc(2 * size * sizeof(uint16_t)),
                                       .buckets_max = 2 * size,
                                       .window = window,
                                       .depth_max = depth,
                                       .progress = progress};
    /* RAM holds garbage. */
    memset(d->config.terms, 0xa5, size * sizeof(weft_loopnest_term));
    memset(&d->nest, 0xa5, sizeof d->nest);
    return d;
}

static void drop(detector *d)
{
    free(d->config.terms);
    free(d->config.buckets);
    free(d);
}

/* Appends the symbols of the terms to the expanded stream, which may have `most` symbols in all. */
static bool take_back(const uint8_t *bytes, size_t size, size_t most)
{
    uint32_t beyond;
    terms_reader t;
    terms_start(&t, bytes, size);
    back_size += terms_read(&t, back + back_size, most - back_size);
    return t.reader.status == WEFT_OK && terms_read(&t, &beyond, 1) == 0 && t.reader.status == WEFT_OK;
}

static bool fence_stands(size_t room)
{
    for (size_t i = room; i < room + FENCE_SIZE; i++)
        if (out_bytes[i] != FENCE)
            return false;
    return true;
}

/* Runs `count` symbols of input through the detector in pieces of `room` bytes. True: the symbols come back, nothing
 * is written beyond the room, and no run or loop stays open for longer than `progress` symbols. */
static bool round_trip(detector *d, size_t count, size_t room)
{
    weft_writer out;
    size_t at = 0, since = 0;
    memset(out_bytes + room, FENCE, FENCE_SIZE);
    EXPECT(weft_loopnest_init(&d->nest, &d->config) == WEFT_OK);
    weft_writer_init(&out, out_bytes, room);
    back_size = 0;
    for (bool fresh = true; at < count;) {
        size_t size = out.size, next = d->nest.next;
        if (weft_loopnest_push(&d->nest, input[at], &out) == WEFT_OK) {
            since = size == out.size && next == d->nest.next && d->nest.open ? since + 1 : 0;
            EXPECT(d->config.progress == 0 || since <= d->config.progress);
            EXPECT(fence_stands(room));
            at++;
            fresh = false;
            continue;
        }
        EXPECT(!fresh); /* never WEFT_FULL on the first symbol */
        weft_loopnest_flush(&d->nest, &out);
        EXPECT(out.size <= room && fence_stands(room));
        EXPECT(take_back(out_bytes, out.size, count));
        weft_writer_init(&out, out_bytes, room);
        since = 0;
        fresh = true;
    }
    EXPECT(weft_loopnest_check(&d->nest, &out));
    weft_loopnest_flush(&d->nest, &out);
    EXPECT(out.size <= room && fence_stands(room));
    EXPECT(take_back(out_bytes, out.size, count));
    EXPECT(back_size == count && memcmp(back, input, count * sizeof *back) == 0);
    return true;
}

/* Whether the last 2 b terms are a square, b >= 2. */
static bool has_square(const detector *d, const weft_writer *out)
{
    const weft_loopnest *n = &d->nest;
    uint32_t terms = n->next - n->first < d->config.window ? n->next - n->first : d->config.window;
    const uint8_t *end = n->open == WEFT_LOOPNEST_LOOP ? n->level[0].header : out->bytes + out->size;
    for (uint32_t b = 2; 2 * b <= terms; b++) {
        const uint8_t *from = d->config.terms[(n->next - 2 * b) & n->terms_mask].start;
        const uint8_t *middle = d->config.terms[(n->next - b) & n->terms_mask].start;
        if (end - middle == middle - from && memcmp(from, middle, (size_t)(end - middle)) == 0)
            return true;
    }
    return false;
}

/* The detector finds all that the model finds; after each symbol its invariants hold and it leaves no square. */
static bool does_as_the_model(detector *d, size_t count)
{
    weft_writer out;
    EXPECT(weft_loopnest_init(&d->nest, &d->config) == WEFT_OK);
    weft_writer_init(&out, out_bytes, OUT_MAX);
    for (size_t i = 0; i < count; i++) {
        EXPECT(weft_loopnest_push(&d->nest, input[i], &out) == WEFT_OK);
        EXPECT(weft_loopnest_check(&d->nest, &out));
        EXPECT(d->config.depth_max < WEFT_LOOPNEST_DEPTH_MAX || !has_square(d, &out));
    }
    weft_loopnest_flush(&d->nest, &out);
    size_t size = loop_model(model_bytes, OUT_MAX, input, count, d->config.window, d->config.depth_max);
    EXPECT(size == out.size && memcmp(model_bytes, out_bytes, size) == 0);
    return true;
}

/* All strings of that length over that many symbols, which are 0, 1... or 0, 100... */
static bool strings_come_back(detector *const d[3], unsigned symbols, unsigned length)
{
    unsigned all = 1;
    for (unsigned i = 0; i < length; i++)
        all *= symbols;
    for (unsigned n = 0; n < 2 * all; n++) {
        for (unsigned i = 0, rest = n / 2; i < length; i++, rest /= symbols)
            input[i] = rest % symbols * (n & 1 ? 100 : 1);
        EXPECT(does_as_the_model(d[0], length) && round_trip(d[1], length, WEFT_LOOPNEST_OUT_MIN + n % 16) &&
               round_trip(d[2], length, OUT_MAX));
    }
    return true;
}

static void all_small_strings_come_back_and_give_what_the_model_gives(void)
{
    unsigned longest = check_amount(10, 12, 13);
    detector *d[] = {make(8, 8, 0), make(8, 1, 5), make(9, 2, 9)};
    for (unsigned symbols = 2; symbols <= 3; symbols++)
        for (unsigned length = 1; length <= longest - 3 * (symbols - 2); length++)
            CHECK(strings_come_back(d, symbols, length));
    for (unsigned i = 0; i < 3; i++)
        drop(d[i]);
}

/* A random nest of loops over few symbols, with breaks. */
static size_t random_nest(check_random *random, size_t at, size_t max, unsigned depth, unsigned symbols)
{
    unsigned terms = 1 + check_random_below(random, 5);
    for (unsigned i = 0; i < terms && at < max; i++) {
        size_t begin = at;
        if (depth && check_random_below(random, 2))
            at = random_nest(random, at, max, depth - 1, symbols);
        else
            input[at++] = check_random_below(random, symbols) * (symbols > 8 ? 0x12345671u : 1u);
        unsigned again = check_random_below(random, 3) ? 0 : check_random_below(random, 9);
        for (size_t size = at - begin; again && at + size <= max; again--, at += size)
            memcpy(input + at, input + begin, size * sizeof *input);
    }
    return at;
}

static void random_nests_come_back_at_all_sizes(void)
{
    static const uint32_t windows[] = {8, 9, 15, 16, 32, 100, 128, 512, 4096};
    check_random random = {17};
    unsigned rounds = check_amount(20, 100, 200);
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++)
        for (unsigned round = 0; round < rounds; round++) {
            unsigned progress = check_random_below(&random, 2) ? 0 : 1 + check_random_below(&random, 1000);
            detector *d = make(windows[w], 1 + check_random_below(&random, 8), progress);
            size_t count = 0;
            while (count < 3000)
                count = random_nest(&random, count, 4000, 4, 2 + check_random_below(&random, 12));
            size_t room =
                check_random_below(&random, 2) ? OUT_MAX : WEFT_LOOPNEST_OUT_MIN + check_random_below(&random, 400);
            if (!round_trip(d, count, room))
                return;
            drop(d);
        }
}

static void random_nests_give_what_the_model_gives(void)
{
    static const uint32_t windows[] = {8, 9, 16, 33, 64, 200};
    check_random random = {23};
    for (unsigned round = 0; round < check_amount(60, 300, 600); round++) {
        detector *d = make(windows[round % 6], round & 1 ? 8 : 1 + check_random_below(&random, 4), 0);
        size_t count = 0;
        while (count < 500)
            count = random_nest(&random, count, 1000, 4, 2 + check_random_below(&random, 10));
        if (!does_as_the_model(d, count))
            return;
        drop(d);
    }
}

/* A run of a symbol; with `inner`, each followed by the next symbol, once more than it repeats. The new count. */
static size_t add_term(size_t count, uint32_t symbol, uint32_t times, bool inner)
{
    for (uint32_t i = 0; i < times + inner; i++) {
        input[count++] = symbol;
        if (inner)
            input[count++] = symbol + 1;
    }
    return count;
}

/* A body comes three times after other symbols. It has W/2 runs of different symbols, or fewer runs and inner loops of
 * two terms, which take four places until they are found. */
static void a_body_of_half_a_window_is_found(void)
{
    check_random random = {5};
    for (unsigned round = 0; round < 300; round++) {
        uint32_t window = 8 + check_random_below(&random, round & 1 ? 20 : 500), inners = round & 2;
        uint32_t terms = inners ? (window - 3) / 2 : window / 2;
        detector *d = make(window, 8, 0);
        size_t before = check_random_below(&random, 50), count = before;
        for (size_t i = 0; i < before; i++)
            input[i] = 1 + check_random_below(&random, 3);
        for (uint32_t term = 0; term < terms; term++) {
            uint32_t times = 1 + check_random_below(&random, 3);
            bool inner = inners && check_random_below(&random, 3) == 0;
            count = add_term(count, 100 + 2 * term, times, inner);
        }
        size_t body = count - before;
        memcpy(input + count, input + before, body * sizeof *input);
        memcpy(input + count + body, input + before, body * sizeof *input);
        CHECK(round_trip(d, before, OUT_MAX));
        weft_writer out;
        CHECK_EQ(weft_loopnest_init(&d->nest, &d->config), WEFT_OK);
        weft_writer_init(&out, out_bytes, OUT_MAX);
        for (size_t i = 0; i < before + 3 * body; i++)
            CHECK_EQ(weft_loopnest_push(&d->nest, input[i], &out), WEFT_OK);
        CHECK_EQ(d->nest.open, WEFT_LOOPNEST_LOOP);
        CHECK_EQ(d->nest.level[0].terms, terms);
        CHECK_EQ(d->nest.level[0].left + 1, 3);
        drop(d);
    }
}

/* Three iterations of each of `levels` loops around some symbols, broken off in the innermost. The count. */
static size_t broken_nest(unsigned levels, unsigned symbols)
{
    size_t count = 0;
    for (unsigned i = 0; i < symbols; i++)
        input[count++] = 100 + i;
    for (unsigned level = 1; level < levels; level++) {
        for (unsigned again = 0; again < 2; again++)
            memcpy(input + count + again * count, input, count * sizeof *input);
        count *= 3;
        input[count++] = 200 + level;
    }
    memcpy(input + count, input, count * sizeof *input);
    memcpy(input + 2 * count, input, count * sizeof *input);
    count = 3 * count - levels; /* without the last symbol of each level, and one symbol of the innermost */
    input[count++] = 300;
    return count;
}

static bool fits_in_any_room(detector *d, size_t count)
{
    for (size_t room = WEFT_LOOPNEST_OUT_MIN; room < 600; room++)
        EXPECT(round_trip(d, count, room));
    return true;
}

/* Loops that nest and break off in the innermost one, in every room. The part that had passed is longer than the
 * outermost body. */
static void a_nest_that_breaks_off_fits_in_any_room(void)
{
    for (unsigned levels = 2; levels <= 4; levels++)
        for (unsigned symbols = 2; symbols <= 30; symbols += 7) {
            detector *d = make(128, 8, 0);
            CHECK(fits_in_any_room(d, broken_nest(levels, symbols)));
            drop(d);
        }
}

static void hostile_strings_come_back(void)
{
    for (unsigned kind = 0; kind < HOSTILE_KINDS; kind++) {
        hostile(input, kind, INPUT_MAX / 4);
        for (uint32_t window = 8; window <= 512; window *= 4) {
            detector *d = make(window, 6, 1000);
            if (!round_trip(d, INPUT_MAX / 4, OUT_MAX))
                return;
            drop(d);
        }
    }
}

static void the_same_stream_gives_the_same_bytes(void)
{
    static uint8_t first[OUT_MAX];
    check_random random = {31};
    size_t count = 0;
    while (count < 20000)
        count = random_nest(&random, count, 30000, 4, 5);
    memset(out_bytes, 0, sizeof out_bytes);
    detector *d = make(64, 6, 500);
    CHECK(round_trip(d, count, OUT_MAX));
    memcpy(first, out_bytes, sizeof first);
    drop(d);
    memset(out_bytes, 0, sizeof out_bytes);
    d = make(64, 6, 500);
    memset(d->config.terms, 0x5a, 64 * sizeof *d->config.terms); /* other garbage */
    CHECK(round_trip(d, count, OUT_MAX));
    CHECK(memcmp(first, out_bytes, sizeof first) == 0);
    drop(d);
}

static void visit_symbol(void *open, uint32_t symbol)
{
    (void)open, (void)symbol;
}

static void visit_open(void *open, uint32_t iterations)
{
    *(int64_t *)open += iterations > 0;
}

static void visit_close(void *open)
{
    --*(int64_t *)open;
}

static void damaged_terms_never_run_away(void)
{
    check_random random = {77};
    uint8_t bytes[40];
    for (unsigned round = 0; round < 200000; round++) {
        size_t size = check_random_below(&random, sizeof bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)(check_random_next(&random) >> (round & 1 ? 24 : 29));
        static uint32_t symbols[1000];
        terms_reader t;
        terms_start(&t, bytes, size);
        size_t count = terms_read(&t, symbols, WEFT_COUNT(symbols));
        CHECK(t.reader.status == WEFT_OK || t.reader.status == WEFT_CORRUPT);
        CHECK(count <= WEFT_COUNT(symbols));
        int64_t open = 0;
        const terms_visitor visitor = {&open, visit_symbol, visit_open, visit_close};
        CHECK(terms_visit(bytes, size, &visitor) == WEFT_CORRUPT ? open >= 0 : open == 0);
    }
}

int main(void)
{
    RUN(all_small_strings_come_back_and_give_what_the_model_gives);
    RUN(random_nests_come_back_at_all_sizes);
    RUN(random_nests_give_what_the_model_gives);
    RUN(a_body_of_half_a_window_is_found);
    RUN(a_nest_that_breaks_off_fits_in_any_room);
    RUN(hostile_strings_come_back);
    RUN(the_same_stream_gives_the_same_bytes);
    RUN(damaged_terms_never_run_away);
    return check_failed();
}
