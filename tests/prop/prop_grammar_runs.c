/* SPDX-License-Identifier: MIT */
/* Grammars with runs against their definition (tools/lib/grammar/runs.h), on the grammar at rest and without the
 * builder's own check; and against the stream. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tests/lib/nas.h"
#include "tools/lib/grammar/runs.h"

enum { INPUT_MAX = 200000 };

static uint32_t stream[INPUT_MAX];
static size_t stream_size;

static bool matches_stream(void *context, const uint32_t *symbols, size_t count)
{
    size_t *at = context;
    bool same = count <= stream_size - *at && !memcmp(symbols, stream + *at, count * sizeof *symbols);
    *at += count;
    return same;
}

/* Neighbours differ in their symbols. Each rule is used at least twice and is longer than one symbol. */
static bool has_no_twins_and_useful_rules(const grammar *g)
{
    uint64_t *uses = calloc(g->rules, sizeof *uses);
    bool well = true;
    for (size_t rule = 0; rule < g->rules; rule++) {
        size_t from = g->start[rule], to = g->start[rule + 1];
        well = well && (!rule || to - from > 1 || (to - from == 1 && g->counts[from] > 1));
        for (size_t i = from; i < to; i++) {
            well = well && g->counts[i] && (i + 1 == to || g->symbols[i] != g->symbols[i + 1]);
            if (g->symbols[i] & GRAMMAR_RULE)
                uses[g->symbols[i] & ~GRAMMAR_RULE] += g->counts[i];
        }
    }
    for (size_t rule = 1; rule < g->rules; rule++)
        well = well && uses[rule] >= 2;
    free(uses);
    return well;
}

typedef struct digram {
    uint64_t part[4];
} digram;

static int by_parts(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(digram));
}

static bool has_unique_digrams(const grammar *g)
{
    digram *all = calloc(grammar_symbols(g) + 1, sizeof *all);
    size_t count = 0;
    for (size_t rule = 0; rule < g->rules; rule++)
        for (size_t i = g->start[rule]; i + 1 < g->start[rule + 1]; i++)
            all[count++] = (digram){{g->symbols[i], g->counts[i], g->symbols[i + 1], g->counts[i + 1]}};
    qsort(all, count, sizeof *all, by_parts);
    bool unique = true;
    for (size_t i = 1; i < count; i++)
        unique = unique && by_parts(all + i - 1, all + i);
    free(all);
    return unique;
}

/* The stream's grammar; the builder is checked after every `every` symbols. */
static bool holds(size_t every)
{
    grammar_runs *builder = grammar_runs_new();
    for (size_t i = 0; i < stream_size; i += every) {
        grammar_runs_push(builder, stream + i, every < stream_size - i ? every : stream_size - i);
        EXPECT(grammar_runs_check(builder));
    }
    grammar *g = grammar_runs_finish(builder);
    size_t at = 0;
    EXPECT(g->length == stream_size && grammar_measure(g) && g->length == stream_size);
    EXPECT(grammar_expand(g, matches_stream, &at) && at == stream_size);
    EXPECT(has_no_twins_and_useful_rules(g));
    EXPECT(has_unique_digrams(g));
    grammar_free(g);
    return true;
}

static bool all_strings(unsigned alphabet, unsigned length)
{
    unsigned total = 1;
    for (unsigned i = 0; i < length; i++)
        total *= alphabet;
    stream_size = length;
    for (unsigned string = 0; string < total; string++) {
        for (unsigned i = 0, digits = string; i < length; i++, digits /= alphabet)
            stream[i] = digits % alphabet;
        EXPECT(holds(1));
    }
    return true;
}

static void all_short_strings_hold_the_invariants_after_every_symbol(void)
{
    for (unsigned length = 0; length <= (check_quick() ? 11u : 15u); length++)
        CHECK(all_strings(2, length));
    for (unsigned length = 1; length <= (check_quick() ? 7u : 10u); length++)
        CHECK(all_strings(3, length));
    if (!check_quick())
        CHECK(all_strings(4, 8));
}

/* Segments that come again, with changes; runs; large values. */
static void random_stream(check_random *random, size_t size, unsigned alphabet)
{
    stream_size = 0;
    while (stream_size < size) {
        uint32_t dice = check_random_below(random, 4);
        if (stream_size > 20 && dice >= 2) {
            size_t length = 1 + check_random_below(random, 60);
            size_t from = check_random_below(random, (uint32_t)stream_size);
            for (; length && stream_size < size && from < stream_size; length--)
                stream[stream_size++] = stream[from++];
        } else {
            uint32_t symbol = check_random_below(random, alphabet) * 0x01234567u;
            for (uint32_t times = dice ? 1 : 1 + check_random_below(random, 9); times && stream_size < size; times--)
                stream[stream_size++] = symbol;
        }
    }
}

static void random_streams_hold_the_invariants(void)
{
    check_random random = {77};
    for (unsigned round = 0; round < check_amount(60, 300, 600); round++) {
        random_stream(&random, check_random_below(&random, round % 20 ? 1500 : INPUT_MAX), 1 + round % 50);
        CHECK(holds(round % 20 ? 1 + round % 100 : 50000));
    }
}

/* Loops in loops, with bodies that come again elsewhere. */
static void nests_hold_the_invariants(void)
{
    check_random random = {5};
    for (unsigned round = 0; round < check_amount(60, 300, 600); round++) {
        stream_size = 0;
        for (unsigned loops = 1 + check_random_below(&random, 30); loops && stream_size < 3000; loops--) {
            size_t body = stream_size;
            size_t length = 1 + check_random_below(&random, 6);
            if (body > 50 && check_random_below(&random, 2)) {
                body -= 1 + check_random_below(&random, 50);
                length += stream_size - body;
            }
            while (stream_size < body + length)
                stream[stream_size++] = check_random_below(&random, 3);
            for (size_t left = length * check_random_below(&random, 12); left; left--, stream_size++)
                stream[stream_size] = stream[stream_size - length];
        }
        CHECK(holds(1 + round % 7));
    }
}

static void lu_takes_49_symbols_in_9_rules_whatever_its_loops_count(void)
{
    static const char *const nests[] = {NAS_LU_C, NAS_LU_B};
    for (unsigned class = 0; class < 2; class ++) {
        char *text = malloc(NAS_LU_C_SIZE);
        size_t size = nas_expand(nests[class], text, NAS_LU_C_SIZE);
        uint32_t *lu = malloc(size * sizeof *lu);
        for (size_t i = 0; i < size; i++)
            lu[i] = (uint32_t)text[i];
        grammar_runs *builder = grammar_runs_new();
        grammar_runs_push(builder, lu, size);
        CHECK(grammar_runs_check(builder));
        grammar *g = grammar_runs_finish(builder);
        CHECK_EQ(g->rules, 9);
        CHECK_EQ(grammar_symbols(g), 49);
        CHECK(grammar_measure(g) && g->length == size);
        grammar_walk *walk = grammar_walk_open(g);
        uint32_t *back = malloc(size * sizeof *back);
        CHECK(grammar_walk_read(walk, back, size) == size && !memcmp(lu, back, size * sizeof *lu));
        grammar_walk_close(walk);
        grammar_free(g);
        free(back);
        free(text);
        free(lu);
    }
}

int main(void)
{
    RUN(all_short_strings_hold_the_invariants_after_every_symbol);
    RUN(random_streams_hold_the_invariants);
    RUN(nests_hold_the_invariants);
    RUN(lu_takes_49_symbols_in_9_rules_whatever_its_loops_count);
    return check_failed();
}
