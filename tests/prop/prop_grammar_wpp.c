/* SPDX-License-Identifier: MIT */
/* Binary whole program paths: they read back to the same grammar, damaged ones never lead the reader astray, and
 * they are as small as documented. */
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tests/lib/check.h"
#include "tests/lib/nas.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/grammar/sequitur.h"
#include "tools/lib/grammar/wpp.h"
#include "tools/lib/grammar/wpp_rules.h"
#include "tools/lib/grammar/wpp_stream.h"

enum { STREAM_MAX = 5000000 };

static uint32_t stream[STREAM_MAX];
static size_t stream_size;

static grammar *grammar_of_stream(bool lookahead)
{
    grammar_builder *builder = grammar_builder_new(lookahead);
    grammar_push(builder, stream, stream_size);
    return grammar_finish(builder);
}

static bool same(const grammar *a, const grammar *b)
{
    return a->rules == b->rules && a->length == b->length && a->terminal_count == b->terminal_count &&
           !memcmp(a->start, b->start, (a->rules + 1) * sizeof *a->start) &&
           !memcmp(a->symbols, b->symbols, grammar_symbols(a) * sizeof *a->symbols) &&
           !memcmp(a->terminals, b->terminals, a->terminal_count * sizeof *a->terminals);
}

/* The file's size; 0 if it does not come back as it was. */
static size_t round_trip(bool lookahead)
{
    grammar *g = grammar_of_stream(lookahead);
    size_t size;
    uint8_t *bytes = wpp_write(g, lookahead, NULL, &size);
    grammar *back = wpp_read(bytes, size, UINT64_MAX);
    bool well = back && same(g, back);
    grammar_free(back);
    back = stream_size ? wpp_read(bytes, size, stream_size - 1) : NULL;
    well = well && !back;
    grammar_free(g);
    free(bytes);
    return well ? size : 0;
}

/* Both methods of packing are tested, not only the one that gives fewer bytes. */
static bool methods_agree(bool lookahead)
{
    grammar *g = grammar_of_stream(lookahead);
    for (unsigned method = 0; method < 2; method++) {
        bit_coder out, in;
        bit_coder_encode(&out);
        if (method)
            wpp_stream_write(&out, g);
        else
            wpp_rules_write(&out, g);
        bit_coder_finish(&out);
        bit_coder_decode(&in, out.out, out.out_size);
        grammar *back = method ? wpp_stream_read(&in, stream_size, lookahead, false) : wpp_rules_read(&in, stream_size);
        EXPECT(back && !in.bad && same(g, back));
        grammar_free(back);
        free(out.out);
    }
    grammar_free(g);
    return true;
}

static void random_stream(check_random *random, size_t size, unsigned alphabet, uint32_t factor)
{
    stream_size = 0;
    while (stream_size < size) {
        if (stream_size > 20 && check_random_below(random, 3)) {
            size_t length = 1 + check_random_below(random, 1000);
            size_t from = check_random_below(random, (uint32_t)stream_size);
            for (; length && stream_size < size && from < stream_size; length--)
                stream[stream_size++] = stream[from++];
        } else {
            stream[stream_size++] = check_random_below(random, alphabet) * factor;
        }
    }
}

static void streams_come_back_from_both_methods(void)
{
    check_random random = {3};
    for (unsigned round = 0; round < check_amount(12, 30, 60); round++) {
        static const uint32_t factors[] = {1, 0x01234567, 0xffffffff, 77};
        random_stream(&random, round < 4 ? round : check_random_below(&random, 20000), 1 + round * round,
                      factors[round % 4]);
        CHECK(methods_agree(round & 1));
        CHECK(round_trip(round & 1) > 0);
    }
}

static void the_lu_trace_takes_at_most_89_bytes(void)
{
    char *text = malloc(NAS_LU_C_SIZE);
    stream_size = nas_expand(NAS_LU_C, text, NAS_LU_C_SIZE);
    for (size_t i = 0; i < stream_size; i++)
        stream[i] = (uint32_t)text[i];
    free(text);
    size_t size = round_trip(false);
    CHECK(size > 0 && size <= 89);
    size = round_trip(true);
    CHECK(size > 0 && size <= 89);
}

static void damaged_files_are_refused(void)
{
    check_random random = {4};
    random_stream(&random, 6000, 60, 1);
    grammar *g = grammar_of_stream(false);
    size_t size;
    uint8_t *bytes = wpp_write(g, false, NULL, &size);
    grammar_free(g);
    for (unsigned round = 0; round < check_amount(60, 150, 300); round++) {
        size_t at = check_random_below(&random, (uint32_t)size);
        uint8_t old = bytes[at];
        bytes[at] ^= (uint8_t)(1 << check_random_below(&random, 8));
        g = wpp_read(bytes, size, 100000);
        CHECK(!g);
        grammar_free(g);
        bytes[at] = old;
        g = wpp_read(bytes, at, 100000);
        CHECK(!g);
        grammar_free(g);
    }
    free(bytes);
}

typedef struct place {
    size_t at, end; /* of the stream; no more is wanted from the end on */
} place;

static bool comes_next(void *own, const uint32_t *symbols, size_t count)
{
    place *p = own;
    if (p->at + count > stream_size || memcmp(symbols, stream + p->at, count * sizeof *symbols))
        return false;
    p->at += count;
    return p->at < p->end;
}

static void streams_come_back_without_their_grammar(void)
{
    check_random random = {5};
    for (unsigned round = 0; round < check_amount(8, 20, 40); round++) {
        random_stream(&random, round < 3 ? round : check_random_below(&random, 300000), 1 + round * round, 77);
        grammar *g = grammar_of_stream(false);
        size_t size;
        uint8_t *bytes = wpp_write(g, false, NULL, &size);
        grammar_free(g);
        place all = {0, SIZE_MAX}, half = {0, stream_size / 2};
        threads_choose(1 + round % 3);
        CHECK(wpp_expand(bytes, size, stream_size, comes_next, &all) && all.at == stream_size);
        CHECK(wpp_expand(bytes, size, stream_size, comes_next, &half) && half.at >= half.end);
        CHECK(!stream_size || !wpp_expand(bytes, size, stream_size - 1, comes_next, &all));
        size_t damaged = check_random_below(&random, (uint32_t)size);
        bytes[damaged] ^= (uint8_t)(1 << round % 8);
        all.at = 0;
        CHECK(!wpp_expand(bytes, size, stream_size, comes_next, &all) && all.at == 0);
        CHECK(!wpp_expand(bytes, damaged, stream_size, comes_next, &all) && all.at == 0);
        free(bytes);
    }
    threads_choose(0);
}

/* The file, with symbols predicted ahead in pieces of up to `most`; from malloc. */
static uint8_t *write_ahead(size_t most, bool drop, size_t *size)
{
    check_random random = {6};
    wpp_ahead *ahead = wpp_ahead_open();
    grammar_builder *builder = grammar_builder_new(false);
    uint32_t *piece = malloc(most * sizeof *piece);
    size_t known = 0, terminals;
    for (size_t at = 0; at < stream_size;) {
        size_t count = 1 + check_random_below(&random, (uint32_t)most);
        count = count < stream_size - at ? count : stream_size - at;
        memcpy(piece, stream + at, count * sizeof *piece);
        grammar_push_numbered(builder, piece, count);
        const uint32_t *values = grammar_builder_terminals(builder, &terminals);
        for (; known < terminals; known++)
            wpp_ahead_value(ahead, values[known]);
        wpp_ahead_push(ahead, piece, count, grammar_builder_elements(builder));
        at += count;
    }
    free(piece);
    grammar *g = grammar_finish(builder);
    if (drop)
        wpp_ahead_drop(ahead);
    uint8_t *bytes = wpp_write(g, false, ahead, size);
    wpp_ahead_close(ahead);
    grammar_free(g);
    return bytes;
}

static bool ahead_is_the_same(size_t most, bool drop)
{
    size_t size, other;
    grammar *g = grammar_of_stream(false);
    uint8_t *bytes = wpp_write(g, false, NULL, &size), *again = write_ahead(most, drop, &other);
    grammar_free(g);
    bool same_bytes = size == other && !memcmp(bytes, again, size);
    free(bytes);
    free(again);
    return same_bytes;
}

static void symbols_predicted_ahead_give_the_same_file(void)
{
    check_random random = {7};
    threads_choose(3);
    random_stream(&random, 3000, 60, 1); /* short, so that nothing is predicted ahead */
    CHECK(ahead_is_the_same(1000, false));
    random_stream(&random, 540000, 60, 77);
    CHECK(ahead_is_the_same(65536, false));
    CHECK(ahead_is_the_same(65536, true));
    if (check_amount(0, 0, 1)) { /* longer than the queue */
        random_stream(&random, STREAM_MAX, 900, 1);
        CHECK(ahead_is_the_same(1 << 17, false));
    }
    for (size_t i = 0; i < stream_size; i++) /* regular, so that its rules are used */
        stream[i] = (uint32_t)(i % 7);
    CHECK(ahead_is_the_same(65536, false));
    threads_choose(1);
    CHECK(!wpp_ahead_open());
    threads_choose(0);
}

/* A symbol that mostly follows from the one before, after each came once. */
static uint32_t next_of_many(check_random *random, uint32_t symbol)
{
    enum { MANY = 30000 };
    if (stream_size < MANY)
        return symbol + 1;
    uint32_t any = check_random_below(random, MANY), step = check_random_below(random, 32);
    return step < 2 ? any : symbol * 7 % MANY + (step > 20);
}

/* More than 14 bits of a slot can say. The bytes are those of a writer whose slots had 32. */
static void many_different_symbols_keep_their_bytes(void)
{
    check_random random = {8};
    uint32_t symbol = 0;
    for (stream_size = 0; stream_size < 200000; symbol = next_of_many(&random, symbol))
        stream[stream_size++] = symbol;
    grammar *g = grammar_of_stream(false);
    bit_coder out;
    bit_coder_encode(&out);
    wpp_stream_write(&out, g);
    bit_coder_finish(&out);
    CHECK(out.out_size == 176449 && weft_crc32(0, out.out, out.out_size) == 0x6e5d5778);
    free(out.out);
    grammar_free(g);
    CHECK(methods_agree(false));
}

int main(void)
{
    RUN(streams_come_back_from_both_methods);
    RUN(the_lu_trace_takes_at_most_89_bytes);
    RUN(damaged_files_are_refused);
    RUN(streams_come_back_without_their_grammar);
    RUN(symbols_predicted_ahead_give_the_same_file);
    RUN(many_different_symbols_keep_their_bytes);
    return check_failed();
}
