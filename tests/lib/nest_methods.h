/* SPDX-License-Identifier: MIT */
/* Methods that find the nest of a stream, and streams as text: each character is a symbol. For tests of one file. */
#ifndef WEFT_TESTS_LIB_NEST_METHODS_H
#define WEFT_TESTS_LIB_NEST_METHODS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tests/lib/nas.h"
#include "tools/lib/loops/greedy.h"
#include "tools/lib/loops/optimal.h"
#include "tools/lib/loops/text.h"

typedef nest *method(const uint32_t *symbols, size_t size);

static const char *name_of(void *context, uint32_t symbol, char buffer[24])
{
    (void)context;
    buffer[0] = (char)symbol;
    buffer[1] = 0;
    return buffer;
}

static inline nest *nest_of(method *find, const char *text, size_t size)
{
    uint32_t *symbols = malloc((size + 1) * sizeof *symbols);
    for (size_t i = 0; i < size; i++)
        symbols[i] = (unsigned char)text[i];
    nest *n = find(symbols, size);
    free(symbols);
    return n;
}

static inline char *text_of(method *find, const char *text, size_t size)
{
    nest *n = nest_of(find, text, size);
    char *out = nest_to_text(n, true, name_of, NULL);
    nest_free(n);
    return out;
}

/* Whether the method writes the text as `want`. Prints what it wrote if not. */
static inline bool writes(method *find, const char *text, size_t size, const char *want)
{
    char *got = text_of(find, text, size);
    bool equal = !strcmp(got, want);
    if (!equal)
        fprintf(stderr, "# %.*s: got %.400s, want %.400s\n", size > 400 ? 400 : (int)size, text, got, want);
    free(got);
    EXPECT(equal);
    return true;
}

typedef struct comparison {
    const char *text;
    size_t size, at;
} comparison;

static inline bool compare_symbol(void *context, uint32_t symbol)
{
    comparison *c = context;
    return c->at < c->size && (unsigned char)c->text[c->at++] == symbol;
}

static inline bool expands_to(const nest *n, const char *text, size_t size)
{
    comparison c = {text, size, 0};
    EXPECT(n->length == size);
    EXPECT(nest_expand(n, compare_symbol, &c));
    EXPECT(c.at == size);
    return true;
}

static inline bool keeps(method *find, const char *text, size_t size)
{
    nest *n = nest_of(find, text, size);
    bool kept = expands_to(n, text, size);
    nest_free(n);
    return kept;
}

static inline bool is_its_own_nest(method *find, const char *shape, size_t size)
{
    char *text = malloc(size);
    bool good = nas_expand(shape, text, size) == size && writes(find, text, size, shape);
    free(text);
    EXPECT(good);
    return true;
}

/* Appends a random nest of about `max` symbols at most over the letters. */
static inline void random_nest(check_random *random, unsigned letters, unsigned depth, char *out, size_t *size,
                               size_t max)
{
    unsigned items = 1 + check_random_below(random, 4);
    for (unsigned i = 0; i < items && *size < max; i++) {
        if (depth == 0 || check_random_below(random, 3) == 0) {
            out[(*size)++] = (char)('a' + check_random_below(random, letters));
            continue;
        }
        size_t first = *size;
        random_nest(random, letters, depth - 1, out, size, first + (max - first) / 3);
        size_t body = *size - first;
        unsigned iterations = 1 + check_random_below(random, 6);
        for (unsigned l = 1; l < iterations && *size + body <= max; l++) {
            memcpy(out + *size, out + first, body);
            *size += body;
        }
    }
}

#endif
