/* SPDX-License-Identifier: MIT */
/* What concerns a segment as a whole: its begin, the numbers of its terminals, whether it still fits, and its written form (see
 * weft_seq_flush). Once a segment, or once a terminal. */
#include "core/sequitur.h"

#include <string.h>

typedef uint32_t word;

static unsigned bits_of(uint32_t x) /* not 0 */
{
    return 32u - (unsigned)__builtin_clz(x);
}

/* The largest segment after one more push takes, in bits: for each element, of which there are used - rules then, a code of a
 * known one and a bit that says more follow or not; or 2 instead of the code, as many times as there are terminals and rules; the
 * length of the start rule and a new terminal's value; and the terminals' values so far. Codes grow with the rules, and fewer
 * rules are more elements, so it holds for a range of rules only. */
bool weft_seq_fits(weft_seq *q, size_t room)
{
    enum { START_AND_TERMINAL = 31 + 60 };
    uint32_t codes = q->terminals_used + q->rules + WEFT_SEQ_RESERVE;
    unsigned bits = bits_of(codes - 1); /* 3 at least */
    uint32_t rules = q->rules / 8u * 7;
    uint32_t taken = q->terminal_bits + START_AND_TERMINAL;
    uint32_t all = (room < INT32_MAX / 8 ? (uint32_t)room * 8 : INT32_MAX) + (q->terminals_used + rules) * (bits - 1);
    uint32_t limit = all > taken ? (all - taken) / (bits + 2) + rules : 0;
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
    memset(q->digrams, 0, sizeof *q->digrams << (32 - q->digram_shift));
    memset(q->slots, 0, sizeof *q->slots << (32 - q->slot_shift));
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

/* Distance from the terminal before. Terminals are numbered, and written, in the order of their first appearance. */
static uint32_t terminal_step(const weft_seq *q, word terminal)
{
    uint32_t before = terminal ? q->terminals[terminal - 1] : UINT32_MAX;
    return weft_zigzag((int32_t)(q->terminals[terminal] - before));
}

/* Numbers a new terminal; the limits change with it. Gives its index, or WEFT_NONE: there is no room. */
uint32_t weft_seq_number(weft_seq *q, uint32_t symbol, uint32_t slot)
{
    word terminal = q->terminals_used;
    if (terminal == q->terminals_max)
        return WEFT_NONE;
    q->terminals[terminal] = symbol;
    q->terminal_bits += 2 * bits_of((terminal_step(q, terminal) >> 5) + 1) + 4;
    q->slots[slot] = (weft_handle)terminal;
    q->terminals_used++;
    q->used_limit = 0; /* look again at the next push */
    return terminal;
}

typedef struct bit_writer {
    weft_writer *out;
    size_t size_max; /* of out, or 0 if nothing can be stored there */
    uint32_t due;    /* its low `count` bits */
    unsigned count;
} bit_writer;

/* As weft_write_u8, without its calls where there is room. */
static void put_byte(const bit_writer *w, uint32_t byte)
{
    weft_writer *out = w->out;
    if (out->size < w->size_max)
        out->bytes[out->size++] = (uint8_t)byte;
    else
        weft_write_u8(out, (uint8_t)byte);
}

/* Up to 25 bits, which fit behind those that are due. */
static __attribute__((noinline)) void put_bits(bit_writer *w, uint32_t value, unsigned bits)
{
    unsigned count = w->count + bits;
    uint32_t due = w->due << bits | value;
    w->due = due;
    w->count = count % 8;
    while (count >= 8) {
        count -= 8;
        put_byte(w, due >> count);
    }
}

/* gamma(d / 32 + 1) and d % 32 in 5 bits: up to 60 bits, of which the upper half are zeros. */
static void put_terminal(bit_writer *w, uint32_t d)
{
    uint32_t x = (d >> 5) + 1;
    unsigned bits = 2 * bits_of(x) + 4;
    if (bits > 38) {
        put_bits(w, 0, bits - 38);
        bits = 38;
    }
    if (bits > 16) {
        put_bits(w, x >> 11, bits - 16);
        bits = 16;
    }
    put_bits(w, (uint16_t)(x << 5 | (d & 31)), bits);
}

static bool is_met_guard(const weft_seq_symbol *s)
{
    return s->chain == WEFT_SEQ_FREE;
}

/* Walks the start rule, and each other rule where it is met first. A guard that was met is marked as free, and keeps its number in
 * prev, the way back in value, and in next how many elements are left there that come without a bit. */
static void put_rules(weft_seq *q, bit_writer *w)
{
    weft_seq_symbol *const symbols = q->symbols;
    word terminals = 0, known = 0, bare = WEFT_SEQ_RULE; /* more than the start rule has */
    word at = symbols[WEFT_SEQ_START].next;
    while (at != WEFT_SEQ_START) {
        const weft_seq_symbol *s = &symbols[at];
        if (is_met_guard(s)) { /* the end of its rule */
            put_bits(w, 0, 1);
            bare = s->next;
            at = symbols[s->value].next;
            continue;
        }
        word value = s->value, code = value;
        weft_seq_symbol *fresh = NULL; /* guard of a rule that was not met */
        if (value & WEFT_SEQ_RULE) {
            weft_seq_symbol *guard = &symbols[value & ~WEFT_SEQ_RULE];
            code = terminals + guard->prev;
            if (!is_met_guard(guard))
                fresh = guard;
        }
        unsigned bits = 2;
        if (fresh || value == terminals) {
            code = fresh ? 2 : 3;
        } else {
            bits = bits_of(2 * known - 1);
            word unused = (1u << bits >> 1) - known;
            if (code < unused)
                bits--;
            else
                code += unused;
        }
        if (bare)
            bare--;
        else
            code |= 1u << bits++;
        put_bits(w, code, bits);
        if (fresh) {
            word first = fresh->next;
            *fresh =
                (weft_seq_symbol){(weft_handle)bare, (weft_handle)(known - terminals), (weft_handle)at, WEFT_SEQ_FREE};
            bare = 2;
            known++;
            at = first;
            continue;
        }
        if (value == terminals) {
            put_terminal(w, terminal_step(q, terminals++));
            known++;
        }
        at = s->next;
    }
}

weft_status weft_seq_flush(weft_seq *q, weft_writer *out)
{
    uint32_t length = 0;
    bit_writer w = {out, out->bytes && out->status == WEFT_OK ? out->size_max : 0, 0, 0};
    weft_seq_settle(q);
    for (word at = q->symbols[WEFT_SEQ_START].next; at != WEFT_SEQ_START; at = q->symbols[at].next)
        length++;
    if (length) {
        put_bits(&w, 0, bits_of(length) - 1);
        put_bits(&w, length, bits_of(length));
        put_rules(q, &w);
        put_bits(&w, 0, 7); /* fills the last byte */
    }
    weft_seq_reset(q);
    return out->status;
}
