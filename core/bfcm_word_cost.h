/* SPDX-License-Identifier: MIT */
/* The rest of core/bfcm_word.h: what a stream takes by each method, and which is the cheapest. Only core/bfcm.c
 * includes it, after that file and likewise for one width. */

#ifdef WORD

static size_t NAME_(word_size)(WORD value)
{
    size_t size = 0;
    for (; value; value >>= 8)
        size++;
    return size;
}

/* Bytes of a miss. A small negative stride is as cheap as a small positive one. */
static size_t NAME_(miss_cost)(WORD symbol, bool stride)
{
    WORD sign = symbol >> (8 * sizeof(WORD) - 1) ? (WORD)-1 : 0;
    return NAME_(word_size)(stride ? (WORD)(symbol << 1) ^ sign : symbol);
}

size_t NAME_(cost)(const NAME_(config) *config, const WORD *values, size_t count)
{
    NAME b = {.config = *config};
    bool stride = NAME_(is_stride)(&b), last = NAME_(is_last)(&b);
    size_t bytes = weft_bfcm_flags_size(config->method, config->context, count);
    unsigned n = config->context;
    WORD before = 0;
    NAME_(clear)(config);
    NAME_(state) s = NAME_(load)(&b);
    for (size_t i = 0; i < count; i++) {
        WORD symbol = stride ? values[i] - before : values[i];
        before = values[i];
        if (last) {
            unsigned place = 0;
            while (place < n && s.tables[place] != symbol)
                place++;
            if (place == n) {
                bytes += NAME_(miss_cost)(symbol, stride);
                s.tables[--place] = symbol;
            }
            NAME_(rotate)(s.tables, place, 0);
        } else {
            WORD *word = &s.tables[2u * s.row];
            if (*word != symbol)
                bytes += NAME_(miss_cost)(symbol, stride);
            *word = symbol;
            NAME_(shift_right)(&s, symbol);
            s.row = NAME_(row)(&s);
        }
    }
    NAME_(clear)(config);
    return bytes;
}

void NAME_(choose)(NAME_(config) *config, const WORD *values, size_t count)
{
    NAME_(config) trial = *config;
    size_t best = SIZE_MAX;
    /* From the end, so that of equal costs the simplest wins. */
    for (unsigned method = WEFT_BFCM_METHODS; method-- > 0;)
        for (unsigned size = WEFT_BFCM_SIZES; size-- > 0;) {
            trial.method = (weft_bfcm_method)method;
            trial.context = weft_bfcm_contexts[method][size];
            size_t cost = NAME_(cost)(&trial, values, count);
            if (cost < best) {
                best = cost;
                config->method = trial.method;
                config->context = trial.context;
            }
        }
}

#endif
