/* SPDX-License-Identifier: MIT */
/* The windowed detector on all small strings, random ones and hostile ones: what it writes expands to the input, and no
 * repetition that fits half a window is left. */
#include <stdlib.h>
#include <string.h>

#include "core/loopnest.h"
#include "tests/lib/check.h"
#include "tools/lib/loopterms.h"

enum { INPUT_MAX = 200000, OUT_MAX = 6 * INPUT_MAX };

static uint32_t input[INPUT_MAX], back[INPUT_MAX];
static size_t back_size;
static uint8_t out_bytes[OUT_MAX];

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

static detector *make(uint32_t window, uint32_t slots, uint32_t depth, uint32_t progress)
{
    detector *d = calloc(1, sizeof *d);
    uint32_t size = power_of_two(window);
    d->config = (weft_loopnest_config){.terms = malloc(size * sizeof(weft_loopnest_term)),
                                       .terms_max = size,
                                       .slots = malloc(slots * sizeof(weft_loopnest_slot)),
                                       .slots_max = slots,
                                       .buckets = malloc(size * sizeof(uint16_t)),
                                       .buckets_max = size,
                                       .window = window,
                                       .depth_max = depth,
                                       .progress = progress};
    /* RAM holds garbage. */
    memset(d->config.terms, 0xa5, size * sizeof(weft_loopnest_term));
    memset(d->config.slots, 0xa5, slots * sizeof(weft_loopnest_slot));
    memset(&d->nest, 0xa5, sizeof d->nest);
    return d;
}

static void drop(detector *d)
{
    free(d->config.terms);
    free(d->config.slots);
    free(d->config.buckets);
    free(d);
}

static void collect(void *context, uint32_t symbol)
{
    (void)context;
    back[back_size++] = symbol;
}

/* Runs `count` symbols of input through the detector in pieces of `room` bytes; true if they come back. */
static bool round_trip(detector *d, size_t count, size_t room)
{
    weft_writer out;
    size_t at = 0;
    uint64_t expanded;
    EXPECT(weft_loopnest_init(&d->nest, &d->config) == WEFT_OK);
    weft_writer_init(&out, out_bytes, room);
    back_size = 0;
    for (bool fresh = true; at < count;) {
        if (weft_loopnest_push(&d->nest, input[at], &out) == WEFT_OK) {
            at++;
            fresh = false;
            continue;
        }
        EXPECT(!fresh); /* never WEFT_FULL on the first symbol */
        weft_loopnest_flush(&d->nest, &out);
        EXPECT(out.status == WEFT_OK);
        EXPECT(loopterms_expand(out_bytes, out.size, count, collect, NULL, &expanded) == WEFT_OK);
        weft_writer_init(&out, out_bytes, room);
        fresh = true;
    }
    EXPECT(weft_loopnest_check(&d->nest));
    weft_loopnest_flush(&d->nest, &out);
    EXPECT(out.status == WEFT_OK);
    EXPECT(loopterms_expand(out_bytes, out.size, count, collect, NULL, &expanded) == WEFT_OK);
    EXPECT(back_size == count && memcmp(back, input, count * sizeof *back) == 0);
    return true;
}

/* Slots of the window from the oldest on, with the number of terms; then whether the last 2 b terms are a square. */
static bool has_square(const detector *d)
{
    const weft_loopnest *n = &d->nest;
    unsigned terms = (uint16_t)(n->next - n->first);
    for (unsigned b = 1; 2 * b <= terms; b++) {
        uint16_t starts[3];
        for (unsigned i = 0; i < 3; i++) {
            uint16_t p = (uint16_t)(n->next - (2 - i) * b);
            starts[i] = i == 2 ? n->slot_next : n->terms[p & (n->terms_mask)].start;
        }
        unsigned size = (uint16_t)(starts[1] - starts[0]);
        if ((uint16_t)(starts[2] - starts[1]) != size)
            continue;
        unsigned same = 0;
        for (; same < size; same++) {
            const weft_loopnest_slot *x = &n->slots[(uint16_t)(starts[0] + same) & (n->slots_mask)];
            const weft_loopnest_slot *y = &n->slots[(uint16_t)(starts[1] + same) & (n->slots_mask)];
            if (x->value != y->value || x->length != y->length)
                break;
        }
        if (same == size)
            return true;
    }
    return false;
}

static bool finds_every_square(detector *d, size_t count)
{
    weft_writer out;
    EXPECT(weft_loopnest_init(&d->nest, &d->config) == WEFT_OK);
    weft_writer_init(&out, out_bytes, OUT_MAX);
    for (size_t i = 0; i < count; i++) {
        EXPECT(weft_loopnest_push(&d->nest, input[i], &out) == WEFT_OK);
        EXPECT(!has_square(d));
    }
    return true;
}

static void all_small_strings_come_back_and_leave_no_square(void)
{
    detector *d = make(8, 64, 8, 0);
    unsigned longest = check_quick() ? 10 : 13;
    for (unsigned symbols = 2; symbols <= 3; symbols++)
        for (unsigned length = 1; length <= longest - 3 * (symbols - 2); length++) {
            unsigned all = 1;
            for (unsigned i = 0; i < length; i++)
                all *= symbols;
            for (unsigned n = 0; n < all; n++) {
                for (unsigned i = 0, rest = n; i < length; i++, rest /= symbols)
                    input[i] = rest % symbols;
                if (!round_trip(d, length, OUT_MAX) || !finds_every_square(d, length))
                    return;
            }
        }
    drop(d);
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
            input[at++] = check_random_below(random, symbols) * (symbols > 8 ? 0x1234567u : 1u);
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
    unsigned rounds = check_quick() ? 5 : 40;
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++)
        for (unsigned round = 0; round < rounds; round++) {
            uint32_t slots = 32u << check_random_below(&random, 9);
            unsigned progress = check_random_below(&random, 2) ? 0 : windows[w] + check_random_below(&random, 1000);
            detector *d = make(windows[w], slots, 1 + check_random_below(&random, 8), progress);
            size_t count = 0;
            while (count < 3000)
                count = random_nest(&random, count, 4000, 4, 2 + check_random_below(&random, 12));
            size_t room = check_random_below(&random, 2) ? OUT_MAX : WEFT_LOOPNEST_OUT_MIN + check_random_below(&random, 400);
            if (!round_trip(d, count, room))
                return;
            drop(d);
        }
}

static void random_nests_leave_no_square(void)
{
    check_random random = {23};
    for (unsigned round = 0; round < (check_quick() ? 10u : 100u); round++) {
        detector *d = make(16u << check_random_below(&random, 3), 4096, 8, 0);
        size_t count = 0;
        while (count < 500)
            count = random_nest(&random, count, 1000, 4, 2 + check_random_below(&random, 4));
        if (!finds_every_square(d, count))
            return;
        drop(d);
    }
}

static void a_body_of_half_a_window_over_two_symbols_is_found(void)
{
    check_random random = {5};
    for (unsigned round = 0; round < 50; round++) {
        detector *d = make(512, 4096, 8, 0);
        unsigned body = 20 + check_random_below(&random, 230), times = 3 + check_random_below(&random, 20);
        for (unsigned i = 0; i < body; i++)
            input[i] = check_random_below(&random, 2);
        for (unsigned i = body; i < body * times; i++)
            input[i] = input[i - body];
        weft_writer out;
        CHECK_EQ(weft_loopnest_init(&d->nest, &d->config), WEFT_OK);
        weft_writer_init(&out, out_bytes, OUT_MAX);
        for (unsigned i = 0; i < body * times; i++)
            CHECK_EQ(weft_loopnest_push(&d->nest, input[i], &out), WEFT_OK);
        weft_loopnest_flush(&d->nest, &out);
        /* The body once, what stands around the loop because inner loops run over its ends, and the count. */
        CHECK(out.size <= 4 * body + 16);
        CHECK(round_trip(d, body * times, OUT_MAX));
        drop(d);
    }
}

/* The number of ones in n, mod 2: Thue-Morse; else Fibonacci's word; else one symbol; else random. */
static void hostile(unsigned kind, size_t count)
{
    check_random random = {kind + 1};
    input[0] = 0;
    input[1] = 1;
    size_t a = 1, b = 2; /* lengths of two Fibonacci words */
    for (size_t i = 0; i < count; i++) {
        if (kind == 0)
            input[i] = (uint32_t)__builtin_parityll(i);
        else if (kind == 1 && i >= b) {
            size_t next = a + b;
            a = b;
            b = next;
        }
        if (kind == 1 && i >= 2)
            input[i] = input[i - a];
        if (kind == 2)
            input[i] = 7;
        if (kind == 3)
            input[i] = check_random_below(&random, 2);
        if (kind == 4)
            input[i] = i % 3 == 0 ? (uint32_t)i : 1; /* one symbol everywhere, never a loop */
    }
}

static void hostile_strings_come_back(void)
{
    for (unsigned kind = 0; kind < 5; kind++) {
        hostile(kind, INPUT_MAX / 4);
        for (uint32_t window = 8; window <= 512; window *= 4) {
            detector *d = make(window, 2 * window < 32 ? 32 : 2 * window, 6, 1000);
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
    detector *d = make(64, 256, 6, 500);
    CHECK(round_trip(d, count, OUT_MAX));
    memcpy(first, out_bytes, sizeof first);
    drop(d);
    memset(out_bytes, 0, sizeof out_bytes);
    d = make(64, 256, 6, 500);
    CHECK(round_trip(d, count, OUT_MAX));
    CHECK(memcmp(first, out_bytes, sizeof first) == 0);
    drop(d);
}

static void damaged_terms_never_run_away(void)
{
    check_random random = {77};
    uint8_t bytes[40];
    for (unsigned round = 0; round < 200000; round++) {
        size_t size = check_random_below(&random, sizeof bytes);
        uint64_t count;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)(check_random_next(&random) >> (round & 1 ? 24 : 29));
        weft_status status = loopterms_expand(bytes, size, 1000, NULL, NULL, &count);
        CHECK(status == WEFT_OK || status == WEFT_CORRUPT || status == WEFT_FULL);
        CHECK(count <= 1000);
    }
}

int main(void)
{
    RUN(all_small_strings_come_back_and_leave_no_square);
    RUN(random_nests_come_back_at_all_sizes);
    RUN(random_nests_leave_no_square);
    RUN(a_body_of_half_a_window_over_two_symbols_is_found);
    RUN(hostile_strings_come_back);
    RUN(the_same_stream_gives_the_same_bytes);
    RUN(damaged_terms_never_run_away);
    return check_failed();
}
