/* SPDX-License-Identifier: MIT */
/* Hot subpaths against all substrings of the stream. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tests/lib/segments.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/grammar/hot.h"
#include "tools/lib/grammar/sequitur.h"

/* Terminals are numbered in the order of their appearance; the stream in these numbers: */
static uint32_t numbered[INPUT_MAX];

static unsigned __int128 cost_of_symbols(const hot_options *o, const uint32_t *path, size_t length)
{
    unsigned __int128 cost = 0;
    for (size_t s = 0; s < length; s++)
        cost += o->costs ? o->costs[path[s]] : 1;
    return cost;
}

static uint64_t plain_count(const uint32_t *path, size_t length)
{
    uint64_t count = 0;
    for (size_t i = 0; i + length <= stream_size; i++)
        count += !memcmp(numbered + i, path, length * sizeof *path);
    return count;
}

/* The length of the shortest hot subpath at the begin of the symbols; 0: none. */
static size_t plain_word(const hot_options *o, const uint32_t *path, size_t length_max)
{
    for (size_t length = o->min_length; length <= o->max_length && length <= length_max; length++)
        if (plain_count(path, length) * cost_of_symbols(o, path, length) >= o->min_cost)
            return length;
    return 0;
}

static bool reported_are_minimal(const hot_options *o, const hot_path *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const hot_path *p = paths + i;
        EXPECT(p->count == plain_count(p->symbols, p->length));
        unsigned __int128 cost = p->count * cost_of_symbols(o, p->symbols, p->length);
        EXPECT(p->cost == (cost < UINT64_MAX ? cost : UINT64_MAX));
        EXPECT(plain_word(o, p->symbols, p->length) == p->length);
        EXPECT(i == 0 || paths[i - 1].cost >= p->cost);
        for (size_t other = 0; other < i; other++)
            EXPECT(paths[other].length != p->length ||
                   memcmp(paths[other].symbols, p->symbols, p->length * sizeof *p->symbols));
    }
    return true;
}

/* An occurrence of a hot subpath contains one of its shortest hot prefix. */
static bool every_hot_one_is_overlapped(const hot_options *o, const hot_path *paths, size_t count)
{
    static bool reported[INPUT_MAX];
    memset(reported, 0, stream_size);
    for (size_t i = 0; i < count; i++)
        for (size_t at = 0; at + paths[i].length <= stream_size; at++)
            if (!memcmp(numbered + at, paths[i].symbols, paths[i].length * sizeof *numbered))
                memset(reported + at, true, paths[i].length);
    for (size_t at = 0; at < stream_size; at++) {
        size_t length = plain_word(o, numbered + at, stream_size - at);
        EXPECT(!length || memchr(reported + at, true, length));
    }
    return true;
}

static bool covered_are_counted_once(const hot_options *o, const hot_path *paths, size_t count)
{
    static bool in[INPUT_MAX];
    for (size_t i = 0; i < count; i++) {
        uint64_t cost = 0;
        memset(in, 0, stream_size);
        for (size_t at = 0; at + paths[i].length <= stream_size; at++)
            if (!memcmp(numbered + at, paths[i].symbols, paths[i].length * sizeof *numbered))
                memset(in + at, true, paths[i].length);
        for (size_t at = 0; at < stream_size; at++) {
            uint64_t one = !in[at] ? 0 : o->costs ? o->costs[numbered[at]] : 1;
            cost = cost + one < cost ? UINT64_MAX : cost + one;
        }
        EXPECT(paths[i].covered == cost);
    }
    return true;
}

static bool hot_is_right(const hot_options *o, bool lookahead)
{
    grammar *g = host_grammar(lookahead);
    for (size_t i = 0; i < stream_size; i++)
        for (numbered[i] = 0; g->terminals[numbered[i]] != stream[i]; numbered[i]++)
            ;
    hot_paths paths;
    EXPECT(hot_find(g, o, &paths) == HOT_FOUND);
    hot_cover(g, o->costs, paths.all, paths.count);
    bool right = reported_are_minimal(o, paths.all, paths.count) &&
                 every_hot_one_is_overlapped(o, paths.all, paths.count) &&
                 covered_are_counted_once(o, paths.all, paths.count);
    hot_free(&paths);
    grammar_free(g);
    return right;
}

static void hot_subpaths_are_minimal_and_no_occurrence_is_missed(void)
{
    static const uint64_t costs[] = {3, 1, 4, UINT64_C(1) << 63, 5, 0, 9, 2, 6, 5, 3, 5};
    check_random random = {8};
    for (unsigned round = 0; round < check_amount(100, 250, 1000); round++) {
        random_stream(&random, 1 + check_random_below(&random, 400), 1 + round % 12);
        size_t min = 1 + check_random_below(&random, 5);
        hot_options o = {check_random_below(&random, round % 5 ? 60 : 2),
                         min,
                         min + check_random_below(&random, round % 3 ? 4 : 40),
                         round % 2 ? costs : NULL,
                         round % 2   ? HOT_LEVELS
                         : round % 4 ? 4
                                     : 0,
                         0};
        o.min_cost = round % 11 ? o.min_cost : UINT64_MAX / 2;
        CHECK(hot_is_right(&o, round % 3 == 0));
    }
}

/* Rules that are long for the subpaths: blocks of up to 200 symbols and single ones between them. */
static void hot_subpaths_at_the_ends_of_long_rules_are_as_well(void)
{
    static const uint64_t costs[] = {0, 1, 2, 3, 4, 5, 6, 7};
    check_random random = {9};
    for (unsigned round = 0; round < check_amount(40, 100, 400); round++) {
        uint32_t blocks[3][200];
        for (uint32_t *s = blocks[0]; s < blocks[3]; s++)
            *s = check_random_below(&random, 2 + round % 7);
        for (stream_size = 0; stream_size < 1200;) {
            uint32_t block = check_random_below(&random, 3), size = 30 + 60 * block + check_random_below(&random, 3);
            memcpy(stream + stream_size, blocks[block], size * sizeof *stream);
            stream_size += size;
            for (uint32_t i = check_random_below(&random, 3); i > 0; i--)
                stream[stream_size++] = check_random_below(&random, 8);
        }
        size_t longest = 1 + check_random_below(&random, 6), min = 1 + check_random_below(&random, (uint32_t)longest);
        CHECK(hot_is_right(&(hot_options){check_random_below(&random, 150), min, longest, round % 2 ? costs : NULL,
                                          round % 4 > 1 ? HOT_LEVELS : 0, 0},
                           round % 3 == 0));
    }
}

/* Of the stream, for some costs and lengths. */
static bool hot_is_right_for_all(void)
{
    for (unsigned cost = 4; cost <= 7; cost++)
        for (size_t longest = 2; longest <= 4; longest++)
            EXPECT(
                hot_is_right(&(hot_options){cost, longest / 2, longest, NULL, cost & 2 ? HOT_LEVELS : 0, 0}, cost & 1));
    return true;
}

static void hot_subpaths_of_every_short_string_are_minimal_and_no_occurrence_is_missed(void)
{
    for (unsigned letters = 2; letters <= 3; letters++) {
        unsigned length_max = letters == 2 ? check_amount(8, 10, 11) : check_amount(5, 6, 7), total = 1;
        for (unsigned i = 0; i < length_max; i++)
            total *= letters;
        stream_size = length_max;
        for (unsigned string = 0; string < total; string++) {
            for (unsigned i = 0, rest = string; i < length_max; i++, rest /= letters)
                stream[i] = rest % letters;
            CHECK(hot_is_right_for_all());
        }
    }
}

/* A run of 1200 * 2^24 symbols in 25 rules. */
static void a_stream_of_20_thousand_million_symbols_is_counted_unless_the_text_is_too_long(void)
{
    enum { USES = 1200, RULES = 25 };
    static uint32_t right[USES + 2 * RULES];
    static size_t rule_start[RULES + 1];
    uint32_t terminal = 7;
    size_t at = 0;
    for (; at < USES; at++)
        right[at] = GRAMMAR_RULE | 1;
    for (uint32_t rule = 1; rule < RULES; rule++) {
        rule_start[rule] = at;
        right[at] = right[at + 1] = rule + 1 < RULES ? GRAMMAR_RULE | (rule + 1) : 0;
        at += 2;
    }
    rule_start[RULES] = at;
    grammar g = {.symbols = right, .start = rule_start, .rules = RULES, .terminals = &terminal, .terminal_count = 1};
    CHECK(grammar_measure(&g));
    CHECK_EQ(g.length, (uint64_t)USES << 24);
    hot_paths paths;
    hot_options o = {.min_cost = 3 * (g.length - 2), .min_length = 2, .max_length = 5};
    CHECK(hot_find(&g, &o, &paths) == HOT_FOUND);
    CHECK_EQ(paths.count, 1);
    CHECK_EQ(paths.all[0].length, 3);
    CHECK_EQ(paths.all[0].count, g.length - 2);
    hot_free(&paths);
    CHECK_EQ(hot_stream_cost(&g, NULL), g.length);
    o.memory = paths.bytes - 1;
    CHECK(hot_find(&g, &o, &paths) == HOT_TOO_MUCH && paths.count == 0);
    o.levels = HOT_LEVELS;
    o.memory = 0;
    CHECK(hot_find(&g, &o, &paths) == HOT_FOUND && paths.count == 1 && paths.all[0].count == g.length - 2);
    hot_free(&paths);
    o = (hot_options){.min_cost = g.length * 1000000, .min_length = 2, .max_length = 1000000};
    CHECK(hot_find(&g, &o, &paths) == HOT_TOO_LONG && paths.count == 0);
}

static bool same_paths(const hot_paths *a, const hot_paths *b)
{
    EXPECT(a->count == b->count);
    for (size_t i = 0; i < a->count; i++)
        EXPECT(a->all[i].length == b->all[i].length && a->all[i].count == b->all[i].count &&
               a->all[i].cost == b->all[i].cost &&
               !memcmp(a->all[i].symbols, b->all[i].symbols, a->all[i].length * sizeof *a->all[i].symbols));
    return true;
}

/* The stream is long enough for several threads. The last length is searched by suffixes. */
static void hot_subpaths_are_the_same_with_any_number_of_threads(void)
{
    enum { SYMBOLS = 60000 };
    static uint32_t symbols[SYMBOLS];
    static const size_t lengths[] = {1, 6, 16, HOT_LEVELS + 1};
    check_random random = {11};
    for (unsigned i = 0; i < SYMBOLS; i++) /* few of 40 are frequent */
        symbols[i] = check_random_below(&random, 1 + check_random_below(&random, 40));
    grammar_builder *builder = grammar_builder_new(false);
    grammar_push(builder, symbols, SYMBOLS);
    grammar *g = grammar_finish(builder);
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        hot_options o = {.min_cost = 600, .min_length = 1, .max_length = lengths[i], .levels = HOT_LEVELS};
        hot_paths one, suffixes, some;
        threads_choose(1);
        CHECK(hot_find(g, &o, &one) == HOT_FOUND && one.count > 10);
        o.levels = 0;
        CHECK(hot_find(g, &o, &suffixes) == HOT_FOUND && same_paths(&one, &suffixes));
        o.levels = HOT_LEVELS;
        threads_choose(5);
        for (o.memory = one.bytes; o.memory < 4 * one.bytes; o.memory += one.bytes / 3) {
            CHECK(hot_find(g, &o, &some) == HOT_FOUND && same_paths(&one, &some) && some.bytes == one.bytes);
            hot_free(&some);
        }
        hot_free(&one);
        hot_free(&suffixes);
    }
    threads_choose(0);
    grammar_free(g);
}

/* In the start rule, `xy` is the end of one of four rules and the symbol after it. */
static void a_subpath_that_is_hot_in_no_single_rule_is_found(void)
{
    static const char text[] = "ax1ax2bx3bx4cx5cx6dx7dx8axybxycxydxy";
    stream_size = sizeof text - 1;
    for (size_t i = 0; i < stream_size; i++)
        stream[i] = (uint32_t)text[i];
    grammar *g = host_grammar(false);
    hot_paths paths;
    CHECK(hot_find(g, &(hot_options){.min_cost = 8, .min_length = 2, .max_length = 2}, &paths) == HOT_FOUND);
    bool found = false;
    for (const hot_path *w = paths.all; w < paths.all + paths.count; w++)
        found |= g->terminals[w->symbols[0]] == 'x' && g->terminals[w->symbols[1]] == 'y' && w->count == 4;
    CHECK(found);
    hot_free(&paths);
    grammar_free(g);
}

static void the_papers_hot_subpaths_are_found(void)
{
    static const char text[] = "abbcabbcabbc";
    stream_size = sizeof text - 1;
    for (size_t i = 0; i < stream_size; i++)
        stream[i] = (uint32_t)text[i];
    grammar *g = host_grammar(false);
    hot_paths paths;
    CHECK(hot_find(g, &(hot_options){.min_cost = 6, .min_length = 2, .max_length = 3}, &paths) == HOT_FOUND);
    CHECK_EQ(paths.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const hot_path *w = paths.all + i;
        CHECK(w->length == 2 && w->count == 3 && w->cost == 6);
        CHECK_EQ(g->terminals[w->symbols[0]], "ab"[i]);
        CHECK_EQ(g->terminals[w->symbols[1]], "bc"[i]);
    }
    hot_free(&paths);
    grammar_free(g);
}

int main(void)
{
    RUN(the_papers_hot_subpaths_are_found);
    RUN(hot_subpaths_are_the_same_with_any_number_of_threads);
    RUN(a_subpath_that_is_hot_in_no_single_rule_is_found);
    RUN(a_stream_of_20_thousand_million_symbols_is_counted_unless_the_text_is_too_long);
    RUN(hot_subpaths_of_every_short_string_are_minimal_and_no_occurrence_is_missed);
    RUN(hot_subpaths_are_minimal_and_no_occurrence_is_missed);
    RUN(hot_subpaths_at_the_ends_of_long_rules_are_as_well);
    return check_failed();
}
