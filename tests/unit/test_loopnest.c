/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/loopnest.h"
#include "tests/lib/check.h"

/* ---- a small decoder of its own: writes the nest as text, a symbol as its character */

static char text[160];
static size_t text_size;

static void put(char c)
{
    if (text_size < sizeof text - 1)
        text[text_size++] = c;
    text[text_size] = 0;
}

static void put_number(uint32_t n)
{
    char digits[10];
    int count = 0;
    do
        digits[count++] = (char)('0' + n % 10);
    while (n /= 10);
    while (count)
        put(digits[--count]);
}

static void print_terms(const uint8_t *bytes, size_t size)
{
    uint32_t left[16], counts[16];
    int depth = 0;
    weft_reader reader;
    weft_reader_init(&reader, bytes, size);
    while (weft_reader_left(&reader)) {
        uint32_t word = weft_read_varint(&reader);
        if (depth)
            left[depth - 1]--;
        if (word & 1) {
            left[depth] = word >> 1;
            counts[depth++] = weft_read_varint(&reader);
            put('(');
        } else {
            put((char)(word >> 1));
        }
        for (; depth && left[depth - 1] == 0; depth--) {
            put(')');
            put('^');
            put_number(counts[depth - 1]);
        }
    }
}

WEFT_LOOPNEST_DEF(nest, 32, 6);

/* The nest that a window of `window` terms gives for `symbols`. */
static const char *loops(const char *symbols, uint32_t window, uint32_t depth, uint32_t progress)
{
    static uint8_t bytes[300];
    weft_loopnest_config config = nest_config;
    weft_writer out;
    config.window = window;
    config.depth_max = depth;
    config.progress = progress;
    text_size = 0;
    text[0] = 0;
    weft_writer_init(&out, bytes, sizeof bytes);
    if (weft_loopnest_init(&nest, &config) != WEFT_OK)
        return "init failed";
    for (; *symbols; symbols++) {
        if (weft_loopnest_push(&nest, (uint8_t)*symbols, &out) != WEFT_OK)
            return "push failed";
        if (!weft_loopnest_check(&nest, &out))
            return "invariant broken";
    }
    weft_loopnest_flush(&nest, &out);
    if (out.status != WEFT_OK)
        return "flush failed";
    print_terms(bytes, out.size);
    return text;
}

static void a_repeated_symbol_is_a_loop(void)
{
    CHECK(strcmp(loops("aaaa", 8, 6, 0), "(a)^4") == 0);
    CHECK(strcmp(loops("a", 8, 6, 0), "a") == 0);
    CHECK(strcmp(loops("", 8, 6, 0), "") == 0);
}

static void loops_nest_and_counts_grow(void)
{
    CHECK(strcmp(loops("EababababFEababababFEababababF", 16, 6, 0), "(E(ab)^4F)^3") == 0);
    CHECK(strcmp(loops("abcbcabcbcabcbcd", 16, 6, 0), "(a(bc)^2)^3d") == 0);
    /* an inner loop of one symbol, then one symbol: both loops are due at the same place */
    CHECK(strcmp(loops("abbbcabbbcabbbc", 16, 6, 0), "(a(b)^3c)^3") == 0);
}

/* The example of core/loopnest.h. */
static void a_nest_that_breaks_off_keeps_its_inner_loop(void)
{
    CHECK(strcmp(loops("ababc", 16, 4, 0), "(ab)^2c") == 0);
    CHECK(strcmp(loops("ababcababc", 16, 4, 0), "((ab)^2c)^2") == 0); /* the flush closes c */
    CHECK(strcmp(loops("ababcababca", 16, 4, 0), "((ab)^2c)^2a") == 0);
    CHECK(strcmp(loops("ababcababcababd", 16, 4, 0), "((ab)^2c)^2(ab)^2d") == 0);
}

static void three_levels_are_found(void)
{
    CHECK(strcmp(loops("xaabaabyxaabaabyxaabaabyz", 32, 6, 0), "(x((a)^2b)^2y)^3z") == 0);
}

static void nesting_stops_at_the_depth_that_is_configured(void)
{
    CHECK(strcmp(loops("aabaab", 16, 2, 0), "((a)^2b)^2") == 0);
    CHECK(strcmp(loops("aabaab", 16, 1, 0), "(a)^2b(a)^2b") == 0);
}

static void a_body_of_half_a_window_is_found_and_a_longer_one_is_not(void)
{
    CHECK(strcmp(loops("abcdabcd", 8, 6, 0), "(abcd)^2") == 0);
    CHECK(strcmp(loops("abcdeabcde", 8, 6, 0), "abcdeabcde") == 0);
    CHECK(strcmp(loops("abbbccccdabbbccccd", 8, 6, 0), "(a(b)^3(c)^4d)^2") == 0);
}

static void a_running_loop_is_written_as_it_goes(void)
{
    /* (ab)^2 is found at the third a and goes on for 8 symbols; then a second loop is found */
    CHECK(strcmp(loops("xabababababababababababz", 8, 6, 8), "x(ab)^6(ab)^5z") == 0);
    CHECK(strcmp(loops("xaaaaaaaaaab", 8, 6, 8), "x(a)^8(a)^2b") == 0);
}

static void what_passed_of_a_body_that_breaks_off_is_kept(void)
{
    CHECK(strcmp(loops("abcabcabx", 16, 6, 0), "(abc)^2abx") == 0);
    /* breaks off in the second iteration of the inner loop, and with one symbol or none of the third */
    CHECK(strcmp(loops("xabababyxabababyxabababababyz", 32, 6, 0), "(x(ab)^3y)^2x(ab)^5yz") == 0);
    CHECK(strcmp(loops("xabababyxabababyxababbz", 32, 6, 0), "(x(ab)^3y)^2x(ab)^2bz") == 0);
    CHECK(strcmp(loops("xabababyxabababyxabaz", 32, 6, 0), "(x(ab)^3y)^2xabaz") == 0);
    /* breaks off in a run, which goes on longer or ends early */
    CHECK(strcmp(loops("xaaayxaaayxaaaaay", 32, 6, 0), "(x(a)^3y)^2x(a)^5y") == 0);
    CHECK(strcmp(loops("xaaayxaaayxaay", 32, 6, 0), "(x(a)^3y)^2x(a)^2y") == 0);
    /* the part that passed begins a loop with what follows */
    CHECK(strcmp(loops("xabyxabyxababababz", 32, 6, 0), "(xaby)^2x(ab)^4z") == 0);
}

static void two_small_symbols_are_shorter_than_a_loop(void)
{
    CHECK(strcmp(loops("11a11a22222b", 16, 6, 0), "(11a)^2(2)^5b") == 0);
    CHECK(strcmp(loops("@@??", 16, 6, 0), "(@)^2??") == 0); /* 64, and 63, the last small one */
    CHECK(strcmp(loops("x11yx11yx11z", 16, 6, 0), "(x11y)^2x11z") == 0);
    CHECK(strcmp(loops("x11yx11yx1z", 16, 6, 0), "(x11y)^2x1z") == 0);
    CHECK(strcmp(loops("x11yx11yx111z", 16, 6, 0), "(x11y)^2x(1)^3z") == 0);
}

static void output_that_has_no_room_is_refused_and_nothing_is_lost(void)
{
    uint8_t bytes[WEFT_LOOPNEST_OUT_MIN];
    weft_writer out;
    unsigned flushes = 0;
    CHECK_EQ(weft_loopnest_init(&nest, &nest_config), WEFT_OK);
    text_size = 0;
    weft_writer_init(&out, bytes, sizeof bytes);
    for (const char *s = "abcabcxyzxyzxyzpq"; *s;) {
        if (weft_loopnest_push(&nest, (uint8_t)*s, &out) == WEFT_OK) {
            s++;
            continue;
        }
        weft_loopnest_flush(&nest, &out);
        CHECK_EQ(out.status, WEFT_OK);
        print_terms(bytes, out.size);
        weft_writer_init(&out, bytes, sizeof bytes);
        CHECK(++flushes < 20);
    }
    weft_loopnest_flush(&nest, &out);
    print_terms(bytes, out.size);
    CHECK(flushes > 0);
    CHECK(strcmp(text, "abcabcxyzxyzxyzpq") == 0); /* no room for a loop in 20 bytes: pieces of a few symbols */
}

static void symbols_of_all_sizes_are_written_whole(void)
{
    static const uint32_t symbols[] = {0,        63,        64, 8191, 8192, (1u << 20) - 1, 1u << 20, (1u << 27) - 1,
                                       1u << 27, UINT32_MAX};
    uint8_t bytes[128];
    weft_writer out;
    weft_reader reader;
    CHECK_EQ(weft_loopnest_init(&nest, &nest_config), WEFT_OK);
    weft_writer_init(&out, bytes, sizeof bytes);
    for (unsigned i = 0; i < WEFT_COUNT(symbols); i++)
        CHECK_EQ(weft_loopnest_push(&nest, symbols[i], &out), WEFT_OK);
    weft_loopnest_flush(&nest, &out);
    CHECK_EQ(out.status, WEFT_OK);
    weft_reader_init(&reader, bytes, out.size);
    for (unsigned i = 0; i < WEFT_COUNT(symbols); i++)
        CHECK(weft_read_varint64(&reader) == (uint64_t)symbols[i] << 1);
    CHECK_EQ(weft_reader_left(&reader), 0);
}

static void sizes_that_cannot_work_are_refused(void)
{
    weft_loopnest_config config = nest_config;
    config.window = 7;
    CHECK_EQ(weft_loopnest_init(&nest, &config), WEFT_CONFIG);
    config.window = 33; /* more than there are terms */
    CHECK_EQ(weft_loopnest_init(&nest, &config), WEFT_CONFIG);
    config = nest_config;
    config.buckets_max = 48;
    CHECK_EQ(weft_loopnest_init(&nest, &config), WEFT_CONFIG);
    config = nest_config;
    config.depth_max = 0;
    CHECK_EQ(weft_loopnest_init(&nest, &config), WEFT_CONFIG);
    config = nest_config;
    config.buckets = NULL;
    CHECK_EQ(weft_loopnest_init(&nest, &config), WEFT_CONFIG);
}

/* A symbol is a varint of its double: 7 bits of that a byte. */
static void symbols_take_as_few_bytes_as_they_can(void)
{
    static const uint32_t most[] = {0x3f, 0x1fff, 0xfffff, 0x7ffffff};
    WEFT_LOOPNEST_DEF(one, 16, 4);
    for (unsigned i = 0; i < WEFT_COUNT(most); i++)
        for (uint32_t more = 0; more < 2; more++) {
            uint8_t bytes[WEFT_LOOPNEST_OUT_MIN];
            weft_writer out;
            weft_writer_init(&out, bytes, sizeof bytes);
            CHECK_EQ(weft_loopnest_init(&one, &one_config), WEFT_OK);
            CHECK_EQ(weft_loopnest_push(&one, most[i] + more, &out), WEFT_OK);
            weft_loopnest_flush(&one, &out);
            CHECK_EQ(out.size, i + 1 + more);
        }
}

/* The limits that core/loopnest.h states, and one more of each. */
static void the_largest_sizes_are_taken(void)
{
    weft_loopnest_config config = nest_config;
    config.depth_max = 8;
    config.progress = 134217727;
    CHECK_EQ(weft_loopnest_init(&nest, &config), WEFT_OK);
    config.depth_max = 9;
    CHECK_EQ(weft_loopnest_init(&nest, &config), WEFT_CONFIG);
    config = nest_config;
    config.progress = 134217728;
    CHECK_EQ(weft_loopnest_init(&nest, &config), WEFT_CONFIG);
}

/* With what WEFT_LOOPNEST_DEF sets. */
static void a_run_is_written_after_65536_symbols(void)
{
    uint8_t bytes[64];
    weft_writer out;
    CHECK_EQ(weft_loopnest_init(&nest, &nest_config), WEFT_OK);
    weft_writer_init(&out, bytes, sizeof bytes);
    for (uint32_t i = 1; i < 65536; i++)
        CHECK_EQ(weft_loopnest_push(&nest, 5, &out), WEFT_OK);
    CHECK_EQ(out.size, 0);
    CHECK_EQ(weft_loopnest_push(&nest, 5, &out), WEFT_OK);
    CHECK(out.size > 0);
}

int main(void)
{
    RUN(the_largest_sizes_are_taken);
    RUN(a_run_is_written_after_65536_symbols);
    RUN(symbols_take_as_few_bytes_as_they_can);
    RUN(a_repeated_symbol_is_a_loop);
    RUN(loops_nest_and_counts_grow);
    RUN(a_nest_that_breaks_off_keeps_its_inner_loop);
    RUN(three_levels_are_found);
    RUN(nesting_stops_at_the_depth_that_is_configured);
    RUN(a_body_of_half_a_window_is_found_and_a_longer_one_is_not);
    RUN(a_running_loop_is_written_as_it_goes);
    RUN(what_passed_of_a_body_that_breaks_off_is_kept);
    RUN(two_small_symbols_are_shorter_than_a_loop);
    RUN(output_that_has_no_room_is_refused_and_nothing_is_lost);
    RUN(symbols_of_all_sizes_are_written_whole);
    RUN(sizes_that_cannot_work_are_refused);
    return check_failed();
}
