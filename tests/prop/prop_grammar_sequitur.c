/* SPDX-License-Identifier: MIT */
/* The host's grammars against the core's, which has its own oracle (prop_sequitur.c), and against the stream. */
#include <stdlib.h>
#include <string.h>

#include "core/sequitur_parts.h"
#include "tests/lib/check.h"
#include "tests/lib/nas.h"
#include "tests/lib/segments.h"
#include "tools/lib/grammar/hot.h"
#include "tools/lib/grammar/segment.h"
#include "tools/lib/grammar/sequitur.h"

enum { SYMBOLS_MAX = 32767, DIGRAMS_MAX = 32768, TERMINALS_MAX = 1024, SLOTS_MAX = 2048 };

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

/* The core's rules that were met, and the number that the host has for each guard; 0: not met. */
static struct {
    uint32_t number[SYMBOLS_MAX];
    weft_handle guards[SYMBOLS_MAX];
    size_t count;
} met;

/* The same element, whatever the numbers of rules. */
static bool same_element(const weft_seq *seq, weft_handle value, const grammar *g, uint32_t other)
{
    if (!(value & WEFT_SEQ_RULE))
        return !(other & GRAMMAR_RULE) && g->terminals[other] == seq->terminals[value];
    if (!(other & GRAMMAR_RULE))
        return false;
    weft_handle guard = value & 0x7fff;
    if (!met.number[guard]) {
        met.number[guard] = other & ~GRAMMAR_RULE;
        met.guards[met.count++] = guard;
    }
    return met.number[guard] == (other & ~GRAMMAR_RULE);
}

/* The same rules, whatever their numbers. */
static bool same_rules(const weft_seq *seq, const grammar *g)
{
    memset(met.number, 0, sizeof met.number);
    met.guards[0] = WEFT_SEQ_START;
    met.count = 1;
    for (size_t i = 0; i < met.count; i++) {
        weft_handle guard = met.guards[i];
        size_t at = g->start[met.number[guard]], end = g->start[met.number[guard] + 1];
        for (weft_handle s = symbols[guard].next; s != guard; s = symbols[s].next, at++)
            if (at == end || !same_element(seq, symbols[s].value, g, g->symbols[at]))
                return false;
        if (at != end)
            return false;
    }
    return met.count == g->rules && g->rules == seq->rules + 1u;
}

static bool matches_stream(void *context, const uint32_t *piece, size_t count)
{
    size_t *at = context;
    if (*at + count > stream_size || memcmp(stream + *at, piece, count * sizeof *piece))
        return false;
    *at += count;
    return true;
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
    for (unsigned round = 0; round < check_amount(200, 750, 3000); round++) {
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
    for (unsigned round = 0; round < check_amount(3000, 8000, 30000); round++) {
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

int main(void)
{
    RUN(the_lu_trace_has_106_symbols_in_29_rules);
    RUN(every_short_string_has_the_cores_grammar);
    RUN(random_streams_have_the_cores_grammar);
    RUN(segments_hold_the_stream_whatever_the_pools_and_the_room);
    RUN(damaged_segments_are_refused_or_stand_for_something);
    return check_failed();
}
