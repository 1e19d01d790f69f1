/* SPDX-License-Identifier: MIT */
/* The written form of a grammar (see weft_seq_flush). Once per segment. */
#include "core/own.h"
#include "core/sequitur_parts.h"

#if WEFT_SMALL
typedef struct bit_writer {
    weft_writer *out;
    uint32_t due; /* after a bit that is 1 */
} bit_writer;

/* Bit by bit. */
static __attribute__((noinline)) void put_bits(bit_writer *w, uint32_t value, unsigned bits)
{
    while (bits-- > 0) {
        w->due = w->due << 1 | (value >> bits & 1u);
        if (w->due >> 8) {
            weft_write_u8(w->out, (uint8_t)w->due);
            w->due = 1;
        }
    }
}

static __attribute__((noinline)) void put_gamma(bit_writer *w, uint32_t x)
{
    put_bits(w, 0, weft_seq_bits_of(x) - 1);
    put_bits(w, x, weft_seq_bits_of(x));
}

static void put_terminal(bit_writer *w, uint32_t d)
{
    put_gamma(w, (d >> 5) + 1);
    put_bits(w, d, 5);
}
#else
typedef struct bit_writer {
    weft_writer *out;
    size_t size_max; /* of out, or 0 if nothing can be stored there */
    uint32_t due;    /* its low `count` bits */
    unsigned count;
} bit_writer;

/* weft_write_u8, without its calls where there is room. */
static void put_byte(const bit_writer *w, uint32_t byte)
{
    weft_writer *out = w->out;
    if (out->size < w->size_max)
        out->bytes[out->size++] = (uint8_t)byte;
    else
        weft_write_u8(out, (uint8_t)byte);
}

/* Up to 25 bits, which fit after those that are due. */
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

static inline void put_gamma(bit_writer *w, uint32_t x)
{
    put_bits(w, 0, weft_seq_bits_of(x) - 1);
    put_bits(w, x, weft_seq_bits_of(x));
}

/* gamma(d / 32 + 1) and d % 32 in 5 bits: up to 60 bits, of which the upper half are zeros. */
static void put_terminal(bit_writer *w, uint32_t d)
{
    uint32_t x = (d >> 5) + 1;
    unsigned bits = 2 * weft_seq_bits_of(x) + 4;
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
#endif

static bool is_met_guard(const weft_seq_symbol *s)
{
    return s->chain == WEFT_SEQ_FREE;
}

/* Walks the start rule, and each other rule where it is first met. A guard that was met is marked as free. It keeps the
 * rule's number in prev, the place to return to in value, and in next how many elements are left there that come
 * without a bit. */
static void put_rules(weft_seq *q, bit_writer *w)
{
    weft_seq_symbol *const symbols = q->symbols;
    word terminals = 0, known = 0,
         bare = WEFT_SEQ_RULE; /* elements still to come without a bit: all of the start rule */
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
        weft_seq_symbol *fresh = NULL; /* guard of a rule that is met for the first time */
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
            bits = weft_seq_bits_of(2 * known - 1);
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
            put_terminal(w, weft_seq_terminal_step(q, terminals++));
            known++;
        }
        at = s->next;
    }
}

weft_status weft_seq_flush(weft_seq *q, weft_writer *out)
{
    uint32_t length = 0;
#if WEFT_SMALL
    bit_writer w = {out, 1};
#else
    bit_writer w = {out, out->bytes && out->status == WEFT_OK ? out->size_max : 0, 0, 0};
#endif
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
