/* SPDX-License-Identifier: MIT */
/* The steps of core/sequitur_push.c, on elements with counts:
 *   1. the symbol makes the last element of the start rule longer, or is a new one
 *   2. a pending pair of neighbours is looked at: twins become one element
 *   3. a digram that is new is entered; one that a whole rule consists of becomes that rule; any other that is known
 *      becomes a rule of its own
 *   4. a rule that is used only once is put in the place of its use, which is at an end of the rule of step 3
 * The last element's count may still grow, so the digram that ends with it is *open*: it is looked at when the next
 * symbol has come, or the stream has ended. Looked at earlier, it could become a rule that ends with a run of, say, 3;
 * if the run then grew to 4, it would be torn apart. */
#include "tools/lib/grammar/runs.h"

#include "tools/lib/grammar/runs_digrams.h"

grammar_runs *grammar_runs_new(void)
{
    grammar_runs *r = memory_zero(1, sizeof *r);
    r->at = memory_room(NULL, 0, &r->max, sizeof *r->at);
    r->at[START] = (element){START, START, GUARD, 0, 0};
    r->fresh = r->used = r->rules = 1;
    r->mask = 255;
    r->buckets = memory_zero(r->mask + (size_t)1, sizeof *r->buckets);
    return r;
}

static void builder_free(grammar_runs *r)
{
    free(r->at);
    free(r->buckets);
    free(r->pending);
    numbering_free(&r->terminals);
    free(r);
}

/* ---- the steps; the pair at the element that they are given is in no list ---- */

/* The guard of the rule whose right side is the digram, or the start rule's. */
static uint32_t whole_rule(const grammar_runs *r, uint32_t e)
{
    uint32_t guard = r->at[e].prev;
    return r->at[r->at[e].next].next == guard && is_guard(r, guard) ? guard : START;
}

/* Step 2. Code that suspends two neighbours must suspend the left one last, so that it is looked at first: they may be
 * twins. */
static void merge(grammar_runs *r, uint32_t e)
{
    uint32_t before = r->at[e].prev, twin = r->at[e].next;
    forget(r, before);
    forget(r, twin);
    r->at[e].count += r->at[twin].count;
    join(r, e, r->at[twin].next);
    give(r, twin);
    suspend(r, e);
    suspend(r, before);
}

static void discount(grammar_runs *r, uint32_t e)
{
    if (r->at[e].value & GRAMMAR_RULE)
        r->at[r->at[e].value & ~GRAMMAR_RULE].count -= r->at[e].count;
}

static void substitute(grammar_runs *r, uint32_t e, uint32_t guard)
{
    uint32_t before = r->at[e].prev, second = r->at[e].next;
    forget(r, before);
    forget(r, second);
    discount(r, e);
    discount(r, second);
    r->at[guard].count++;
    r->at[e].value = GRAMMAR_RULE | guard;
    r->at[e].count = 1;
    join(r, e, r->at[second].next);
    give(r, second);
    suspend(r, e);
    suspend(r, before);
}

/* Step 3: the digram, which is in the table, moves to a rule of its own, which is used in its place. */
static uint32_t make_rule(grammar_runs *r, uint32_t known)
{
    uint32_t before = r->at[known].prev, second = r->at[known].next;
    forget(r, before);
    forget(r, second);
    uint32_t guard = take(r, GUARD, 1);
    uint32_t use = take(r, GRAMMAR_RULE | guard, 1);
    join(r, use, r->at[second].next);
    join(r, before, use);
    join(r, guard, known);
    join(r, second, guard);
    r->rules++;
    suspend(r, use);
    suspend(r, before);
    return guard;
}

/* Step 4. */
static void inline_if_used_once(grammar_runs *r, uint32_t e)
{
    uint32_t guard = r->at[e].value & ~GRAMMAR_RULE;
    if (!(r->at[e].value & GRAMMAR_RULE) || r->at[guard].count != 1)
        return;
    uint32_t before = r->at[e].prev, last = r->at[guard].prev;
    forget(r, before);
    forget(r, e);
    join(r, last, r->at[e].next);
    join(r, before, r->at[guard].next);
    give(r, guard);
    give(r, e);
    r->rules--;
    suspend(r, last);
    suspend(r, before);
}

/* Steps 3 and 4: the digram at `e` is that at `known`, which is in the table. */
static void match(grammar_runs *r, uint32_t e, uint32_t known)
{
    uint32_t guard = whole_rule(r, known);
    if (guard == START && (guard = whole_rule(r, e)) != START) {
        forget(r, known);
        substitute(r, known, guard);
        suspend(r, e);
    } else {
        if (guard == START)
            guard = make_rule(r, known);
        substitute(r, e, guard);
    }
    uint32_t last = r->at[guard].prev;
    inline_if_used_once(r, r->at[guard].next);
    inline_if_used_once(r, last);
}

static void work(grammar_runs *r)
{
    while (r->pending_count) {
        uint32_t e = r->pending[--r->pending_count], known;
        if (are_twins(r, e))
            merge(r, e);
        else if (r->at[r->at[e].next].next == START && !r->ended)
            continue; /* open */
        else if ((known = find(r, e)) != 0)
            match(r, e, known);
        else
            enter(r, e);
    }
    if (r->entered > r->mask)
        table_grow(r);
}

void grammar_runs_push(grammar_runs *r, const uint32_t *symbols, size_t count)
{
    r->length += count;
    for (size_t i = 0; i < count; i++) {
        uint32_t value = numbering_of(&r->terminals, symbols[i]);
        uint32_t last = r->at[START].prev;
        if (r->at[last].value == value) {
            r->at[last].count++;
            continue;
        }
        uint32_t added = take(r, value, 1);
        join(r, last, added);
        join(r, added, START);
        suspend(r, r->at[last].prev); /* no longer open */
        work(r);
    }
}

/* ---- the grammar at rest ---- */

/* Numbers the rules in the order in which a walk meets them. guards[number] is a rule's guard; its number is in the
 * guard's `chain`, and the way back to the use from which it was entered is in its `prev`. So the rings are broken
 * afterwards. */
static void number_rules(grammar_runs *r, uint32_t *guards)
{
    uint32_t met = 1;
    for (uint32_t i = 0; i < r->fresh; i++)
        if (is_guard(r, i))
            r->at[i].chain = 0;
    for (uint32_t e = r->at[START].next; e != START;) {
        const element *s = r->at + e;
        uint32_t guard = s->value & ~GRAMMAR_RULE;
        if (s->value == GUARD) {
            e = r->at[s->prev].next;
        } else if (s->value & GRAMMAR_RULE && !r->at[guard].chain) {
            guards[met] = guard;
            r->at[guard].chain = met++;
            r->at[guard].prev = e;
            e = r->at[guard].next;
        } else {
            e = s->next;
        }
    }
}

static void copy_rules(grammar_runs *r, grammar *g)
{
    uint32_t *guards = memory_zero(g->rules, sizeof *guards);
    size_t size = 0;
    number_rules(r, guards);
    for (size_t rule = 0; rule < g->rules; rule++) {
        g->start[rule] = size;
        for (uint32_t e = r->at[guards[rule]].next; e != guards[rule]; e = r->at[e].next, size++) {
            uint32_t value = r->at[e].value;
            g->symbols[size] = value & GRAMMAR_RULE ? GRAMMAR_RULE | r->at[value & ~GRAMMAR_RULE].chain : value;
            g->counts[size] = r->at[e].count;
        }
    }
    g->start[g->rules] = size;
    free(guards);
}

size_t grammar_runs_bytes(const grammar_runs *r)
{
    return sizeof *r + r->max * sizeof *r->at + (r->mask + (size_t)1) * sizeof *r->buckets +
           r->pending_max * sizeof *r->pending + numbering_bytes(&r->terminals);
}

grammar *grammar_runs_finish(grammar_runs *r)
{
    r->ended = true;
    suspend(r, r->at[r->at[START].prev].prev);
    work(r);
    grammar *g = memory_zero(1, sizeof *g);
    g->rules = r->rules;
    g->start = memory_zero(g->rules + 1, sizeof *g->start);
    g->symbols = memory_zero(r->used - g->rules, sizeof *g->symbols);
    g->counts = memory_zero(r->used - g->rules, sizeof *g->counts);
    g->terminal_count = r->terminals.count;
    g->terminals = numbering_take(&r->terminals);
    g->length = r->length;
    copy_rules(r, g);
    builder_free(r);
    return g;
}

/* ---- invariants ---- */

/* The ring is whole, has no twins, and is longer than one symbol; each digram is in the table, once, except for the
 * open one. */
static bool check_ring(const grammar_runs *r, uint32_t guard)
{
    uint32_t length = 0;
    for (uint32_t e = r->at[guard].next, before = guard; e != guard; before = e, e = r->at[e].next) {
        const element *s = r->at + e;
        if (e >= r->fresh || s->prev != before || s->value >= GONE || s->count == 0 || ++length > r->used)
            return false;
        bool open = !r->ended && r->at[s->next].next == START;
        if (s->next != guard && (are_twins(r, e) || (!open && find(r, e) != e)))
            return false;
    }
    return guard == START || length > 1 || (length == 1 && r->at[r->at[guard].next].count > 1);
}

bool grammar_runs_check(const grammar_runs *r)
{
    uint64_t *uses = memory_zero(r->fresh, sizeof *uses);
    uint32_t used = 0, rules = 0;
    bool well = r->pending_count == 0;
    for (uint32_t e = 0; e < r->fresh; e++) {
        uint32_t value = r->at[e].value;
        used += value != GONE;
        rules += value == GUARD;
        if (value < GONE && value & GRAMMAR_RULE)
            uses[value & ~GRAMMAR_RULE] += r->at[e].count;
    }
    for (uint32_t e = 0; well && e < r->fresh; e++)
        if (is_guard(r, e))
            well = check_ring(r, e) && (e == START || (uses[e] == r->at[e].count && uses[e] >= 2));
    free(uses);
    return well && used == r->used && rules == r->rules;
}
