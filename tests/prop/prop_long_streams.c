/* SPDX-License-Identifier: MIT */
/* Streams of about 2^31 and 2^32 symbols, and one of 2^40, as grammars whose rules double: (ab)(ab)..., and c at the
 * end where the length is odd. They take almost no memory, and their counts are known. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/grammar/hot.h"
#include "tools/lib/grammar/wpp.h"

static const uint64_t lengths[] = {
    (UINT64_C(1) << 31) - 1, UINT64_C(1) << 31,       (UINT64_C(1) << 31) + 1, (UINT64_C(1) << 32) - 1,
    UINT64_C(1) << 32,       (UINT64_C(1) << 32) + 1, UINT64_C(1) << 40,
};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Rules are numbered as the walk meets them: rule 1 is the longest, and each is the next one twice. */
static grammar *doubled(uint64_t length)
{
    unsigned top = 63 - (unsigned)__builtin_clzll(length);
    grammar *g = calloc(1, sizeof *g);
    g->rules = top + (size_t)1;
    g->start = calloc(g->rules + 1, sizeof *g->start);
    g->symbols = calloc(2 * (size_t)top + 65, sizeof *g->symbols);
    g->terminals = calloc(3, sizeof *g->terminals);
    memcpy(g->terminals, (uint32_t[]){'a', 'b', 'c'}, 3 * sizeof *g->terminals);
    g->terminal_count = 2 + (length & 1);
    size_t at = 0;
    for (unsigned bit = top; bit > 0; bit--)
        if (length >> bit & 1)
            g->symbols[at++] = GRAMMAR_RULE | (top - bit + 1);
    if (length & 1)
        g->symbols[at++] = 2;
    for (unsigned rule = 1; rule <= top; rule++) {
        g->start[rule] = at;
        g->symbols[at++] = rule < top ? GRAMMAR_RULE | (rule + 1) : 0;
        g->symbols[at++] = rule < top ? GRAMMAR_RULE | (rule + 1) : 1;
    }
    g->start[g->rules] = at;
    return g;
}

static void their_length_is_known(void)
{
    for (unsigned i = 0; i < LENGTHS; i++) {
        grammar *g = doubled(lengths[i]);
        CHECK(grammar_measure(g) && g->length == lengths[i]);
        size_t count;
        uint32_t *order = grammar_order(g, &count);
        uint64_t *frequency = grammar_frequencies(g, order, count);
        CHECK(frequency[g->rules - 1] == lengths[i] / 2); /* of the rule ab */
        free(frequency);
        free(order);
        grammar_free(g);
    }
}

static void their_files_come_back_or_are_refused_by_a_limit(void)
{
    for (unsigned i = 0; i < LENGTHS; i++) {
        grammar *g = doubled(lengths[i]);
        CHECK(grammar_measure(g));
        size_t size;
        uint8_t *bytes = wpp_write(g, false, NULL, &size);
        CHECK(!wpp_read(bytes, size, lengths[i] - 1));
        grammar *back = wpp_read(bytes, size, lengths[i]);
        CHECK(back && back->length == lengths[i] && back->rules == g->rules);
        CHECK(back && !memcmp(back->symbols, g->symbols, grammar_symbols(g) * sizeof *g->symbols));
        free(bytes);
        grammar_free(back);
        grammar_free(g);
    }
}

/* The first symbols of a walk; a walk to the end would take minutes. */
static void a_walk_begins_right(void)
{
    for (unsigned i = 0; i < LENGTHS; i++) {
        grammar *g = doubled(lengths[i]);
        CHECK(grammar_measure(g));
        uint32_t symbols[1000];
        grammar_walk *walk = grammar_walk_open(g);
        CHECK(grammar_walk_read(walk, symbols, 1000) > 0);
        for (unsigned k = 0; k < 100; k++)
            CHECK(symbols[k] == (k % 2 ? 'b' : 'a'));
        grammar_walk_close(walk);
        grammar_free(g);
    }
}

/* `ab` begins at each even place. `ba` overlaps it everywhere, so it is not reported. */
static void hot_subpaths_are_counted_beyond_32_bits(size_t levels)
{
    for (unsigned i = 0; i < LENGTHS; i++) {
        grammar *g = doubled(lengths[i]);
        CHECK(grammar_measure(g));
        uint64_t count = lengths[i] / 2;
        hot_options options = {.min_cost = count, .min_length = 2, .max_length = 2, .levels = levels};
        hot_paths paths;
        CHECK(hot_find(g, &options, &paths) == HOT_FOUND && paths.count == 1);
        const hot_path *ab = &paths.all[0];
        CHECK(ab->length == 2 && ab->symbols[0] == 0 && ab->symbols[1] == 1);
        CHECK(ab->count == count && ab->cost == 2 * count);
        CHECK(hot_stream_cost(g, NULL) == lengths[i]);
        hot_free(&paths);
        grammar_free(g);
    }
}

static void short_subpaths_are_counted(void)
{
    hot_subpaths_are_counted_beyond_32_bits(HOT_LEVELS);
}

static void sorted_subpaths_are_counted(void)
{
    hot_subpaths_are_counted_beyond_32_bits(0);
}

/* 2^63 symbols are one more than a length holds. */
static void longer_ones_are_refused(void)
{
    grammar *g = doubled(UINT64_C(1) << 62);
    CHECK(grammar_measure(g) && g->length == UINT64_C(1) << 62);
    grammar_free(g);
    g = doubled(UINT64_C(1) << 63);
    CHECK(!grammar_measure(g));
    grammar_free(g);
}

int main(void)
{
    RUN(their_length_is_known);
    RUN(their_files_come_back_or_are_refused_by_a_limit);
    RUN(a_walk_begins_right);
    RUN(short_subpaths_are_counted);
    RUN(sorted_subpaths_are_counted);
    RUN(longer_ones_are_refused);
    return check_failed();
}
