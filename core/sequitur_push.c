/* SPDX-License-Identifier: MIT */
/* One push (Larus, figure 3):
 *   1. append the symbol to the start rule and look its digram up; if it is new, enter it in the table
 *   2. if the table holds it as a whole rule: replace the new digram by that rule
 *   3. else make a rule of the digram and replace both
 *   4. a rule that is used only once moves into the place of its use, which is at an end of the rule of 2 or 3
 * Steps 2 to 4 make digrams, which are looked up likewise.
 *
 * Nearly all of that happens at the end of the start rule, and what happens there nearly always is written out in
 * `append`. Other digrams are entered when they come up. If they are known, they wait in the pending list for the
 * general steps, in `match`. That list runs through the chain fields, which otherwise only digrams in the table use; it
 * holds a few symbols. The last one in is looked up first, as the recursion of the original does. */
#include "core/own.h"
#include "core/sequitur_links.h"

INLINE word take(weft_seq *q, word value)
{
    word symbol = q->free_first;
    if (symbol)
        q->free_first = q->symbols[symbol].next;
    else
        symbol = q->fresh++;
    q->symbols[symbol].value = (weft_handle)value;
    q->symbols[symbol].chain = 0;
    q->used++;
    return symbol;
}

/* The same, where size counts more than speed. */
static APART word take_small(weft_seq *q, word value)
{
    return take(q, value);
}

static APART void give(weft_seq *q, word symbol)
{
    q->symbols[symbol].next = q->free_first;
    q->symbols[symbol].chain = WEFT_SEQ_FREE;
    q->free_first = (weft_handle)symbol;
    q->used--;
}

static APART void suspend(weft_seq *q, word symbol)
{
    for (word at = q->pending; at; at = q->symbols[at].chain)
        if (at == symbol)
            return;
    enter(q, &q->pending, symbol);
}

/* For a symbol whose digram has changed, if it has one. A new digram is entered. A known one waits, and so does any
 * while others wait. */
static APART void offer(weft_seq *q, word symbol)
{
    weft_seq_symbol *const symbols = q->symbols;
    const weft_seq_symbol *s = &symbols[symbol];
    const weft_seq_symbol *next = &symbols[s->next];
    if ((s->chain | next->chain) & 0x8000) /* a guard */
        return;
    weft_handle *link = weft_seq_bucket(q, s->value, next->value);
    if (q->pending || find_in(symbols, *link, s->value, next->value))
        suspend(q, symbol);
    else
        enter(q, link, symbol);
}

/* In a run `aaa` the table held one of two overlapping digrams, that of `symbol`. The other must be looked up now. */
static APART void uncover(weft_seq *q, word symbol)
{
    const weft_seq_symbol *s = &q->symbols[symbol];
    if (q->symbols[s->prev].value == s->value && !weft_seq_is_guard(q, s->prev))
        suspend(q, s->prev);
    if (q->symbols[q->symbols[s->next].next].value == s->value && !weft_seq_is_guard(q, q->symbols[s->next].next))
        suspend(q, s->next);
}

/* The symbol's digram is about to change. If it is in no bucket, it may be pending or deferred. */
static APART void forget(weft_seq *q, word symbol)
{
    weft_seq_symbol *const symbols = q->symbols;
    const weft_seq_symbol *s = &symbols[symbol];
    const weft_seq_symbol *next = &symbols[s->next];
    if ((s->chain | next->chain) & 0x8000) /* a guard */
        return;
    if (unchain(symbols, weft_seq_bucket(q, s->value, next->value), symbol)) {
        if (s->value == next->value)
            uncover(q, symbol);
    } else if (!unchain(symbols, &q->pending, symbol) && q->deferred == symbol) {
        q->deferred = 0;
    }
}

/* Step 3: the digram that begins at `known` moves to a rule of its own, which is used in its place. */
static APART word make_rule(weft_seq *q, word known)
{
    weft_seq_symbol *const symbols = q->symbols;
    word before = symbols[known].prev;
    word second = symbols[known].next;
    forget(q, before);
    forget(q, second);
    word guard = take_small(q, 1);
    word use = take_small(q, guard | WEFT_SEQ_RULE);
    join(symbols, use, symbols[second].next);
    join(symbols, before, use);
    join(symbols, guard, known);
    join(symbols, second, guard);
    symbols[guard].chain = WEFT_SEQ_GUARD;
    if (++q->rules > q->rules_max && !WEFT_SMALL)
        q->used_limit = 0;
    offer(q, before);
    offer(q, use);
    return guard;
}

/* Step 4, for a symbol at an end of a rule. */
static APART void inline_if_used_once(weft_seq *q, word symbol)
{
    weft_seq_symbol *const symbols = q->symbols;
    word guard = symbols[symbol].value & ~WEFT_SEQ_RULE;
    if (!(symbols[symbol].value & WEFT_SEQ_RULE) || symbols[guard].value != 1)
        return;
    word before = symbols[symbol].prev;
    word last = symbols[guard].prev;
    forget(q, before);
    forget(q, symbol);
    join(symbols, last, symbols[symbol].next);
    join(symbols, before, symbols[guard].next);
    give(q, guard);
    give(q, symbol);
    if (--q->rules < q->rules_min && !WEFT_SMALL)
        q->used_limit = 0;
    offer(q, last);
    offer(q, before);
}

/* If a symbol stands for a rule, that has one use less. */
static APART void discount(weft_seq *q, word symbol)
{
    word value = q->symbols[symbol].value;
    if (value & WEFT_SEQ_RULE)
        q->symbols[value & ~WEFT_SEQ_RULE].value--;
}

/* Steps 2 to 4: the symbol's digram, which is in no list, is that of `known`, which is in the table.
 *
 * The symbol must not begin a right side of two, since that rule would be left with one symbol. A deferred digram does
 * not, since it is the last of the start rule. The digrams that steps 3 and 4 make contain a rule just created, or join
 * two symbols that had a rule between them. It is not proved that none of them occurs elsewhere. But none did in any
 * string of 27, 17 and 13 symbols over 2, 3 and 4 (look-ahead: 25, 15, 13), in those with fewer symbols in the pool, or
 * in 6 * 10^9 symbols of random repeats. tests/prop/prop_sequitur.c tries the shorter strings. */
static void match(weft_seq *q, word symbol, word known)
{
    weft_seq_symbol *const symbols = q->symbols;
    word second = symbols[symbol].next;
    if (symbols[known].next == symbol || second == known)
        return; /* overlap */
    word guard = whole_rule(symbols, known);
    if (guard == WEFT_SEQ_START) {
        if (q->symbols_max - q->used < 2)
            return; /* no room for a rule; WEFT_SEQ_RESERVE prevented that in every stream that was tried */
        if (q->lookahead && symbols[second].next == WEFT_SEQ_START) {
            q->deferred = (weft_handle)symbol;
            return;
        }
        guard = make_rule(q, known);
    }
    word before = symbols[symbol].prev;
    forget(q, before);
    forget(q, second);
    discount(q, symbol);
    discount(q, second);
    symbols[guard].value++;
    symbols[symbol].value = (weft_handle)(guard | WEFT_SEQ_RULE);
    join(symbols, symbol, symbols[second].next);
    give(q, second);
    offer(q, symbol);
    offer(q, before);
    word last = symbols[guard].prev;
    inline_if_used_once(q, symbols[guard].next);
    inline_if_used_once(q, last);
}

/* Enters the last digram of the start rule in the table, if it is not entered yet. */
INLINE void tighten(weft_seq *q, word before)
{
    if (WEFT_SMALL)
        return; /* it always is */
    if (q->loose)
        enter(q, q->loose, before);
    q->loose = NULL;
}

/* The general steps, for all pending digrams. */
static APART void work(weft_seq *q)
{
    tighten(q, q->symbols[q->symbols[WEFT_SEQ_START].prev].prev);
    while (q->pending) {
        word symbol = q->pending;
        const weft_seq_symbol *s = &q->symbols[symbol];
        q->pending = s->chain;
        weft_handle *link = weft_seq_bucket(q, s->value, q->symbols[s->next].value);
        word known = find_in(q->symbols, *link, s->value, q->symbols[s->next].value);
        if (known)
            match(q, symbol, known);
        else
            enter(q, link, symbol);
    }
}

void weft_seq_settle(weft_seq *q)
{
    word symbol = q->deferred;
    bool lookahead = q->lookahead;
    q->deferred = 0;
    q->lookahead = false; /* nothing is deferred from here on */
    if (symbol)
        offer(q, symbol);
    work(q);
    q->lookahead = lookahead;
}

/* ---- pushing ---- */

#if WEFT_SMALL
/* The steps as the head of this file has them. A deferred digram is dealt with first, unless the value makes a rule's
 * whole digram with its second symbol. */
static void append(weft_seq *q, word value)
{
    weft_seq_symbol *const symbols = q->symbols;
    if (q->deferred) {
        word last = symbols[WEFT_SEQ_START].prev, left = symbols[last].value;
        word known = find_in(symbols, *weft_seq_bucket(q, left, value), left, value);
        if (!known || whole_rule(symbols, known) == WEFT_SEQ_START)
            weft_seq_settle(q);
    }
    word last = symbols[WEFT_SEQ_START].prev, added = take_small(q, value);
    join(symbols, last, added);
    join(symbols, added, WEFT_SEQ_START);
    offer(q, last);
    work(q);
}
#else
/* Removes the last symbol of the start rule. */
static APART void drop_last(weft_seq *q)
{
    word last = q->symbols[WEFT_SEQ_START].prev;
    join(q->symbols, q->symbols[last].prev, WEFT_SEQ_START);
    give(q, last);
}

/* Steps 3 and 4 in one, where the digram's first symbol stands for a rule that is used only there and at the end of the
 * start rule: the rule is made longer by the second symbol. */
static void prolong(weft_seq *q, word guard, word known)
{
    weft_seq_symbol *const symbols = q->symbols;
    word last = symbols[guard].prev;
    word moved = symbols[known].next;
    forget(q, known);
    forget(q, moved);
    join(symbols, known, symbols[moved].next);
    join(symbols, last, moved);
    join(symbols, moved, guard);
    offer(q, known);
    offer(q, last);
}

/* Step 3 at the end of the start rule, for the digram of its last symbol and the next one. Gives the rule's guard.
 * START: the last symbol already stands for that rule. */
static APART word rule_of(weft_seq *q, word last, word known)
{
    const weft_seq_symbol *const symbols = q->symbols;
    word left = symbols[known].value, second = symbols[known].next;
    if (symbols[second].next == last)
        tighten(q, second);
    word guard = left & ~WEFT_SEQ_RULE;
    if (!(left & WEFT_SEQ_RULE) || symbols[guard].value != 2)
        return make_rule(q, known);
    prolong(q, guard, known);
    return WEFT_SEQ_START;
}

/* The steps at the end of the start rule. A value that makes a known digram with the last symbol is not appended.
 * Instead the digram's rule becomes the value, and the last symbol's place becomes the *carrier* for it; the same
 * follows for the symbol before. The next push is likely to take the last symbol away again. So the last digram, once
 * it is known to be new, stays *loose*: its bucket is kept, and it is entered when another symbol has come. */
INLINE void append(weft_seq *q, word value)
{
    weft_seq_symbol *const symbols = q->symbols;
    word last = symbols[WEFT_SEQ_START].prev, left, known, carrier;
    weft_handle *link;
    for (;;) {
        left = symbols[last].value;
        link = weft_seq_bucket(q, left, value);
        known = find_in(symbols, *link, left, value);
        word guard = known ? whole_rule(symbols, known) : WEFT_SEQ_START;
        if (guard == WEFT_SEQ_START) {
            if (q->deferred) {
                weft_seq_settle(q);
                last = symbols[WEFT_SEQ_START].prev;
                continue;
            }
            if (!known || symbols[known].next == last || q->lookahead)
                break;
        }
        if (symbols[last].next != WEFT_SEQ_START)
            drop_last(q);
        if (guard == WEFT_SEQ_START) {
            guard = rule_of(q, last, known);
            if (guard == WEFT_SEQ_START)
                goto done;
        }
        last = symbols[last].prev;
        if (!q->loose)
            forget(q, last);
        q->loose = NULL;
        value = guard | WEFT_SEQ_RULE;
        if (left & WEFT_SEQ_RULE && --symbols[left & ~WEFT_SEQ_RULE].value == 1) {
            drop_last(q); /* work must not see a carrier */
            inline_if_used_once(q, known);
            work(q);
            last = symbols[WEFT_SEQ_START].prev;
        }
    }
    if (value & WEFT_SEQ_RULE)
        symbols[value & ~WEFT_SEQ_RULE].value++;
    carrier = symbols[last].next;
    if (carrier != WEFT_SEQ_START) {
        symbols[carrier].value = (weft_handle)value;
    } else {
        word before = symbols[last].prev;
        if (q->loose && left == value && symbols[before].value == value)
            known = before; /* `aaa` */
        if (q->loose)
            enter(q, q->loose, before);
        carrier = take(q, value);
        join(symbols, last, carrier);
        join(symbols, carrier, WEFT_SEQ_START);
    }
    q->loose = known || last == WEFT_SEQ_START ? NULL : link;
    if (known && symbols[known].next != last)
        q->deferred = (weft_handle)last;
done:
    if (q->pending)
        work(q);
}
#endif

/* The index of a symbol of the stream. Index 0 also means that a slot is free, so that the first terminal needs no
 * slot. A new symbol gets 0, too, and its slot. */
INLINE word terminal_of(const weft_seq *q, uint32_t symbol, word *slot)
{
    const weft_handle *slots = q->slots;
    const uint32_t *terminals = q->terminals;
    word at = symbol * 0x9e3779b1u >> q->slot_shift, terminal;
    while (terminals[terminal = slots[at]] != symbol && terminal)
        at = (at + 1) & 0xffffffffu >> q->slot_shift;
    *slot = at;
    return terminal;
}

weft_status weft_seq_push(weft_seq *q, uint32_t symbol, size_t room)
{
    word slot;
    word terminal = terminal_of(q, symbol, &slot);
    if ((WEFT_SMALL || q->used > q->used_limit || room != q->room) && !weft_seq_fits(q, room))
        return WEFT_FULL;
    if (terminal == 0 && (q->terminals[0] != symbol || q->terminals_used == 0)) {
        terminal = weft_seq_number(q, symbol, slot);
        if (terminal == WEFT_NONE)
            return WEFT_FULL;
    }
    append(q, terminal);
    return WEFT_OK;
}
