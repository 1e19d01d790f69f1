/* SPDX-License-Identifier: MIT */
/* The memory of a grammar: its start, the numbers of its terminals, and whether one more push fits it and the segment.
 * Once per segment, or once per terminal. */
#include <string.h>

#include "core/own.h"
#include "core/sequitur_parts.h"

/* Bits of the largest segment after one more push:
 *   - per element, of which there are used - rules then, a code of a known one and a bit that says whether more follow;
 *     instead of the code 2 bits, as many times as there are terminals and rules
 *   - the length of the start rule, and a new terminal's value
 *   - the terminals' values so far
 * Codes grow with the rules, and with fewer rules there are more elements. So the limit holds only for a range of
 * rules. */
bool weft_seq_fits(weft_seq *q, size_t room)
{
    enum { START_AND_TERMINAL = 31 + 60 };
    uint32_t codes = (uint32_t)q->terminals_used + q->rules + WEFT_SEQ_RESERVE;
    unsigned bits = weft_seq_bits_of(codes - 1); /* 3 at least */
    uint32_t rules = WEFT_SMALL ? q->rules : q->rules / 8u * 7;
    uint32_t taken = q->terminal_bits + START_AND_TERMINAL;
    uint32_t all = (room < INT32_MAX / 8 ? (uint32_t)room * 8 : INT32_MAX) + (q->terminals_used + rules) * (bits - 1);
    uint32_t limit = all > taken ? (all - taken) / (bits + 2) + rules : 0;
    if (WEFT_SMALL) /* computed for each push */
        return q->used <= limit && q->used <= q->used_max;
    q->room = room;
    q->rules_min = (weft_handle)rules;
    q->rules_max = (weft_handle)((1u << bits) - codes + q->rules);
    q->used_limit = (weft_handle)(limit < q->used_max ? limit : q->used_max);
    return q->used <= q->used_limit;
}

void weft_seq_reset(weft_seq *q)
{
    q->high_water = weft_seq_high_water(q);
    q->terminals_high = weft_seq_terminals_high(q);
    memset(q->digrams, 0, sizeof *q->digrams << (32u - q->digram_shift));
    memset(q->slots, 0, sizeof *q->slots << (32u - q->slot_shift));
    q->symbols[WEFT_SEQ_START] = (weft_seq_symbol){WEFT_SEQ_START, WEFT_SEQ_START, WEFT_SEQ_NO_VALUE, WEFT_SEQ_GUARD};
    q->fresh = 1;
    q->free_first = 0;
    q->used = 1;
    q->terminals_used = 0;
    q->rules = 0;
    q->terminal_bits = 0;
    q->used_limit = 0;
    q->pending = 0;
    q->loose = NULL;
    q->deferred = 0;
}

static bool is_power_of_two(size_t value)
{
    return value && !(value & (value - 1));
}

/* A hash of 32 bits shifted right by this is an index below `size`, a power of two above 1. */
static uint8_t shift_for(size_t size)
{
    return (uint8_t)(__builtin_clz((uint32_t)size) + 1);
}

weft_status weft_seq_init(weft_seq *q, const weft_seq_config *config)
{
    if (config->symbols_max < WEFT_SEQ_SYMBOLS_MIN || config->symbols_max > 32767u || config->digrams_max < 16 ||
        config->digrams_max > 32768u || !is_power_of_two(config->digrams_max) || config->terminals_max < 1 ||
        config->terminals_max > 32767u || config->slots_max <= config->terminals_max || config->slots_max > 65536u ||
        !is_power_of_two(config->slots_max))
        return WEFT_CONFIG;
    q->symbols = config->symbols;
    q->digrams = config->digrams;
    q->terminals = config->terminals;
    q->slots = config->slots;
    q->symbols_max = (weft_handle)config->symbols_max;
    q->used_max = (weft_handle)(config->symbols_max - WEFT_SEQ_RESERVE);
    q->terminals_max = (weft_handle)config->terminals_max;
    q->high_water = 0;
    q->fresh = 0;
    q->terminals_high = 0;
    q->terminals_used = 0;
    q->room = 0;
    q->lookahead = config->lookahead;
    q->digram_shift = shift_for(config->digrams_max);
    q->slot_shift = shift_for(config->slots_max);
    weft_seq_reset(q);
    return WEFT_OK;
}

/* The limits change with a new terminal. */
uint32_t weft_seq_number(weft_seq *q, uint32_t symbol, uint32_t slot)
{
    uint32_t terminal = q->terminals_used;
    if (terminal == q->terminals_max)
        return WEFT_NONE;
    q->terminals[terminal] = symbol;
    q->terminal_bits += 2 * weft_seq_bits_of((weft_seq_terminal_step(q, terminal) >> 5) + 1) + 4;
    q->slots[slot] = (weft_handle)terminal;
    q->terminals_used++;
    q->used_limit = 0; /* the next push computes it again */
    return terminal;
}
