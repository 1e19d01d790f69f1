/* SPDX-License-Identifier: MIT */
/* The steps are those of core/sequitur.c, on 32-bit handles and in tables that grow. What differs is for speed:
 *   - the value of a guard has its two top bits set, so that one comparison of values tells all
 *   - pending digrams are on a small stack of their own
 *   - the digram table holds 8-byte entries, a symbol and a tag of its digram, so that a look-up that fails touches
 *     one cache line and one that succeeds three */
#include "tools/lib/grammar/grammar.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"

#define NONE UINT32_MAX
#define GUARD 0xc0000000u /* in the value of a guard; the rest counts the uses of the rule */
enum { START = 0 };

typedef struct symbol {
    uint32_t next, prev, value;
} symbol;

/* An element of the digram table; symbol 0, the start rule's guard, marks a free one. */
typedef struct entry {
    uint32_t symbol, tag;
} entry;

struct grammar_builder {
    symbol *symbols;
    entry *table;
    uint32_t *pending;
    uint32_t pending_count, pending_max;
    uint32_t fresh, symbols_max, free_first, used;
    uint32_t table_mask, table_used;
    uint32_t deferred;
    bool loose; /* the last digram of the start rule is new but not entered; its tag: */
    uint32_t loose_tag;
    uint32_t rules;
    bool lookahead;
    numbering terminals;
    uint64_t length;
};

grammar_builder *grammar_builder_new(bool lookahead)
{
    grammar_builder *b = memory_zero(1, sizeof *b);
    b->lookahead = lookahead;
    b->symbols_max = 256;
    b->symbols = memory_zero(b->symbols_max, sizeof *b->symbols);
    b->symbols[START] = (symbol){START, START, GUARD};
    b->fresh = b->used = 1;
    b->free_first = b->deferred = NONE;
    b->table_mask = 255;
    b->table = memory_zero(b->table_mask + 1u, sizeof *b->table);
    b->pending_max = 64;
    b->pending = memory_zero(b->pending_max, sizeof *b->pending);
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
    return sizeof *b + (size_t)b->symbols_max * sizeof *b->symbols + (b->table_mask + (size_t)1) * sizeof *b->table +
           b->pending_max * sizeof *b->pending + numbering_bytes(&b->terminals);
}

/* ---- symbols ---- */

static inline uint32_t take(grammar_builder *b, uint32_t value)
{
    uint32_t s = b->free_first;
    if (s != NONE)
        b->free_first = b->symbols[s].next;
    else
        s = b->fresh++;
    b->symbols[s].value = value;
    b->used++;
    return s;
}

static inline void give(grammar_builder *b, uint32_t s)
{
    b->symbols[s].next = b->free_first;
    b->symbols[s].value = NONE;
    b->free_first = s;
    b->used--;
}

static inline void join(grammar_builder *b, uint32_t left, uint32_t right)
{
    b->symbols[left].next = right;
    b->symbols[right].prev = left;
}

static inline bool is_guard(const grammar_builder *b, uint32_t s)
{
    return b->symbols[s].value >= GUARD;
}

/* ---- digram table ---- */

static inline uint32_t digram_hash(uint32_t left, uint32_t right)
{
    uint64_t key = (uint64_t)left << 32 | right;
    key *= 0x9e3779b97f4a7c15u;
    key ^= key >> 29;
    key *= 0xbf58476d1ce4e5b9u;
    return (uint32_t)(key >> 32);
}

static inline bool is_digram(const grammar_builder *b, uint32_t s, uint32_t left, uint32_t right)
{
    return b->symbols[s].value == left && b->symbols[b->symbols[s].next].value == right;
}

/* The place of the digram: where it is, or where it would go. */
static inline entry *find(const grammar_builder *b, uint32_t left, uint32_t right, uint32_t tag)
{
    uint32_t slot = tag & b->table_mask;
    for (;; slot = (slot + 1) & b->table_mask) {
        entry *e = b->table + slot;
        if (!e->symbol || (e->tag == tag && is_digram(b, e->symbol, left, right)))
            return e;
    }
}

static void table_grow(grammar_builder *b)
{
    entry *old = b->table;
    uint32_t size = b->table_mask + 1u;
    b->table_mask = 2 * size - 1;
    b->table = memory_zero(b->table_mask + (size_t)1, sizeof *b->table);
    for (uint32_t i = 0; i < size; i++) {
        if (!old[i].symbol)
            continue;
        uint32_t slot = old[i].tag & b->table_mask;
        while (b->table[slot].symbol)
            slot = (slot + 1) & b->table_mask;
        b->table[slot] = old[i];
    }
    free(old);
}

/* Fills the hole at a slot by moving up what comes behind it (no tombstones). */
static void table_remove(grammar_builder *b, uint32_t hole)
{
    uint32_t mask = b->table_mask;
    for (uint32_t slot = (hole + 1) & mask; b->table[slot].symbol; slot = (slot + 1) & mask) {
        uint32_t home = b->table[slot].tag & mask;
        if (((slot - home) & mask) >= ((slot - hole) & mask)) {
            b->table[hole] = b->table[slot];
            hole = slot;
        }
    }
    b->table[hole].symbol = 0;
    b->table_used--;
}

/* ---- the steps of core/sequitur.c ---- */

static inline void suspend(grammar_builder *b, uint32_t s)
{
    if (is_guard(b, s) || is_guard(b, b->symbols[s].next))
        return;
    for (uint32_t i = 0; i < b->pending_count; i++)
        if (b->pending[i] == s)
            return;
    if (b->pending_count == b->pending_max) {
        b->pending_max *= 2;
        b->pending = memory_grow(b->pending, b->pending_max, sizeof *b->pending);
    }
    b->pending[b->pending_count++] = s;
}

static inline void unsuspend(grammar_builder *b, uint32_t s)
{
    for (uint32_t i = 0; i < b->pending_count; i++)
        if (b->pending[i] == s) {
            b->pending_count--;
            memmove(b->pending + i, b->pending + i + 1, (b->pending_count - i) * sizeof *b->pending);
            return;
        }
}

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

static inline void enter(grammar_builder *b, entry *place, uint32_t s, uint32_t tag)
{
    *place = (entry){s, tag};
    if (++b->table_used > b->table_mask - b->table_mask / 4)
        table_grow(b);
}

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

/* The symbol's digram holds a rule that was made just now, so it is new: enter it. */
static void enter_fresh(grammar_builder *b, uint32_t s)
{
    if (is_guard(b, s) || is_guard(b, b->symbols[s].next))
        return;
    uint32_t tag = digram_hash(b->symbols[s].value, b->symbols[b->symbols[s].next].value);
    uint32_t slot = tag & b->table_mask;
    while (b->table[slot].symbol)
        slot = (slot + 1) & b->table_mask;
    enter(b, b->table + slot, s, tag);
}

/* The digram that begins at s is in no list. */
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

/* As in core: the rule of the first symbol, which is used here and there only, takes the second symbol up. */
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

/* The symbol's digram, which is in no list, is that of `known`. */
static void match(grammar_builder *b, uint32_t s, uint32_t known, bool settled)
{
    uint32_t next = b->symbols[s].next;
    if (b->symbols[known].next == s || next == known)
        return; /* overlap */
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
            enter(b, place, s, tag);
    }
}

static void settle(grammar_builder *b)
{
    uint32_t s = b->deferred;
    b->deferred = NONE;
    if (s != NONE)
        suspend(b, s);
    work(b, true);
}

static void look_ahead(grammar_builder *b, uint32_t next)
{
    uint32_t last = b->symbols[b->symbols[START].prev].value;
    uint32_t known = find(b, last, next, digram_hash(last, next))->symbol;
    if (known && whole_rule(b, known) != START)
        b->deferred = NONE;
    else
        settle(b);
}

/* Room for what one push may take at once: a cascade takes three for each rule it makes, and returns two. */
static void reserve(grammar_builder *b)
{
    if (b->symbols_max - b->fresh >= 64)
        return;
    if (b->symbols_max > GRAMMAR_RULE / 4)
        memory_grow(NULL, SIZE_MAX, 2); /* more than a handle can name: ends the program */
    b->symbols_max += b->symbols_max / 2;
    b->symbols = memory_grow(b->symbols, b->symbols_max, sizeof *b->symbols);
}

/* Enters the last digram of the start rule if that is still due. */
static inline void tighten(grammar_builder *b, uint32_t before)
{
    if (!b->loose)
        return;
    b->loose = false;
    uint32_t slot = b->loose_tag & b->table_mask;
    while (b->table[slot].symbol)
        slot = (slot + 1) & b->table_mask;
    enter(b, b->table + slot, before, b->loose_tag);
}

/* As in core: a value that completes a whole rule with the last symbol is not appended; the rule is, and so on. */
static void append(grammar_builder *b, uint32_t value)
{
    for (;;) {
        uint32_t last = b->symbols[START].prev;
        uint32_t before = b->symbols[last].prev;
        uint32_t left = b->symbols[last].value;
        uint32_t tag = digram_hash(left, value);
        uint32_t known = last == START ? START : find(b, left, value, tag)->symbol;
        uint32_t guard = known ? whole_rule(b, known) : START;
        if (guard == START) {
            bool overlap = b->loose && left == value && b->symbols[before].value == value; /* `aaa` */
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
            return;
        }
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
        value = guard | GRAMMAR_RULE;
    }
}

void grammar_push(grammar_builder *b, const uint32_t *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t terminal = numbering_of(&b->terminals, symbols[i]);
        reserve(b);
        if (b->deferred != NONE)
            look_ahead(b, terminal);
        append(b, terminal);
    }
    b->length += count;
}

/* ---- the grammar at rest ---- */

/* Copies right sides in the order in which a depth-first walk from the start rule meets the rules. */
grammar *grammar_finish(grammar_builder *b)
{
    settle(b);
    free(b->table);
    b->table = NULL;
    grammar *g = memory_zero(1, sizeof *g);
    size_t rules = b->rules + (size_t)1;
    g->rules = rules;
    g->start = memory_zero(rules + 1, sizeof *g->start);
    g->symbols = memory_zero(b->used - rules, sizeof *g->symbols);
    g->terminal_count = b->terminals.count;
    g->terminals = numbering_take(&b->terminals);
    g->length = b->length;
    uint32_t *guards = memory_zero(rules, sizeof *guards); /* of each rule, in order */
    uint32_t *number = memory_zero(b->fresh, sizeof *number);
    uint32_t *stack = memory_zero(rules, sizeof *stack);
    size_t met = 1, depth = 0;
    for (uint32_t s = b->symbols[START].next; s != START || depth;) {
        uint32_t value = b->symbols[s].value;
        if (value >= GUARD) {
            s = b->symbols[stack[--depth]].next;
            continue;
        }
        uint32_t guard = value & ~GRAMMAR_RULE;
        if (value & GRAMMAR_RULE && !number[guard]) {
            guards[met] = guard;
            number[guard] = (uint32_t)met++;
            stack[depth++] = s;
            s = b->symbols[guard].next;
            continue;
        }
        s = b->symbols[s].next;
    }
    size_t size = 0;
    for (size_t rule = 0; rule < rules; rule++) {
        g->start[rule] = size;
        for (uint32_t s = b->symbols[guards[rule]].next; s != guards[rule]; s = b->symbols[s].next) {
            uint32_t value = b->symbols[s].value;
            g->symbols[size++] = value & GRAMMAR_RULE ? GRAMMAR_RULE | number[value & ~GRAMMAR_RULE] : value;
        }
    }
    g->start[rules] = size;
    free(guards);
    free(number);
    free(stack);
    builder_free(b);
    return g;
}

void grammar_free(grammar *g)
{
    if (!g)
        return;
    free(g->symbols);
    free(g->counts);
    free(g->start);
    free(g->terminals);
    free(g);
}

/* A place on a right side, in a walk without recursion. */
typedef struct place {
    size_t at, end;
    uint64_t left; /* of the element's count; 0: it was not looked at */
    uint32_t rule;
} place;

static place place_in(const grammar *g, uint32_t rule)
{
    return (place){g->start[rule], g->start[rule + 1], 0, rule};
}

enum { UNSEEN, OPEN, DONE };

/* Enters a rule, or adds its length, or a terminal's, to the rule in which it stands. */
static bool measure_symbol(const grammar *g, uint64_t *length, uint8_t *state, place *stack, size_t *depth)
{
    place *top = stack + *depth;
    uint32_t s = g->symbols[top->at];
    uint32_t rule = s & ~GRAMMAR_RULE;
    uint64_t more = 1, count = grammar_count(g, top->at);
    if (s & GRAMMAR_RULE) {
        size_t first = g->start[rule < g->rules ? rule : 0];
        if (rule >= g->rules || state[rule] == OPEN || g->start[rule + 1] == first ||
            (g->start[rule + 1] == first + 1 && grammar_count(g, first) < 2))
            return false;
        if (state[rule] == UNSEEN) {
            state[rule] = OPEN;
            stack[++*depth] = place_in(g, rule);
            return true;
        }
        more = length[rule];
    } else if (s >= g->terminal_count) {
        return false;
    }
    if (count == 0 || count > INT64_MAX / more)
        return false;
    top->at++;
    length[top->rule] += more * count; /* both are below 2^63 */
    return length[top->rule] <= INT64_MAX;
}

bool grammar_measure(grammar *g)
{
    uint64_t *length = memory_zero(g->rules, sizeof *length);
    uint8_t *state = memory_zero(g->rules, sizeof *state);
    place *stack = memory_zero(g->rules, sizeof *stack);
    size_t depth = 0;
    bool well = true;
    stack[0] = place_in(g, 0);
    state[0] = OPEN;
    while (well && state[0] == OPEN) {
        if (stack[depth].at < stack[depth].end)
            well = measure_symbol(g, length, state, stack, &depth);
        else
            state[stack[depth--].rule] = DONE;
    }
    g->length = length[0];
    free(length);
    free(state);
    free(stack);
    return well;
}

struct grammar_walk {
    const grammar *g;
    size_t depth; /* places in use; 0: at the end */
    place stack[];
};

grammar_walk *grammar_walk_open(const grammar *g)
{
    grammar_walk *walk = memory_zero(1, sizeof *walk + g->rules * sizeof *walk->stack);
    walk->g = g;
    walk->depth = 1;
    walk->stack[0] = place_in(g, 0);
    return walk;
}

void grammar_walk_close(grammar_walk *walk)
{
    free(walk);
}

size_t grammar_walk_read(grammar_walk *walk, uint32_t *symbols, size_t max)
{
    const grammar *g = walk->g;
    size_t count = 0;
    while (walk->depth && count < max) {
        place *top = walk->stack + walk->depth - 1;
        if (top->at == top->end) {
            walk->depth--;
            continue;
        }
        uint32_t s = g->symbols[top->at];
        if (!top->left)
            top->left = grammar_count(g, top->at);
        if (!--top->left)
            top->at++;
        if (s & GRAMMAR_RULE)
            walk->stack[walk->depth++] = place_in(g, s & ~GRAMMAR_RULE);
        else
            symbols[count++] = g->terminals[s];
    }
    return count;
}

bool grammar_expand(const grammar *g, grammar_emit *emit, void *context)
{
    uint32_t block[4096];
    size_t size;
    bool on = true;
    grammar_walk *walk = grammar_walk_open(g);
    while (on && (size = grammar_walk_read(walk, block, sizeof block / sizeof *block)) > 0)
        on = emit(context, block, size);
    grammar_walk_close(walk);
    return on;
}
