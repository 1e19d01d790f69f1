/* SPDX-License-Identifier: MIT */
/* The steps are those of core/sequitur_push.c:
 *   1. the value is appended to the start rule, unless it completes a whole rule with the last symbol
 *   2. a digram that is new is entered in the table
 *   3. one that a whole rule consists of becomes that rule; any other that is known becomes a rule of its own, or makes
 *      the rule of its first symbol longer
 *   4. a rule that is used only once is put in the place of its use
 * Steps 3 and 4 change digrams, which wait as pending ones until they are looked at (step 2). */
#include "tools/lib/grammar/sequitur.h"

#include "tools/lib/grammar/digrams.h"
#include "tools/lib/grammar/sequitur_rest.h"

grammar_builder *grammar_builder_new(bool lookahead)
{
    grammar_builder *b = memory_zero(1, sizeof *b);
    b->lookahead = lookahead;
    reserve(b);
    b->symbols[START] = (symbol){START, START, GUARD};
    b->fresh = b->used = 1;
    b->free_first = b->deferred = NONE;
    b->table_mask = 255;
    b->table = memory_zero(b->table_mask + 1u, sizeof *b->table);
    return b;
}

static void builder_free(grammar_builder *b)
{
    free(b->symbols);
    free(b->table);
    free(b->pending);
    numbering_free(&b->terminals);
    free(b);
}

size_t grammar_builder_bytes(const grammar_builder *b)
{
    return sizeof *b + b->symbols_max * sizeof *b->symbols + (b->table_mask + (size_t)1) * sizeof *b->table +
           b->pending_max * sizeof *b->pending + numbering_bytes(&b->terminals);
}

/* The digram that begins at s is about to go: it leaves the table, or the list that it is in. Of `aaa` the second
 * digram was not entered; it is looked at again. */
static inline void forget(grammar_builder *b, uint32_t s)
{
    uint32_t left = b->symbols[s].value;
    uint32_t next = b->symbols[s].next;
    uint32_t right = b->symbols[next].value;
    if (left >= GUARD || right >= GUARD)
        return;
    uint32_t tag = digram_hash(left, right);
    uint32_t slot = tag & b->table_mask;
    while (b->table[slot].symbol && b->table[slot].symbol != s)
        slot = (slot + 1) & b->table_mask;
    if (!b->table[slot].symbol) {
        unsuspend(b, s);
        if (b->deferred == s)
            b->deferred = NONE;
        return;
    }
    table_remove(b, slot);
    if (left != right)
        return;
    if (b->symbols[b->symbols[s].prev].value == left)
        suspend(b, b->symbols[s].prev);
    if (b->symbols[b->symbols[next].next].value == left)
        suspend(b, next);
}

/* The guard of the rule that consists of the digram at s; START: there is none. */
static inline uint32_t whole_rule(const grammar_builder *b, uint32_t s)
{
    uint32_t guard = b->symbols[s].prev;
    return is_guard(b, guard) && b->symbols[b->symbols[s].next].next == guard ? guard : START;
}

static inline void count_use(grammar_builder *b, uint32_t value, int change)
{
    if (value & GRAMMAR_RULE)
        b->symbols[value & ~GRAMMAR_RULE].value += (uint32_t)change;
}

/* The digram at s contains a rule just created, so it is new: enter it. */
static void enter_fresh(grammar_builder *b, uint32_t s)
{
    if (is_guard(b, s) || is_guard(b, b->symbols[s].next))
        return;
    uint32_t tag = digram_hash(b->symbols[s].value, b->symbols[b->symbols[s].next].value);
    table_enter(b, find_free(b, tag), s, tag);
}

/* Puts a use of the rule in the place of the digram at s, which is in no list. `fresh`: the rule was just created. */
static inline void substitute(grammar_builder *b, uint32_t s, uint32_t guard, bool fresh)
{
    uint32_t second = b->symbols[s].next;
    uint32_t before = b->symbols[s].prev;
    forget(b, before);
    forget(b, second);
    count_use(b, b->symbols[s].value, -1);
    count_use(b, b->symbols[second].value, -1);
    b->symbols[guard].value++;
    b->symbols[s].value = guard | GRAMMAR_RULE;
    join(b, s, b->symbols[second].next);
    give(b, second);
    if (fresh) {
        enter_fresh(b, s);
        enter_fresh(b, before);
    } else {
        suspend(b, s);
        suspend(b, before);
    }
}

/* Step 4: s is the first or the last symbol of a rule. If it is the only use of another rule, it becomes that rule's
 * right side. */
static void inline_if_used_once(grammar_builder *b, uint32_t s)
{
    uint32_t guard = b->symbols[s].value & ~GRAMMAR_RULE;
    if (!(b->symbols[s].value & GRAMMAR_RULE) || b->symbols[guard].value != (GUARD | 1))
        return;
    uint32_t before = b->symbols[s].prev;
    uint32_t after = b->symbols[s].next;
    uint32_t last = b->symbols[guard].prev;
    forget(b, before);
    forget(b, s);
    join(b, before, b->symbols[guard].next);
    join(b, last, after);
    give(b, guard);
    give(b, s);
    b->rules--;
    suspend(b, last);
    suspend(b, before);
}

/* Makes a rule of the digram, which stands at `known`, in the table, and at `again`. */
static uint32_t make_rule(grammar_builder *b, uint32_t known, uint32_t again)
{
    uint32_t left = b->symbols[known].value;
    uint32_t right = b->symbols[b->symbols[known].next].value;
    uint32_t guard = take(b, GUARD);
    uint32_t first = take(b, left);
    uint32_t second = take(b, right);
    join(b, guard, first);
    join(b, first, second);
    join(b, second, guard);
    count_use(b, left, 1);
    count_use(b, right, 1);
    b->rules++;
    forget(b, known);
    substitute(b, again, guard, false);
    substitute(b, known, guard, true);
    enter_fresh(b, first);
    return guard;
}

/* As in core: both digrams begin with the only two uses of a rule, which is made longer by the second symbol. */
static void prolong(grammar_builder *b, uint32_t guard, uint32_t known, uint32_t again)
{
    uint32_t moved = b->symbols[known].next;
    uint32_t dropped = b->symbols[again].next;
    uint32_t last = b->symbols[guard].prev;
    forget(b, known);
    forget(b, moved);
    forget(b, dropped);
    join(b, known, b->symbols[moved].next);
    join(b, again, b->symbols[dropped].next);
    join(b, last, moved);
    join(b, moved, guard);
    count_use(b, b->symbols[dropped].value, -1);
    give(b, dropped);
    suspend(b, again);
    suspend(b, known);
    suspend(b, last);
    inline_if_used_once(b, moved);
}

static inline uint32_t rule_used_twice(const grammar_builder *b, uint32_t value)
{
    uint32_t guard = value & ~GRAMMAR_RULE;
    return value & GRAMMAR_RULE && b->symbols[guard].value == (GUARD | 2) ? guard : START;
}

/* Step 3: the digram at s, which is in no list, is the one at `known`. `settled`: there is no more look-ahead. */
static void match(grammar_builder *b, uint32_t s, uint32_t known, bool settled)
{
    uint32_t next = b->symbols[s].next;
    if (b->symbols[known].next == s || next == known)
        return; /* they overlap */
    uint32_t guard = whole_rule(b, known);
    if (guard != START) {
        substitute(b, s, guard, false);
    } else if ((guard = whole_rule(b, s)) != START) {
        forget(b, known);
        substitute(b, known, guard, false);
        suspend(b, b->symbols[guard].next);
    } else if (b->lookahead && !settled && b->symbols[next].next == START) {
        b->deferred = s;
        return;
    } else if ((guard = rule_used_twice(b, b->symbols[s].value)) != START) {
        prolong(b, guard, known, s);
        return;
    } else {
        guard = make_rule(b, known, s);
    }
    uint32_t last = b->symbols[guard].prev;
    inline_if_used_once(b, b->symbols[guard].next);
    inline_if_used_once(b, last);
}

/* Steps 2 to 4 for the pending digrams, until none is left. */
static void work(grammar_builder *b, bool settled)
{
    while (b->pending_count) {
        uint32_t s = b->pending[--b->pending_count];
        uint32_t left = b->symbols[s].value, right = b->symbols[b->symbols[s].next].value;
        uint32_t tag = digram_hash(left, right);
        entry *place = find(b, left, right, tag);
        if (place->symbol)
            match(b, s, place->symbol, settled);
        else
            table_enter(b, place, s, tag);
    }
}

/* SEQUITUR(1): the deferred digram is looked at without knowing what follows. */
static void settle(grammar_builder *b)
{
    uint32_t s = b->deferred;
    b->deferred = NONE;
    if (s != NONE)
        suspend(b, s);
    work(b, true);
}

/* SEQUITUR(1): `next` follows the deferred digram. If it completes a whole rule with the last symbol, that rule comes
 * first. */
static void look_ahead(grammar_builder *b, uint32_t next)
{
    uint32_t last = b->symbols[b->symbols[START].prev].value;
    uint32_t known = find(b, last, next, digram_hash(last, next))->symbol;
    if (known && whole_rule(b, known) != START)
        b->deferred = NONE;
    else
        settle(b);
}

/* Enters the last digram of the start rule, if that was put off. */
static inline void tighten(grammar_builder *b, uint32_t before)
{
    if (!b->loose)
        return;
    b->loose = false;
    table_enter(b, find_free(b, b->loose_tag), before, b->loose_tag);
}

/* Appends the value after the start rule's last symbol. `known`: where that digram stands already; START: nowhere. */
static inline void append_symbol(grammar_builder *b, uint32_t value, uint32_t known, uint32_t tag)
{
    uint32_t last = b->symbols[START].prev;
    uint32_t before = b->symbols[last].prev;
    bool overlap = b->loose && b->symbols[last].value == value && b->symbols[before].value == value; /* `aaa` */
    tighten(b, before);
    uint32_t added = take(b, value);
    join(b, last, added);
    join(b, added, START);
    if (known) {
        match(b, last, known, false);
        work(b, false);
    } else if (last != START && !overlap) {
        b->loose = true;
        b->loose_tag = tag;
    }
}

/* The rule, which consists of the digram at `known`, takes the place of the start rule's last symbol and of the value
 * that would follow it. Gives the value that is to be appended instead. */
static inline uint32_t fold_last(grammar_builder *b, uint32_t value, uint32_t known, uint32_t guard)
{
    uint32_t last = b->symbols[START].prev;
    uint32_t before = b->symbols[last].prev;
    uint32_t left = b->symbols[last].value;
    if (!b->loose)
        forget(b, before);
    b->loose = false;
    count_use(b, left, -1);
    count_use(b, value, -1);
    b->symbols[guard].value++;
    join(b, before, START);
    give(b, last);
    if (left & GRAMMAR_RULE) {
        inline_if_used_once(b, known);
        work(b, false);
    }
    return guard | GRAMMAR_RULE;
}

/* Step 1. A rule that is appended in the place of its symbols may complete a whole rule itself. */
static void append(grammar_builder *b, uint32_t value)
{
    for (;;) {
        uint32_t last = b->symbols[START].prev;
        uint32_t left = b->symbols[last].value;
        uint32_t tag = digram_hash(left, value);
        uint32_t known = last == START ? START : find(b, left, value, tag)->symbol;
        uint32_t guard = known ? whole_rule(b, known) : START;
        if (guard == START) {
            append_symbol(b, value, known, tag);
            return;
        }
        value = fold_last(b, value, known, guard);
    }
}

/* The number of the symbol. */
static inline uint32_t push(grammar_builder *b, uint32_t symbol)
{
    uint32_t terminal = numbering_of(&b->terminals, symbol);
    reserve(b);
    if (b->deferred != NONE)
        look_ahead(b, terminal);
    append(b, terminal);
    b->length++;
    return terminal;
}

void grammar_push(grammar_builder *b, const uint32_t *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++)
        push(b, symbols[i]);
}

void grammar_push_numbered(grammar_builder *b, uint32_t *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++)
        symbols[i] = push(b, symbols[i]);
}

const uint32_t *grammar_builder_terminals(const grammar_builder *b, size_t *count)
{
    *count = b->terminals.count;
    return b->terminals.values;
}

size_t grammar_builder_elements(const grammar_builder *b)
{
    return b->used;
}

grammar *grammar_finish(grammar_builder *b)
{
    settle(b);
    free(b->table);
    b->table = NULL;
    grammar *g = memory_zero(1, sizeof *g);
    g->rules = b->rules + (size_t)1;
    g->start = memory_zero(g->rules + 1, sizeof *g->start);
    g->symbols = memory_zero(b->used - g->rules, sizeof *g->symbols);
    g->terminal_count = b->terminals.count;
    g->terminals = numbering_take(&b->terminals);
    g->length = b->length;
    sequitur_copy_rules(b, g);
    builder_free(b);
    return g;
}
