/* SPDX-License-Identifier: MIT */
/* Binary whole program paths: they read back to the same grammar, damaged ones never lead the reader astray, and
 * they are as small as documented. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tests/lib/nas.h"
#include "tools/lib/grammar/sequitur.h"
#include "tools/lib/grammar/wpp.h"
#include "tools/lib/grammar/wpp_rules.h"
#include "tools/lib/grammar/wpp_stream.h"

enum { STREAM_MAX = 400000 };

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

int main(void)
{
    RUN(streams_come_back_from_both_methods);
    RUN(the_lu_trace_takes_at_most_89_bytes);
    RUN(damaged_files_are_refused);
    return check_failed();
}
