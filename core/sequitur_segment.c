/* SPDX-License-Identifier: MIT */
/* The written form of a grammar: see weft_seq_flush. */
#include "core/sequitur.h"

#define COLD __attribute__((cold, noinline))

typedef uint32_t word;

/* Distance from the terminal before. Terminals are numbered, and written, in the order of their first appearance. */
static uint32_t terminal_step(const weft_seq *q, word terminal)
{
    uint32_t before = terminal ? q->terminals[terminal - 1] : UINT32_MAX;
    return weft_zigzag((int32_t)(q->terminals[terminal] - before));
}

static unsigned bits_of(uint32_t x)
{
    return x ? 32u - (unsigned)__builtin_clz(x) : 0;
}

unsigned weft_seq_terminal_bits(const weft_seq *q, uint32_t terminal)
{
    return 2 * bits_of((terminal_step(q, terminal) >> 3) + 1) + 2;
}

typedef struct bit_writer {
    weft_writer *out;
    uint32_t bits; /* the low `count` are due */
    unsigned count;
} bit_writer;

/* As weft_write_u8, without its calls where there is room. */
static void put_byte(weft_writer *out, uint32_t byte)
{
    if (out->bytes && out->size < out->size_max && out->status == WEFT_OK)
        out->bytes[out->size++] = (uint8_t)byte;
    else
        weft_write_u8(out, (uint8_t)byte);
}

/* Up to 32 bits, in steps of 16 so that they fit behind those that are due. */
static COLD void put_bits(bit_writer *w, uint32_t value, unsigned bits)
{
    while (bits) {
        unsigned step = bits > 16 ? bits - 16 : bits;
        bits -= step;
        w->bits = w->bits << step | (value >> bits & ((1u << step) - 1));
        for (w->count += step; w->count >= 8; w->count -= 8)
            put_byte(w->out, w->bits >> (w->count - 8));
    }
}

static COLD void put_gamma(bit_writer *w, uint32_t x)
{
    unsigned bits = bits_of(x);
    put_bits(w, 0, bits - 1);
    put_bits(w, x, bits);
}

static COLD void put_code(bit_writer *w, uint32_t value, uint32_t codes)
{
    unsigned bits = bits_of(codes - 1);
    uint32_t unused = (1u << bits) - codes;
    if (value < unused)
        put_bits(w, value, bits - 1);
    else
        put_bits(w, value + unused, bits);
}

/* Writes one element; for a new rule gives its guard, after which the rule's elements are due, else START. A guard that
 * was met keeps its number in prev, and is marked as free. */
static COLD word put_element(weft_seq *q, bit_writer *w, word value, word *terminals, word *rules)
{
    uint32_t known = (uint32_t)*terminals + *rules;
    if (value < WEFT_SEQ_RULE) {
        put_code(w, value < *terminals ? value : known, known + 2);
        if (value == *terminals) {
            uint32_t step = terminal_step(q, (*terminals)++);
            put_gamma(w, (step >> 3) + 1);
            put_bits(w, step & 7, 3);
        }
        return WEFT_SEQ_START;
    }
    weft_seq_symbol *guard = &q->symbols[value - WEFT_SEQ_RULE];
    bool met = guard->chain == WEFT_SEQ_FREE;
    put_code(w, met ? (uint32_t)*terminals + guard->prev : known + 1, known + 2);
    if (met)
        return WEFT_SEQ_START;
    guard->chain = WEFT_SEQ_FREE;
    guard->prev = (*rules)++;
    return value - WEFT_SEQ_RULE;
}

static bool is_met_guard(const weft_seq *q, word symbol)
{
    return q->symbols[symbol].chain == WEFT_SEQ_FREE;
}

/* Walks the start rule, and each other rule where it is met first. The way back from a rule is kept in its guard. */
static COLD void put_rules(weft_seq *q, bit_writer *w)
{
    word terminals = 0, rules = 0;
    unsigned depth = 0;
    word at = q->symbols[WEFT_SEQ_START].next;
    while (at != WEFT_SEQ_START) {
        const weft_seq_symbol *s = &q->symbols[at];
        if (is_met_guard(q, at)) { /* the end of its rule */
            put_bits(w, 0, 1);
            depth--;
            at = q->symbols[s->value].next;
            continue;
        }
        if (depth && !is_met_guard(q, s->prev) && !is_met_guard(q, q->symbols[s->prev].prev))
            put_bits(w, 1, 1); /* a third or later element */
        word rule = put_element(q, w, s->value, &terminals, &rules);
        if (rule == WEFT_SEQ_START) {
            at = s->next;
        } else {
            q->symbols[rule].value = at;
            at = q->symbols[rule].next;
            depth++;
        }
    }
}

COLD weft_status weft_seq_flush(weft_seq *q, weft_writer *out)
{
    uint32_t length = 0;
    bit_writer w = {out, 0, 0};
    weft_seq_settle(q);
    for (word at = q->symbols[WEFT_SEQ_START].next; at != WEFT_SEQ_START; at = q->symbols[at].next)
        length++;
    if (length) {
        put_gamma(&w, length);
        put_rules(q, &w);
        put_bits(&w, 0, 7); /* fills the last byte */
    }
    weft_seq_reset(q);
    return out->status;
}
