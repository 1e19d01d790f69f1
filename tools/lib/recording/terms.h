/* SPDX-License-Identifier: MIT */
/* Reads what core/loopnest writes: a sequence of terms, each a symbol or a loop of terms. A term begins with a varint
 * of up to 64 bits:
 *
 *     2 symbol                     the symbol
 *     2 terms + 1, iterations      a loop whose body is that many of the terms that follow
 *     1, iterations                the last outermost loop again, that many times
 *
 * Two ways to read them: terms_visit shows the nest as it is written, terms_read gives the symbols that it stands
 * for. */
#ifndef WEFT_TOOLS_LIB_RECORDING_TERMS_H
#define WEFT_TOOLS_LIB_RECORDING_TERMS_H

#include "core/bytes.h"

/* Deeper nests are refused as corrupt. */
enum { TERMS_DEPTH_MAX = 64 };

/* Called for each term, in the order in which they are written. */
typedef struct terms_visitor {
    void *context;
    void (*symbol)(void *context, uint32_t symbol);
    void (*open)(void *context, uint32_t iterations); /* a loop begins */
    void (*close)(void *context);                     /* its body ends */
} terms_visitor;

/* Visits all terms in `bytes`; none of them may be of the third kind. WEFT_CORRUPT: they are not what core/loopnest
 * writes; the terms before the damage were visited. */
weft_status terms_visit(const uint8_t *bytes, size_t size, const terms_visitor *visitor);

/* A loop that is being run through. */
typedef struct terms_level {
    size_t body;          /* where its first term is */
    size_t resume;        /* where reading goes on after it; 0: right after its body */
    uint64_t terms, left; /* of the body; of this iteration */
    uint32_t iterations;  /* to come, this one included */
} terms_level;

/* The expansion, in pieces. */
typedef struct terms_reader {
    weft_reader reader; /* its status says whether the terms are sound so far */
    terms_level level[TERMS_DEPTH_MAX];
    unsigned depth;
    size_t last_body; /* of the last outermost loop, which may go on */
    uint64_t last_terms;
} terms_reader;

/* The bytes must stay valid. */
void terms_start(terms_reader *t, const uint8_t *bytes, size_t size);
/* Reads up to `max` symbols; fewer only at the end, or at damage: then t->reader.status is WEFT_CORRUPT. */
size_t terms_read(terms_reader *t, uint32_t *out, size_t max);

#endif
