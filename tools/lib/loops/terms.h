/* SPDX-License-Identifier: MIT */
/* Reads what core/loopnest writes: a sequence of terms, each a symbol or a loop of terms. */
#ifndef WEFT_TOOLS_LIB_LOOPS_TERMS_H
#define WEFT_TOOLS_LIB_LOOPS_TERMS_H

#include "core/bytes.h"

/* Deeper nests are refused as corrupt. */
enum { LOOPTERMS_DEPTH_MAX = 64 };

/* What the terms are told to, in order. */
typedef struct loopterms_visitor {
    void *context;
    void (*symbol)(void *context, uint32_t symbol);
    void (*open)(void *context, uint32_t count); /* a loop of so many iterations begins */
    void (*close)(void *context);                /* its body ends */
} loopterms_visitor;

/* Reads all terms in `bytes`. WEFT_CORRUPT: they are not what core/loopnest writes; what came before was visited. */
weft_status loopterms_visit(const uint8_t *bytes, size_t size, const loopterms_visitor *visitor);

/* Gives the symbols that the terms stand for, in order, at most `max` of them: WEFT_FULL if there were more.
 * `*count` is their number; symbol may be NULL. */
weft_status loopterms_expand(const uint8_t *bytes, size_t size, uint64_t max,
                             void (*symbol)(void *context, uint32_t symbol), void *context, uint64_t *count);

#endif
