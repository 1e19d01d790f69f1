/* SPDX-License-Identifier: MIT */
/* The host's grammars against the core's, which has its own oracle (prop_sequitur.c), and against the stream. Counts
 * of hot subpaths against a count on the stream. */
#include <stdlib.h>
#include <string.h>

#include "core/sequitur_parts.h"
#include "tests/lib/check.h"
#include "tests/lib/nas.h"
#include "tools/lib/grammar/hot.h"
#include "tools/lib/grammar/segment.h"
#include "tools/lib/grammar/sequitur.h"

enum { INPUT_MAX = 100000, SYMBOLS_MAX = 32767, DIGRAMS_MAX = 32768, TERMINALS_MAX = 1024, SLOTS_MAX = 2048 };

static uint32_t stream[INPUT_MAX];
static size_t stream_size;

static weft_seq_symbol symbols[SYMBOLS_MAX];
static weft_handle digrams[DIGRAMS_MAX], slots[SLOTS_MAX];
static uint32_t terminals[TERMINALS_MAX];

static bool core_grammar(weft_seq *seq, bool lookahead)
{
    weft_seq_config config = {symbols,       SYMBOLS_MAX, digrams,   DIGRAMS_MAX, terminals,
                              TERMINALS_MAX, slots,       SLOTS_MAX, lookahead};
    if (weft_seq_init(seq, &config) != WEFT_OK)
        return false;
    for (size_t i = 0; i < stream_size; i++)
        if (weft_seq_push(seq, stream[i], SIZE_MAX) != WEFT_OK)
            return false;
    weft_seq_settle(seq);
    return true;
}

/* The same rules, whatever their numbers: `number` maps the core's guards to the host's rules. */
static bool same_rules(const weft_seq *seq, const grammar *g)
{
    static uint32_t number[SYMBOLS_MAX];
    static weft_handle guards[SYMBOLS_MAX];
    size_t met = 1;
    memset(number, 0, sizeof number);
    guards[0] = WEFT_SEQ_START;
    for (size_t i = 0; i < met; i++) {
        uint32_t rule = number[guards[i]];
        size_t at = g->start[rule];
        for (weft_handle s = symbols[guards[i]].next; s != guards[i]; s = symbols[s].next, at++) {
            weft_handle value = symbols[s].value;
            if (at == g->start[rule + 1])
                return false;
            uint32_t other = g->symbols[at];
            if (!(value & WEFT_SEQ_RULE)) {
                if (other & GRAMMAR_RULE || g->terminals[other] != seq->terminals[value])
                    return false;
                continue;
            }
            if (!(other & GRAMMAR_RULE))
                return false;
            weft_handle guard = value & 0x7fff;
            if (!number[guard]) {
                number[guard] = other & ~GRAMMAR_RULE;
                guards[met++] = guard;
            }
            if (number[guard] != (other & ~GRAMMAR_RULE))
                return false;
        }
        if (at != g->start[rule + 1])
            return false;
    }
    return met == g->rules && g->rules == seq->rules + 1u;
}

static bool matches_stream(void *context, const uint32_t *piece, size_t count)
{
    size_t *at = context;
    if (*at + count > stream_size || memcmp(stream + *at, piece, count * sizeof *piece))
        return false;
    *at += count;
    return true;
}

static grammar *host_grammar(bool lookahead)
{
    grammar_builder *builder = grammar_builder_new(lookahead);
    size_t half = stream_size / 2;
    grammar_push(builder, stream, half);
    grammar_push(builder, stream + half, stream_size - half);
    return grammar_finish(builder);
}

static bool agrees(bool lookahead)
{
    weft_seq seq;
    grammar *g = host_grammar(lookahead);
    size_t at = 0;
    EXPECT(g->length == stream_size && grammar_measure(g) && g->length == stream_size);
    EXPECT(grammar_expand(g, matches_stream, &at) && at == stream_size);
    EXPECT(core_grammar(&seq, lookahead) && same_rules(&seq, g));
    grammar_free(g);
    return true;
}

static void stream_of_digits(unsigned alphabet, unsigned digits, unsigned length)
{
    stream_size = length;
    for (unsigned i = 0; i < length; i++, digits /= alphabet)
        stream[i] = 100 + digits % alphabet;
}

static void every_short_string_has_the_cores_grammar(void)
{
    unsigned longest = check_amount(9, 12, 13);
    for (unsigned length = 0; length <= longest; length++)
        for (unsigned digits = 0; digits < 1u << length; digits++) {
            stream_of_digits(2, digits, length);
            CHECK(agrees(digits & 1));
        }
    for (unsigned digits = 0; digits < 19683; digits++) {
        stream_of_digits(3, digits, 9);
        CHECK(agrees(digits & 1));
    }
}

/* A stream as programs make it: segments that come again, with changes. */
static void random_stream(check_random *random, size_t size, unsigned alphabet)
{
    stream_size = 0;
    while (stream_size < size) {
        if (stream_size > 20 && check_random_below(random, 3)) {
            size_t length = 1 + check_random_below(random, 60);
            size_t from = check_random_below(random, (uint32_t)stream_size);
            for (; length && stream_size < size && from < stream_size; length--)
                stream[stream_size++] = stream[from++];
        } else {
            stream[stream_size++] = check_random_below(random, alphabet) * 0x01234567u;
        }
    }
}

static void random_streams_have_the_cores_grammar(void)
{
    check_random random = {12};
    for (unsigned round = 0; round < check_amount(40, 150, 300); round++) {
        random_stream(&random, check_random_below(&random, round % 10 ? 2000 : 20000), 1 + round % 50);
        CHECK(agrees(round & 1));
    }
}

static void the_lu_trace_has_106_symbols_in_29_rules(void)
{
    char *text = malloc(NAS_LU_C_SIZE);
    uint32_t *lu = malloc(NAS_LU_C_SIZE * sizeof *lu);
    CHECK(nas_expand(NAS_LU_C, text, NAS_LU_C_SIZE) == NAS_LU_C_SIZE);
    for (size_t i = 0; i < NAS_LU_C_SIZE; i++)
        lu[i] = (uint32_t)text[i];
    grammar_builder *builder = grammar_builder_new(false);
    grammar_push(builder, lu, NAS_LU_C_SIZE);
    grammar *g = grammar_finish(builder);
    CHECK_EQ(g->rules, 29);
    CHECK_EQ(grammar_symbols(g), 106);
    grammar_free(g);
    free(text);
    free(lu);
}

/* ---- segments ---- */

/* The stream through the core as a coder with `pool` symbols, `terminals` and `room` bytes a segment, and back. */
static bool segments_hold_the_stream(size_t pool, size_t terminal_max, size_t room, bool lookahead)
{
    weft_seq_config config = {symbols, pool, digrams, 64, terminals, terminal_max, slots, SLOTS_MAX, lookahead};
    static uint8_t bytes[1 << 16];
    weft_seq seq;
    size_t at = 0;
    EXPECT(weft_seq_init(&seq, &config) == WEFT_OK);
    grammar_builder *joined = grammar_builder_new(lookahead);
    for (size_t i = 0; i <= stream_size; i++) {
        weft_status status = i < stream_size ? weft_seq_push(&seq, stream[i], room) : WEFT_FULL;
        if (status == WEFT_OK)
            continue;
        weft_writer out;
        weft_writer_init(&out, bytes, room);
        EXPECT(status == WEFT_FULL && weft_seq_flush(&seq, &out) == WEFT_OK && out.size <= room);
        grammar *g = grammar_segment_read(bytes, out.size, false);
        EXPECT(g && grammar_expand(g, matches_stream, &at) && at == i);
        size_t from = at - g->length;
        grammar_push(joined, stream + from, g->length);
        grammar_free(g);
        if (i < stream_size)
            EXPECT(weft_seq_push(&seq, stream[i], room) == WEFT_OK);
    }
    grammar *all = grammar_finish(joined), *plain = host_grammar(lookahead);
    EXPECT(all->rules == plain->rules && grammar_symbols(all) == grammar_symbols(plain) &&
           !memcmp(all->symbols, plain->symbols, grammar_symbols(all) * sizeof *all->symbols));
    grammar_free(all);
    grammar_free(plain);
    return true;
}

static void segments_hold_the_stream_whatever_the_pools_and_the_room(void)
{
    check_random random = {21};
    for (unsigned round = 0; round < check_amount(200, 1500, 3000); round++) {
        random_stream(&random, check_random_below(&random, 3000), 1 + round % 100);
        if (round % 5 == 0) /* large values, all new */
            for (size_t i = 0; i < stream_size; i++)
                stream[i] = check_random_below(&random, 3) ? stream[i] : check_random_next(&random);
        CHECK(segments_hold_the_stream(WEFT_SEQ_SYMBOLS_MIN + check_random_below(&random, round % 2 ? 20 : 2000),
                                       1 + check_random_below(&random, 1000),
                                       WEFT_SEQ_SEGMENT_MIN + check_random_below(&random, round % 3 ? 1000 : 30),
                                       round % 4 == 0));
    }
}

static void damaged_segments_are_refused_or_stand_for_something(void)
{
    check_random random = {22};
    for (unsigned round = 0; round < check_amount(3000, 15000, 30000); round++) {
        weft_seq_config config = {symbols, 300, digrams, 64, terminals, 100, slots, SLOTS_MAX, false};
        uint8_t bytes[400];
        weft_writer out;
        weft_seq seq;
        random_stream(&random, 200, 1 + round % 100);
        CHECK_EQ(weft_seq_init(&seq, &config), WEFT_OK);
        for (size_t i = 0; i < stream_size; i++)
            if (weft_seq_push(&seq, stream[i], sizeof bytes) != WEFT_OK)
                break;
        weft_writer_init(&out, bytes, sizeof bytes);
        CHECK_EQ(weft_seq_flush(&seq, &out), WEFT_OK);
        bytes[check_random_below(&random, (uint32_t)out.size)] ^= (uint8_t)(1 << check_random_below(&random, 8));
        grammar_free(grammar_segment_read(bytes, check_random_below(&random, (uint32_t)out.size) + 1, round & 1));
    }
}

/* ---- hot subpaths ---- */

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
    for (unsigned round = 0; round < check_amount(100, 500, 1000); round++) {
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
    for (unsigned round = 0; round < check_amount(40, 200, 400); round++) {
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
            for (unsigned cost = 4; cost <= 7; cost++)
                for (size_t longest = 2; longest <= 4; longest++)
                    CHECK(hot_is_right(&(hot_options){cost, longest / 2, longest, NULL, cost & 2 ? HOT_LEVELS : 0, 0},
                                       cost & 1));
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
    RUN(the_lu_trace_has_106_symbols_in_29_rules);
    RUN(every_short_string_has_the_cores_grammar);
    RUN(random_streams_have_the_cores_grammar);
    RUN(segments_hold_the_stream_whatever_the_pools_and_the_room);
    RUN(damaged_segments_are_refused_or_stand_for_something);
    RUN(the_papers_hot_subpaths_are_found);
    RUN(a_subpath_that_is_hot_in_no_single_rule_is_found);
    RUN(a_stream_of_20_thousand_million_symbols_is_counted_unless_the_text_is_too_long);
    RUN(hot_subpaths_of_every_short_string_are_minimal_and_no_occurrence_is_missed);
    RUN(hot_subpaths_are_minimal_and_no_occurrence_is_missed);
    RUN(hot_subpaths_at_the_ends_of_long_rules_are_as_well);
    return check_failed();
}
