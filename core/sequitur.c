/* SPDX-License-Identifier: MIT */
/* One push (Larus, figure 3):
 *   1. append the symbol to the start rule; its digram is pending
 *   2. take a pending digram; if it is new, enter it in the table
 *   3. if the table holds a whole rule's digram: replace the pending one by the rule
 *   4. else make a rule of the digram and replace both
 *   5. a rule that is used once only is put in the place of its use, which is at an end of the rule of 3 or 4
 * 3 to 5 make digrams, which become pending. The pending list runs through the chain fields, which only digrams in
 * the table use otherwise; it holds a few symbols. The last in is looked up first, as the recursion of the original does. */
#include "core/sequitur.h"

#include <string.h>

/* Free symbols that a push wants before it starts: one for the symbol, the others for rules. Making a rule takes two
 * more symbols than it returns at once, one more in the end. */
enum { RESERVE = 5 };

/* What runs once a segment, or once a terminal, is compiled for size. */
#define COLD __attribute__((cold, noinline))

static weft_handle *bucket(const weft_seq *q, uint32_t left, uint32_t right)
{
    return &q->digrams[(left * 0x9e3779b1u + right * 0x85ebca6bu) >> q->digram_shift];
}

static weft_handle *bucket_of(const weft_seq *q, const weft_seq_symbol *s)
{
    return bucket(q, s->value, q->symbols[s->next].value);
}

COLD void weft_seq_reset(weft_seq *q)
{
    memset(q->digrams, 0xff, sizeof *q->digrams << (32 - q->digram_shift));
    memset(q->slots, 0xff, sizeof *q->slots << (32 - q->slot_shift));
    q->symbols[WEFT_SEQ_START] = (weft_seq_symbol){WEFT_SEQ_START, WEFT_SEQ_START, 0, WEFT_SEQ_GUARD};
    q->fresh = 1;
    q->free_first = WEFT_NONE;
    q->used = 1;
    q->terminals_used = 0;
    q->rules = 0;
    q->terminal_bits = 0;
    q->code_bits = 1;
    q->pending = WEFT_NONE;
    q->deferred = WEFT_NONE;
}

static bool is_power_of_two(size_t value)
{
    return value && !(value & (value - 1));
}

/* A hash of 32 bits shifted right by this is an index below `size`, a power of two. */
static COLD uint8_t shift_for(size_t size)
{
    uint8_t shift = 32;
    for (; size > 1; size /= 2)
        shift--;
    return shift;
}

COLD weft_status weft_seq_init(weft_seq *q, const weft_seq_config *config)
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
    q->terminals_max = (weft_handle)config->terminals_max;
    q->high_water = 0;
    q->terminals_high = 0;
    q->lookahead = config->lookahead;
    q->digram_shift = shift_for(config->digrams_max);
    q->slot_shift = shift_for(config->slots_max);
    weft_seq_reset(q);
    return WEFT_OK;
}

static weft_handle take(weft_seq *q, weft_handle value)
{
    weft_handle symbol = q->free_first;
    if (symbol != WEFT_NONE)
        q->free_first = q->symbols[symbol].next;
    else
        symbol = q->fresh++;
    q->symbols[symbol].value = value;
    q->symbols[symbol].chain = WEFT_NONE;
    if (++q->used > q->high_water)
        q->high_water = q->used;
    return symbol;
}

static void give(weft_seq *q, weft_handle symbol)
{
    q->symbols[symbol].next = q->free_first;
    q->symbols[symbol].chain = WEFT_SEQ_FREE;
    q->free_first = symbol;
    q->used--;
}

static void join(weft_seq *q, weft_handle left, weft_handle right)
{
    q->symbols[left].next = right;
    q->symbols[right].prev = left;
}

static bool has_digram(const weft_seq *q, weft_handle symbol)
{
    return !weft_seq_is_guard(q, symbol) && !weft_seq_is_guard(q, q->symbols[symbol].next);
}

/* Takes a symbol out of a list through the chain fields; false if it is not in it. */
static bool unchain(weft_seq *q, weft_handle *link, weft_handle symbol)
{
    for (; *link != WEFT_NONE; link = &q->symbols[*link].chain)
        if (*link == symbol) {
            *link = q->symbols[symbol].chain;
            return true;
        }
    return false;
}

/* The symbol's digram is new or changed: look it up later. */
static void suspend(weft_seq *q, weft_handle symbol)
{
    if (!has_digram(q, symbol))
        return;
    for (weft_handle at = q->pending; at != WEFT_NONE; at = q->symbols[at].chain)
        if (at == symbol)
            return;
    q->symbols[symbol].chain = q->pending;
    q->pending = symbol;
}

/* The symbol's digram is about to go. In a run `aaa` the table holds one of two overlapping digrams: when it goes, the
 * other must be looked up. */
static void forget(weft_seq *q, weft_handle symbol)
{
    const weft_seq_symbol *s = &q->symbols[symbol];
    if (!has_digram(q, symbol))
        return;
    if (!unchain(q, bucket_of(q, s), symbol)) {
        if (!unchain(q, &q->pending, symbol) && q->deferred == symbol)
            q->deferred = WEFT_NONE;
        return;
    }
    if (s->value != q->symbols[s->next].value)
        return;
    if (q->symbols[s->prev].value == s->value)
        suspend(q, s->prev);
    if (q->symbols[q->symbols[s->next].next].value == s->value)
        suspend(q, s->next);
}

weft_handle weft_seq_find(const weft_seq *q, weft_handle left, weft_handle right)
{
    weft_handle at = *bucket(q, left, right);
    while (at != WEFT_NONE) {
        const weft_seq_symbol *s = &q->symbols[at];
        if (s->value == left && q->symbols[s->next].value == right)
            break;
        at = s->chain;
    }
    return at;
}

static void enter(weft_seq *q, weft_handle symbol)
{
    weft_handle *link = bucket_of(q, &q->symbols[symbol]);
    q->symbols[symbol].chain = *link;
    *link = symbol;
}

/* The guard of the rule whose right side is the digram that begins at `symbol`, or the start rule's. */
static weft_handle whole_rule(const weft_seq *q, weft_handle symbol)
{
    weft_handle guard = q->symbols[symbol].prev;
    weft_handle second = q->symbols[symbol].next;
    return weft_seq_is_guard(q, guard) && q->symbols[second].next == guard ? guard : WEFT_SEQ_START;
}

/* One use more or less of the rule that a value stands for, if it does. */
static void count_use(weft_seq *q, weft_handle value, int change)
{
    if (value & WEFT_SEQ_RULE)
        q->symbols[value & ~WEFT_SEQ_RULE].value += (weft_handle)change;
}

/* Puts a rule in the place of the digram that begins at `symbol`. */
static void substitute(weft_seq *q, weft_handle symbol, weft_handle guard)
{
    weft_handle second = q->symbols[symbol].next;
    weft_handle before = q->symbols[symbol].prev;
    forget(q, before);
    forget(q, symbol);
    forget(q, second);
    count_use(q, q->symbols[symbol].value, -1);
    count_use(q, q->symbols[second].value, -1);
    q->symbols[guard].value++;
    q->symbols[symbol].value = guard | WEFT_SEQ_RULE;
    join(q, symbol, q->symbols[second].next);
    unchain(q, &q->pending, symbol);
    give(q, second);
    suspend(q, symbol);
    suspend(q, before);
}

/* Step 5, for a symbol at an end of a rule. */
static void inline_if_used_once(weft_seq *q, weft_handle symbol)
{
    weft_handle guard = q->symbols[symbol].value & ~WEFT_SEQ_RULE;
    if (!(q->symbols[symbol].value & WEFT_SEQ_RULE) || q->symbols[guard].value != 1)
        return;
    weft_handle before = q->symbols[symbol].prev;
    weft_handle after = q->symbols[symbol].next;
    weft_handle last = q->symbols[guard].prev;
    forget(q, before);
    forget(q, symbol);
    join(q, before, q->symbols[guard].next);
    join(q, last, after);
    give(q, guard);
    give(q, symbol);
    q->rules--;
    suspend(q, last);
    suspend(q, before);
}

/* Step 4. The digram that begins at `known` is in the table. */
static weft_handle make_rule(weft_seq *q, weft_handle known, weft_handle again)
{
    weft_handle left = q->symbols[known].value;
    weft_handle right = q->symbols[q->symbols[known].next].value;
    weft_handle guard = take(q, 0);
    weft_handle first = take(q, left);
    weft_handle second = take(q, right);
    q->symbols[guard].chain = WEFT_SEQ_GUARD;
    join(q, guard, first);
    join(q, first, second);
    join(q, second, guard);
    count_use(q, left, 1);
    count_use(q, right, 1);
    q->rules++;
    substitute(q, again, guard);
    substitute(q, known, guard);
    enter(q, first);
    return guard;
}

/* Steps 2 to 5 for one pending digram. */
static void look_up(weft_seq *q, weft_handle symbol, bool settled)
{
    const weft_seq_symbol *s = &q->symbols[symbol];
    weft_handle known = weft_seq_find(q, s->value, q->symbols[s->next].value);
    if (known == WEFT_NONE) {
        enter(q, symbol);
        return;
    }
    if (q->symbols[known].next == symbol || s->next == known)
        return; /* overlap */
    weft_handle guard = whole_rule(q, known);
    if (guard != WEFT_SEQ_START) {
        substitute(q, symbol, guard);
    } else if (q->symbols_max - q->used < 3) {
        return; /* no room for a rule; cannot be, by RESERVE, in any stream that was tried */
    } else if ((guard = whole_rule(q, symbol)) != WEFT_SEQ_START) {
        substitute(q, known, guard);
        suspend(q, q->symbols[guard].next);
    } else if (q->lookahead && !settled && q->symbols[s->next].next == WEFT_SEQ_START) {
        q->deferred = symbol;
        return;
    } else {
        guard = make_rule(q, known, symbol);
    }
    weft_handle last = q->symbols[guard].prev;
    inline_if_used_once(q, q->symbols[guard].next);
    inline_if_used_once(q, last);
}

static void work(weft_seq *q, bool settled)
{
    while (q->pending != WEFT_NONE) {
        weft_handle symbol = q->pending;
        q->pending = q->symbols[symbol].chain;
        look_up(q, symbol, settled);
    }
}

void weft_seq_settle(weft_seq *q)
{
    weft_handle symbol = q->deferred;
    q->deferred = WEFT_NONE;
    if (symbol != WEFT_NONE)
        suspend(q, symbol);
    work(q, true);
}

/* ---- terminals ---- */

/* Distance from the terminal before. Terminals are numbered, and written, in the order of their first appearance. */
static uint32_t terminal_step(const weft_seq *q, weft_handle terminal)
{
    uint32_t before = terminal ? q->terminals[terminal - 1] : UINT32_MAX;
    return weft_zigzag((int32_t)(q->terminals[terminal] - before));
}

static unsigned bits_of(uint32_t x)
{
    unsigned bits = 0;
    for (; x; x >>= 1)
        bits++;
    return bits;
}

static COLD weft_handle add_terminal(weft_seq *q, uint32_t symbol)
{
    weft_handle terminal = q->terminals_used;
    if (terminal == q->terminals_max)
        return WEFT_NONE;
    q->terminals[terminal] = symbol;
    q->terminal_bits += 2 * bits_of((terminal_step(q, terminal) >> 3) + 1) + 2;
    if (++q->terminals_used > q->terminals_high)
        q->terminals_high = q->terminals_used;
    return terminal;
}

/* The slot that holds the index of a symbol of the stream, or will. */
static weft_handle *slot_of(const weft_seq *q, uint32_t symbol)
{
    uint32_t mask = 0xffffffffu >> q->slot_shift;
    uint32_t slot = symbol * 0x9e3779b1u >> q->slot_shift;
    while (q->slots[slot] != WEFT_NONE && q->terminals[q->slots[slot]] != symbol)
        slot = (slot + 1) & mask;
    return &q->slots[slot];
}

/* ---- pushing ---- */

/* The rule of SEQUITUR(1): do not make the rule if the next symbol and the last form an existing rule. */
static void look_ahead(weft_seq *q, weft_handle next)
{
    weft_handle last = q->symbols[WEFT_SEQ_START].prev;
    weft_handle known = weft_seq_find(q, q->symbols[last].value, next);
    if (known != WEFT_NONE && whole_rule(q, known) != WEFT_SEQ_START)
        q->deferred = WEFT_NONE;
    else
        weft_seq_settle(q);
}

/* The largest segment after one more push, in bits: each element has a code and may have a bit that says more follow;
 * then the length of the start rule, and a new terminal's value. */
static bool fits(weft_seq *q, size_t room)
{
    uint32_t codes = q->terminals_used + q->rules + 2u + RESERVE;
    while (codes > 1u << q->code_bits)
        q->code_bits++;
    uint32_t bits = q->terminal_bits + (uint32_t)q->used * (q->code_bits + 1u) + 31 + 66;
    return bits / 8 < room;
}

weft_status weft_seq_push_within(weft_seq *q, uint32_t symbol, size_t room)
{
    return fits(q, room) ? weft_seq_push(q, symbol) : WEFT_FULL;
}

weft_status weft_seq_push(weft_seq *q, uint32_t symbol)
{
    weft_handle *slot = slot_of(q, symbol);
    weft_handle terminal = *slot;
    if (q->symbols_max - q->used < RESERVE)
        return WEFT_FULL;
    if (terminal == WEFT_NONE) {
        terminal = add_terminal(q, symbol);
        if (terminal == WEFT_NONE)
            return WEFT_FULL;
        *slot = terminal;
    }
    if (q->deferred != WEFT_NONE)
        look_ahead(q, terminal);
    weft_handle last = q->symbols[WEFT_SEQ_START].prev;
    weft_handle added = take(q, terminal);
    join(q, last, added);
    join(q, added, WEFT_SEQ_START);
    suspend(q, last);
    work(q, false);
    return WEFT_OK;
}

/* ---- writing ---- */

typedef struct bit_writer {
    weft_writer *out;
    uint32_t byte; /* a 1 and the bits so far */
} bit_writer;

static COLD void put_bits(bit_writer *w, uint32_t value, unsigned bits)
{
    while (bits--) {
        w->byte = w->byte << 1 | (value >> bits & 1);
        if (w->byte > 0xff) {
            weft_write_u8(w->out, (uint8_t)w->byte);
            w->byte = 1;
        }
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
static COLD weft_handle put_element(weft_seq *q, bit_writer *w, weft_handle value, weft_handle *terminals, weft_handle *rules)
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

static bool is_met_guard(const weft_seq *q, weft_handle symbol)
{
    return q->symbols[symbol].chain == WEFT_SEQ_FREE;
}

/* Walks the start rule, and each other rule where it is met first. The way back from a rule is kept in its guard. */
static COLD void put_rules(weft_seq *q, bit_writer *w)
{
    weft_handle terminals = 0, rules = 0;
    unsigned depth = 0;
    weft_handle at = q->symbols[WEFT_SEQ_START].next;
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
        weft_handle rule = put_element(q, w, s->value, &terminals, &rules);
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
    bit_writer w = {out, 1};
    weft_seq_settle(q);
    for (weft_handle at = q->symbols[WEFT_SEQ_START].next; at != WEFT_SEQ_START; at = q->symbols[at].next)
        length++;
    if (length) {
        put_gamma(&w, length);
        put_rules(q, &w);
        put_bits(&w, 0, 7); /* fills the last byte */
    }
    weft_seq_reset(q);
    return out->status;
}
