/* SPDX-License-Identifier: MIT */
/* One stream of symbols, as programs make it, and its grammar on the host. For tests of one file. */
#ifndef WEFT_TESTS_LIB_SEGMENTS_H
#define WEFT_TESTS_LIB_SEGMENTS_H

#include "tests/lib/check.h"
#include "tools/lib/grammar/sequitur.h"

enum { INPUT_MAX = 100000 };

static uint32_t stream[INPUT_MAX];
static size_t stream_size;

static inline grammar *host_grammar(bool lookahead)
{
    grammar_builder *builder = grammar_builder_new(lookahead);
    size_t half = stream_size / 2;
    grammar_push(builder, stream, half);
    grammar_push(builder, stream + half, stream_size - half);
    return grammar_finish(builder);
}

/* A stream as programs make it: segments that come again, with changes. */
static inline void random_stream(check_random *random, size_t size, unsigned alphabet)
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

#endif
