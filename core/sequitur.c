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

/* A handle or a value in a register: 32 bits need no masking after each step. */
typedef uint32_t word;

/* What runs once a segment, or once a terminal, is compiled for size. */
#define COLD __attribute__((cold, noinline))
#define HOT __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))

INLINE weft_handle *bucket(const weft_seq *q, uint32_t left, uint32_t right)
{
    return &q->digrams[((left << 16) + right) * 0x9e3779b1u >> q->digram_shift];
}

INLINE word take(weft_seq *q, word value)
{
    word symbol = q->free_first;
    if (symbol)
        q->free_first = q->symbols[symbol].next;
    else
        symbol = q->fresh++;
    q->symbols[symbol].value = value;
    q->symbols[symbol].chain = 0;
    q->used++;
    return symbol;
}

INLINE void give(weft_seq *q, word symbol)
{
    q->symbols[symbol].next = q->free_first;
    q->symbols[symbol].chain = WEFT_SEQ_FREE;
    q->free_first = symbol;
    q->used--;
}

INLINE void join(weft_seq *q, word left, word right)
{
    q->symbols[left].next = right;
    q->symbols[right].prev = left;
}

/* The same where size counts more than speed. */
static COLD word take_small(weft_seq *q, word value)
{
    return take(q, value);
}

static COLD void give_small(weft_seq *q, word symbol)
{
    give(q, symbol);
}

static COLD void join_small(weft_seq *q, word left, word right)
{
    join(q, left, right);
}

static COLD bool has_digram(const weft_seq *q, word symbol)
{
    return !weft_seq_is_guard(q, symbol) && !weft_seq_is_guard(q, q->symbols[symbol].next);
}

/* Takes a symbol out of a list through the chain fields; false if it is not in it. */
static bool unchain(weft_seq *q, weft_handle *link, word symbol)
{
    for (; *link; link = &q->symbols[*link].chain)
        if (*link == symbol) {
            *link = q->symbols[symbol].chain;
            return true;
        }
    return false;
}

/* The symbol's digram is new or changed: look it up later. */
static COLD void suspend(weft_seq *q, word symbol)
{
    if (!has_digram(q, symbol))
        return;
    for (word at = q->pending; at; at = q->symbols[at].chain)
        if (at == symbol)
            return;
    q->symbols[symbol].chain = q->pending;
    q->pending = symbol;
}

/* The symbol's digram is in no bucket: it may be pending or deferred. */
static COLD void forget_pending(weft_seq *q, word symbol)
{
    if (!unchain(q, &q->pending, symbol) && q->deferred == symbol)
        q->deferred = 0;
}

/* In a run `aaa` the table held one of two overlapping digrams, that of `symbol`: the other must be looked up. */
static COLD void uncover(weft_seq *q, word symbol)
{
    const weft_seq_symbol *s = &q->symbols[symbol];
    if (q->symbols[s->prev].value == s->value)
        suspend(q, s->prev);
    if (q->symbols[q->symbols[s->next].next].value == s->value)
        suspend(q, s->next);
}

/* The symbol's digram is about to go. */
static HOT void forget(weft_seq *q, word symbol)
{
    weft_seq_symbol *const symbols = q->symbols;
    const weft_seq_symbol *s = &symbols[symbol];
    const weft_seq_symbol *next = &symbols[s->next];
    if ((s->chain | next->chain) & 0x8000) /* a guard */
        return;
    weft_handle *link = bucket(q, s->value, next->value);
    for (word at; (at = *link) != symbol; link = &symbols[at].chain)
        if (!at) {
            forget_pending(q, symbol);
            return;
        }
    *link = s->chain;
    if (s->value == next->value)
        uncover(q, symbol);
}

/* The symbol in a bucket that begins the digram, or 0. */
INLINE word find_in(const weft_seq *q, word at, word left, word right)
{
    while (at) {
        const weft_seq_symbol *s = &q->symbols[at];
        if (s->value == left && q->symbols[s->next].value == right)
            break;
        at = s->chain;
    }
    return at;
}

COLD weft_handle weft_seq_find(const weft_seq *q, weft_handle left, weft_handle right)
{
    return find_in(q, *bucket(q, left, right), left, right);
}

INLINE void enter(weft_seq *q, weft_handle *link, word symbol)
{
    q->symbols[symbol].chain = *link;
    *link = symbol;
}

/* The guard of the rule whose right side is the digram that begins at `symbol`, or the start rule's. */
INLINE word whole_rule(const weft_seq *q, word symbol)
{
    word guard = q->symbols[symbol].prev;
    word second = q->symbols[symbol].next;
    return weft_seq_is_guard(q, guard) && q->symbols[second].next == guard ? guard : WEFT_SEQ_START;
}

/* One use more or less of the rule that a value stands for, if it does. */
static COLD word whole_rule_small(const weft_seq *q, word symbol)
{
    return whole_rule(q, symbol);
}

static COLD void enter_small(weft_seq *q, word symbol)
{
    enter(q, bucket(q, q->symbols[symbol].value, q->symbols[q->symbols[symbol].next].value), symbol);
}

static COLD void count_use(weft_seq *q, word value, int change)
{
    if (value & WEFT_SEQ_RULE)
        q->symbols[value & ~WEFT_SEQ_RULE].value += (uint32_t)change;
}

/* The symbol's digram holds a rule that was made just now, so it is new: enter it. */
static COLD void enter_fresh(weft_seq *q, word symbol)
{
    if (has_digram(q, symbol))
        enter_small(q, symbol);
}

/* Puts a rule in the place of the digram that begins at `symbol`, which is in no list. */
static COLD void substitute(weft_seq *q, word symbol, word guard, void (*then)(weft_seq *, word))
{
    word second = q->symbols[symbol].next;
    word before = q->symbols[symbol].prev;
    forget(q, before);
    forget(q, second);
    count_use(q, q->symbols[symbol].value, -1);
    count_use(q, q->symbols[second].value, -1);
    q->symbols[guard].value++;
    q->symbols[symbol].value = guard | WEFT_SEQ_RULE;
    join_small(q, symbol, q->symbols[second].next);
    give_small(q, second);
    then(q, symbol);
    then(q, before);
}

/* Step 5, for a symbol at an end of a rule. */
static COLD void inline_if_used_once(weft_seq *q, word symbol)
{
    word guard = q->symbols[symbol].value & ~WEFT_SEQ_RULE;
    if (!(q->symbols[symbol].value & WEFT_SEQ_RULE) || q->symbols[guard].value != 1)
        return;
    word before = q->symbols[symbol].prev;
    word after = q->symbols[symbol].next;
    word last = q->symbols[guard].prev;
    forget(q, before);
    forget(q, symbol);
    join_small(q, before, q->symbols[guard].next);
    join_small(q, last, after);
    give_small(q, guard);
    give_small(q, symbol);
    q->rules--;
    suspend(q, last);
    suspend(q, before);
}

/* Step 4. The digram that begins at `known` is in the table. */
static COLD word make_rule(weft_seq *q, word known, word again)
{
    word left = q->symbols[known].value;
    word right = q->symbols[q->symbols[known].next].value;
    word guard = take_small(q, 0);
    word first = take_small(q, left);
    word second = take_small(q, right);
    q->symbols[guard].chain = WEFT_SEQ_GUARD;
    join_small(q, guard, first);
    join_small(q, first, second);
    join_small(q, second, guard);
    count_use(q, left, 1);
    count_use(q, right, 1);
    q->rules++;
    forget(q, known);
    substitute(q, again, guard, suspend);
    substitute(q, known, guard, enter_fresh);
    enter_small(q, first);
    return guard;
}

/* Steps 4 and 5 in one, where the digram's first symbol stands for a rule that is used here and there only: the rule is
 * prolonged by the second symbol. */
static COLD void prolong(weft_seq *q, word guard, word known, word again)
{
    word moved = q->symbols[known].next;
    word dropped = q->symbols[again].next;
    word last = q->symbols[guard].prev;
    forget(q, known);
    forget(q, moved);
    forget(q, dropped);
    join_small(q, known, q->symbols[moved].next);
    join_small(q, again, q->symbols[dropped].next);
    join_small(q, last, moved);
    join_small(q, moved, guard);
    count_use(q, q->symbols[dropped].value, -1);
    give_small(q, dropped);
    suspend(q, again);
    suspend(q, known);
    suspend(q, last);
    inline_if_used_once(q, moved);
}

/* The guard of the rule that a value stands for if it is used twice in all, else START. */
static word rule_used_twice(const weft_seq *q, word value)
{
    word guard = value & ~WEFT_SEQ_RULE;
    return value & WEFT_SEQ_RULE && q->symbols[guard].value == 2 ? guard : WEFT_SEQ_START;
}

/* Steps 3 to 5: the symbol's digram, which is in no list, is that of `known`, which is in the table. */
static COLD void match(weft_seq *q, word symbol, word known)
{
    const weft_seq_symbol *s = &q->symbols[symbol];
    if (q->symbols[known].next == symbol || s->next == known)
        return; /* overlap */
    word guard = whole_rule_small(q, known);
    if (guard != WEFT_SEQ_START) {
        substitute(q, symbol, guard, suspend);
    } else if (q->symbols_max - q->used < 3) {
        return; /* no room for a rule; cannot be, by WEFT_SEQ_RESERVE, in any stream that was tried */
    } else if (q->lookahead && q->symbols[s->next].next == WEFT_SEQ_START) {
        q->deferred = symbol;
        return;
    } else if ((guard = rule_used_twice(q, s->value)) != WEFT_SEQ_START) {
        prolong(q, guard, known, symbol);
        return;
    } else {
        guard = make_rule(q, known, symbol);
    }
    word last = q->symbols[guard].prev;
    inline_if_used_once(q, q->symbols[guard].next);
    inline_if_used_once(q, last);
}

/* Step 2, and the others, for all pending digrams. */
static COLD void work(weft_seq *q)
{
    while (q->pending) {
        word symbol = q->pending;
        const weft_seq_symbol *s = &q->symbols[symbol];
        q->pending = s->chain;
        word known = weft_seq_find(q, s->value, q->symbols[s->next].value);
        if (known)
            match(q, symbol, known);
        else
            enter_small(q, symbol);
    }
}

COLD void weft_seq_settle(weft_seq *q)
{
    word symbol = q->deferred;
    bool lookahead = q->lookahead;
    q->deferred = 0;
    q->lookahead = false; /* what would be deferred is made now */
    if (symbol)
        suspend(q, symbol);
    work(q);
    q->lookahead = lookahead;
}

/* ---- terminals ---- */

/* 1 + the index of a symbol of the stream; 0 if it is new, and then `*slot` is its place. */
INLINE word terminal_of(const weft_seq *q, uint32_t symbol, word *slot)
{
    const weft_handle *slots = q->slots;
    const uint32_t *terminals = q->terminals;
    *slot = symbol * 0x9e3779b1u >> q->slot_shift;
    word terminal = slots[*slot];
    while (terminal && terminals[terminal - 1] != symbol) {
        *slot = (*slot + 1) & 0xffffffffu >> q->slot_shift;
        terminal = slots[*slot];
    }
    return terminal;
}

/* ---- pushing ---- */

/* The rule of SEQUITUR(1): do not make the rule if the next symbol and the last form an existing rule. */
static COLD void look_ahead(weft_seq *q, word next)
{
    word last = q->symbols[WEFT_SEQ_START].prev;
    word known = weft_seq_find(q, q->symbols[last].value, next);
    if (known && whole_rule_small(q, known) != WEFT_SEQ_START)
        q->deferred = 0;
    else
        weft_seq_settle(q);
}

INLINE void add_last(weft_seq *q, word last, word value)
{
    word added = take(q, value);
    join(q, last, added);
    join(q, added, WEFT_SEQ_START);
}

/* Enters the last digram of the start rule if that is still due. */
INLINE void tighten(weft_seq *q, word before)
{
    if (q->loose)
        enter(q, q->loose, before);
    q->loose = NULL;
}

/* Takes the last symbol away. */
static COLD void drop_last(weft_seq *q)
{
    word last = q->symbols[WEFT_SEQ_START].prev;
    join_small(q, q->symbols[last].prev, WEFT_SEQ_START);
    give_small(q, last);
}

/* Steps 1 to 3, and 5 for them, at the end of the start rule, where nearly all happens. A value that completes a whole rule
 * with the last symbol is not appended: the rule is the value then, that symbol's place is the *carrier* for it, and so on
 * with the symbol before. Since the next push is likely to take the last symbol away again, the last digram, once it is known
 * to be new, stays *loose*: its bucket is kept and it is entered when another symbol has come. Anything else is left to
 * match. */
static void append(weft_seq *q, word value)
{
    weft_seq_symbol *const symbols = q->symbols;
    word carrier = 0;
    word last = symbols[WEFT_SEQ_START].prev, known;
    weft_handle *link;
    for (;;) {
        word left = symbols[last].value;
        link = bucket(q, left, value);
        known = last == WEFT_SEQ_START ? 0 : find_in(q, *link, left, value);
        word guard = known ? whole_rule(q, known) : WEFT_SEQ_START;
        if (guard == WEFT_SEQ_START)
            break;
        word before = symbols[last].prev;
        if (carrier)
            drop_last(q);
        if (!q->loose)
            forget(q, before);
        q->loose = NULL;
        carrier = last;
        last = before;
        value = guard | WEFT_SEQ_RULE;
        if (left & WEFT_SEQ_RULE && --symbols[left & ~WEFT_SEQ_RULE].value == 1) {
            drop_last(q); /* work must not see a carrier */
            carrier = 0;
            inline_if_used_once(q, known);
            work(q);
            last = symbols[WEFT_SEQ_START].prev;
        }
    }
    if (value & WEFT_SEQ_RULE)
        symbols[value & ~WEFT_SEQ_RULE].value++;
    bool overlap = false;
    if (carrier) {
        symbols[carrier].value = value;
    } else {
        word before = symbols[last].prev;
        overlap = q->loose && symbols[last].value == value && symbols[before].value == value; /* `aaa` */
        tighten(q, before);
        add_last(q, last, value);
    }
    if (known) {
        match(q, last, known);
        work(q);
    } else if (last != WEFT_SEQ_START && !overlap) {
        q->loose = link;
    }
}

weft_status weft_seq_push(weft_seq *q, uint32_t symbol, size_t room)
{
    word slot;
    word terminal = terminal_of(q, symbol, &slot);
    word sure = q->sure;
    if (sure == 0 || room != q->room) {
        sure = weft_seq_sure(q, room);
        if (sure == 0)
            return WEFT_FULL;
    }
    q->sure = (weft_handle)(sure - 1);
    if (!terminal) {
        terminal = weft_seq_number(q, symbol, slot);
        if (!terminal)
            return WEFT_FULL;
    }
    if (q->deferred)
        look_ahead(q, terminal - 1);
    append(q, terminal - 1);
    return WEFT_OK;
}
