/* SPDX-License-Identifier: MIT */
#include "core/bfcm.h"
#include "core/own.h"

#include <string.h>

#include "core/bfcm_hash.h"

const uint8_t weft_bfcm_contexts[WEFT_BFCM_METHODS][WEFT_BFCM_SIZES] = {
    {1, 2, 4},
    {1, 2, 4},
    {1, 3, 15},
    {1, 3, 15},
};

const char *const weft_bfcm_names[WEFT_BFCM_METHODS] = {"fcm", "dfcm", "last", "last-stride"};

static bool context_known(weft_bfcm_method method, unsigned context)
{
    if ((unsigned)method >= WEFT_BFCM_METHODS)
        return false;
    for (unsigned i = 0; i < WEFT_BFCM_SIZES; i++)
        if (weft_bfcm_contexts[method][i] == context)
            return true;
    return false;
}

size_t weft_bfcm_table_words(weft_bfcm_method method, unsigned context, unsigned table_bits)
{
    if (!context_known(method, context))
        return 0;
    if (method >= WEFT_BFCM_LAST)
        return context;
    return table_bits >= 1 && table_bits <= WEFT_BFCM_TABLE_BITS_MAX ? (size_t)2 << table_bits : 0;
}

unsigned weft_bfcm_flag_bits(weft_bfcm_method method, unsigned context)
{
    if (method < WEFT_BFCM_LAST)
        return 1;
    return context == 1 ? 1 : context == 3 ? 2 : 4;
}

size_t weft_bfcm_flags_size(weft_bfcm_method method, unsigned context, size_t values)
{
    return (values * weft_bfcm_flag_bits(method, context) + 7u) >> 3;
}

#define WORD uint32_t
#define NAME weft_bfcm
#define NAME_(x) weft_bfcm_##x
#include "core/bfcm_word.h"
#include "core/bfcm_word_cost.h"
#undef WORD
#undef NAME
#undef NAME_

#define WORD uint64_t
#define NAME weft_bfcm64
#define NAME_(x) weft_bfcm64_##x
#include "core/bfcm_word.h"
#include "core/bfcm_word_cost.h"
