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

/* The chain of a returned symbol, so that weft_seq_check can tell it from a guard. */
#define FREE ((weft_handle)0xfffd)

static weft_handle *bucket(const weft_seq *q, uint32_t left, uint32_t right)
{
    return &q->digrams[(left * 0x9e3779b1u + right * 0x85ebca6bu) >> q->digram_shift];
}

static weft_handle *bucket_of(const weft_seq *q, const weft_seq_symbol *s)
{
    return bucket(q, s->value, q->symbols[s->next].value);
}

void weft_seq_reset(weft_seq *q)
{
    memset(q->digrams, 0xff, (sizeof *q->digrams << 31 >> q->digram_shift) << 1);
    q->symbols[WEFT_SEQ_START] = (weft_seq_symbol){WEFT_SEQ_START, WEFT_SEQ_START, 0, WEFT_SEQ_GUARD};
    q->fresh = 1;
    q->free_first = WEFT_NONE;
    q->used = 1;
    q->terminals_used = 0;
    q->rules = 0;
    q->pending = WEFT_NONE;
    q->deferred = WEFT_NONE;
}

static bool is_power_of_two(size_t value)
{
    return value && !(value & (value - 1));
}

weft_status weft_seq_init(weft_seq *q, const weft_seq_config *config)
{
    if (config->symbols_max < WEFT_SEQ_SYMBOLS_MIN || config->symbols_max > 32767u || config->digrams_max < 16 ||
        config->digrams_max > 32768u || !is_power_of_two(config->digrams_max) || config->terminals_max < 1 ||
        config->terminals_max > 32767u)
        return WEFT_CONFIG;
    q->symbols = config->symbols;
    q->digrams = config->digrams;
    q->terminals = config->terminals;
    q->chains = config->chains;
    q->symbols_max = (weft_handle)config->symbols_max;
    q->terminals_max = (weft_handle)config->terminals_max;
    q->high_water = 0;
    q->terminals_high = 0;
    q->lookahead = config->lookahead;
    q->digram_shift = 32;
    for (size_t size = config->digrams_max; size > 1; size /= 2)
        q->digram_shift--;
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
    q->symbols[symbol].chain = FREE;
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

/* The symbol in the table that begins the digram, or WEFT_NONE. */
static weft_handle find(const weft_seq *q, weft_handle left, weft_handle right)
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
    weft_handle known = find(q, s->value, q->symbols[s->next].value);
    if (known == WEFT_NONE) {
        enter(q, symbol);
        return;
    }
    if (q->symbols[known].next == symbol || s->next == known)
        return; /* overlap */
    weft_handle guard = whole_rule(q, known);
    if (guard != WEFT_SEQ_START) {
        substitute(q, symbol, guard);
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

/* The index of a symbol of the stream, or WEFT_NONE if there is no room for a new one. */
static weft_handle terminal_of(weft_seq *q, uint32_t symbol)
{
    (void)symbol;
    for (weft_handle i = 0; i < q->terminals_used; i++)
        if (q->terminals[i] == symbol)
            return i;
    if (q->terminals_used == q->terminals_max)
        return WEFT_NONE;
    q->terminals[q->terminals_used] = symbol;
    return q->terminals_used++;
}

/* The rule of SEQUITUR(1): do not make the rule if the next symbol and the last form an existing rule. */
static void look_ahead(weft_seq *q, weft_handle next)
{
    weft_handle last = q->symbols[WEFT_SEQ_START].prev;
    weft_handle known = find(q, q->symbols[last].value, next);
    if (known != WEFT_NONE && whole_rule(q, known) != WEFT_SEQ_START)
        q->deferred = WEFT_NONE;
    else
        weft_seq_settle(q);
}

weft_status weft_seq_push(weft_seq *q, uint32_t symbol)
{
    if (q->symbols_max - q->used < RESERVE)
        return WEFT_FULL;
    weft_handle terminal = terminal_of(q, symbol);
    if (terminal == WEFT_NONE)
        return WEFT_FULL;
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

/* The ring of a rule is whole; adds its symbols. */
static bool check_ring(const weft_seq *q, weft_handle guard, unsigned *symbols)
{
    unsigned length = 0;
    weft_handle at = guard;
    do {
        weft_handle next = q->symbols[at].next;
        if (next >= q->fresh || q->symbols[next].prev != at || length > q->used)
            return false;
        at = next;
        length++;
    } while (!weft_seq_is_guard(q, at));
    *symbols += length;
    return at == guard && (length > 2 || guard == WEFT_SEQ_START);
}

/* A rule is used as often as it says, twice at least. */
static bool check_uses(const weft_seq *q, weft_handle guard)
{
    unsigned uses = 0;
    for (weft_handle i = 0; i < q->fresh; i++)
        uses += q->symbols[i].chain != FREE && !weft_seq_is_guard(q, i) &&
                q->symbols[i].value == (guard | WEFT_SEQ_RULE);
    return uses == q->symbols[guard].value && (guard == WEFT_SEQ_START || uses >= 2);
}

/* The symbol's digram is in the table, once, or overlaps its twin there, or waits for the look-ahead. */
static bool check_digram(const weft_seq *q, weft_handle symbol)
{
    const weft_seq_symbol *s = &q->symbols[symbol];
    weft_handle known = find(q, s->value, q->symbols[s->next].value);
    if (known == WEFT_NONE)
        return false;
    return known == symbol || q->symbols[known].next == symbol || s->next == known || q->deferred == symbol;
}

bool weft_seq_check(const weft_seq *q)
{
    unsigned symbols = 0, rules = 0;
    for (weft_handle i = 0; i < q->fresh; i++) {
        if (q->symbols[i].chain == FREE)
            continue;
        if (has_digram(q, i) && !check_digram(q, i))
            return false;
        if (!weft_seq_is_guard(q, i))
            continue;
        rules++;
        if (!check_ring(q, i, &symbols) || !check_uses(q, i))
            return false;
    }
    return symbols == q->used && rules == q->rules + 1u && q->pending == WEFT_NONE;
}
