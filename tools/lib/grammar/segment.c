/* SPDX-License-Identifier: MIT */
#include "tools/lib/grammar/segment.h"

#include "core/bytes.h"
#include "tools/lib/grammar/reading.h"

typedef struct reading {
    const uint8_t *bytes;
    size_t bit, bits; /* next, and all */
    bool bad;
    bool codes; /* as in segment.h */
    grammar_reading rules;
    uint32_t start_left; /* elements of the start rule to come */
} reading;

static uint32_t get_bits(reading *r, unsigned count)
{
    uint32_t value = 0;
    for (; count; count--, r->bit++) {
        if (r->bit >= r->bits) {
            r->bad = true;
            return 0;
        }
        value = value << 1 | (r->bytes[r->bit / 8] >> (7 - r->bit % 8) & 1u);
    }
    return value;
}

static uint32_t get_gamma(reading *r)
{
    unsigned zeros = 0;
    while (!r->bad && !get_bits(r, 1))
        if (++zeros > 31)
            r->bad = true;
    return r->bad ? 1 : 1u << zeros | get_bits(r, zeros);
}

static uint32_t get_code(reading *r, uint32_t codes)
{
    if (codes < 2) {
        r->bad |= codes == 0;
        return 0;
    }
    unsigned bits = 32u - (unsigned)__builtin_clz(codes - 1);
    uint32_t unused = (1u << bits) - codes;
    uint32_t value = get_bits(r, bits - 1);
    return value < unused ? value : (value << 1 | get_bits(r, 1)) - unused;
}

static uint32_t new_terminal(reading *r)
{
    uint32_t before = r->rules.terminal_count ? r->rules.terminals[r->rules.terminal_count - 1] : UINT32_MAX;
    unsigned low = r->codes ? 3 : 5;
    uint32_t high = get_gamma(r) - 1;
    uint32_t step = high << low | get_bits(r, low);
    return before + (uint32_t)weft_unzigzag(step);
}

static void read_element(reading *r)
{
    uint32_t terminals = (uint32_t)r->rules.terminal_count, known = terminals + r->rules.rules;
    uint32_t value;
    if (r->codes)
        value = get_code(r, known + 2);
    else if (get_bits(r, 1))
        value = known + !get_bits(r, 1);
    else
        value = get_code(r, known);
    r->start_left -= r->rules.depth == 1;
    if (value < terminals)
        grammar_reading_known(&r->rules, value);
    else if (value < known)
        grammar_reading_known(&r->rules, GRAMMAR_RULE | (value - terminals + 1));
    else if (value == known)
        grammar_reading_terminal(&r->rules, new_terminal(r));
    else
        grammar_reading_rule(&r->rules);
}

grammar *grammar_segment_read(const uint8_t *bytes, size_t size, bool codes)
{
    reading r = {.bytes = bytes, .bits = 8 * size, .codes = codes};
    grammar_reading_begin(&r.rules);
    r.start_left = size ? get_gamma(&r) : 0;
    while (!r.bad && (r.start_left || r.rules.depth > 1)) {
        if (r.rules.depth > 1 && grammar_reading_top(&r.rules)->count >= 2 && !get_bits(&r, 1))
            grammar_reading_leave(&r.rules);
        else
            read_element(&r);
    }
    r.bad |= size && (r.bits - r.bit >= 8 || get_bits(&r, (unsigned)(r.bits - r.bit)) != 0);
    return grammar_reading_finish(&r.rules, !r.bad);
}
