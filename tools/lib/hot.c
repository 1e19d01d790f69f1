/* SPDX-License-Identifier: MIT */
/* Finding (figure 7). Rules are visited after the rules that they use. A rule's right side is read as the symbols of its
 * terminals and the *prefixes* of its rules, which slide through a window of at most L symbols. Where the window
 * is hot at the rule's frequency it is reported and emptied. A rule is left with
 *     prefix   its first symbols, at most L, up to its first hot subpath
 *     suffix   its last symbols, at most L, after its last hot subpath
 *     covers   prefix is all of it
 * which is all that the rules using it need. Both strings go when the last use was read. The figure goes on to append
 * to a prefix behind a rule that it does not cover, which would join what is not adjacent; here the prefix ends there.
 *
 * Counting. An occurrence belongs to the one rule in which it is not inside a single symbol. So each rule is read around
 * its joints only: L - 1 symbols before, L - 1 behind, through an automaton of all paths (Aho & Corasick 1975), and each
 * match across a joint counts as often as the rule occurs. */
#include "tools/lib/hot.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/memory.h"

static uint64_t add_capped(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

static uint64_t times_capped(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static bool is_rule(uint32_t symbol)
{
    return symbol & GRAMMAR_RULE;
}

static uint32_t rule_of(uint32_t symbol)
{
    return symbol & ~GRAMMAR_RULE;
}

/* ---- the order of rules and their frequencies ---- */

/* All rules that the start rule reaches, each after those it uses; `*count` of them. */
static uint32_t *postorder(const grammar *g, size_t *count)
{
    uint32_t *order = memory_zero(g->rules, sizeof *order);
    uint32_t *stack = memory_zero(g->rules, sizeof *stack);
    size_t *at = memory_zero(g->rules, sizeof *at);
    bool *seen = memory_zero(g->rules, sizeof *seen);
    size_t depth = 0;
    *count = 0;
    seen[0] = true;
    at[0] = g->start[0];
    while (*count < g->rules && (depth || stack[0] == 0)) {
        uint32_t rule = stack[depth];
        if (at[rule] == g->start[rule + 1]) {
            order[(*count)++] = rule;
            if (!depth--)
                break;
            continue;
        }
        uint32_t s = g->symbols[at[rule]++];
        if (!is_rule(s) || seen[rule_of(s)])
            continue;
        seen[rule_of(s)] = true;
        at[rule_of(s)] = g->start[rule_of(s)];
        stack[++depth] = rule_of(s);
    }
    free(stack);
    free(at);
    free(seen);
    return order;
}

static uint64_t *frequencies(const grammar *g, const uint32_t *order, size_t count)
{
    uint64_t *frequency = memory_zero(g->rules, sizeof *frequency);
    frequency[0] = 1;
    for (size_t i = count; i-- > 0;)
        for (size_t at = g->start[order[i]]; at < g->start[order[i] + 1]; at++)
            if (is_rule(g->symbols[at]))
                frequency[rule_of(g->symbols[at])] += frequency[order[i]];
    return frequency;
}

/* ---- figure 7 ---- */

typedef struct string {
    uint32_t *symbols;
    size_t length;
} string;

typedef struct rule_state {
    string prefix, suffix;
    uint32_t uses; /* not read yet */
    bool covers;
} rule_state;

/* The subpath through a rule: the last symbols, at most L, since the last hot subpath. */
typedef struct window {
    uint32_t *symbols; /* room for 2 L */
    size_t begin, end;
    uint64_t cost;
} window;

typedef struct finder {
    const grammar *g;
    const hot_options *options;
    rule_state *rules;
    uint64_t frequency; /* of the rule in hand */
    window subpath;
    string prefix; /* of the rule in hand, room for L */
    bool prefix_ended;
    hot_path *found;
    size_t count, count_max;
} finder;

static uint64_t cost_of(const hot_options *options, uint32_t terminal)
{
    return options->costs ? options->costs[terminal] : 1;
}

static void window_clear(window *w)
{
    w->begin = w->end = 0;
    w->cost = 0;
}

static uint64_t window_sum(const finder *f)
{
    uint64_t cost = 0;
    for (size_t i = f->subpath.begin; i < f->subpath.end; i++)
        cost = add_capped(cost, cost_of(f->options, f->subpath.symbols[i]));
    return cost;
}

static void window_append(finder *f, uint32_t terminal)
{
    window *w = &f->subpath;
    size_t most = f->options->max_length;
    if (w->end == 2 * most) {
        memmove(w->symbols, w->symbols + w->begin, (w->end - w->begin) * sizeof *w->symbols);
        w->end -= w->begin;
        w->begin = 0;
    }
    w->symbols[w->end++] = terminal;
    w->cost = add_capped(w->cost, cost_of(f->options, terminal));
    if (w->end - w->begin > most) {
        uint32_t first = w->symbols[w->begin++];
        w->cost = w->cost == UINT64_MAX ? window_sum(f) : w->cost - cost_of(f->options, first);
    }
}

static void report(finder *f)
{
    const window *w = &f->subpath;
    if (f->count == f->count_max) {
        f->count_max = 2 * f->count_max + 64;
        f->found = memory_grow(f->found, f->count_max, sizeof *f->found);
    }
    hot_path *path = f->found + f->count++;
    *path = (hot_path){.length = w->end - w->begin};
    path->symbols = memory_grow(NULL, path->length, sizeof *path->symbols);
    memcpy(path->symbols, w->symbols + w->begin, path->length * sizeof *path->symbols);
}

/* Procedure appendTerminal. */
static void append_terminal(finder *f, uint32_t terminal)
{
    if (!f->prefix_ended && f->prefix.length < f->options->max_length)
        f->prefix.symbols[f->prefix.length++] = terminal;
    else
        f->prefix_ended = true;
    window_append(f, terminal);
    size_t length = f->subpath.end - f->subpath.begin;
    if (length < f->options->min_length || times_capped(f->subpath.cost, f->frequency) < f->options->min_cost)
        return;
    report(f);
    if (!f->prefix_ended) { /* the prefix stops before the hot subpath */
        f->prefix.length -= length < f->prefix.length ? length : f->prefix.length;
        f->prefix_ended = true;
    }
    window_clear(&f->subpath);
}

static string string_copy(const uint32_t *symbols, size_t length)
{
    string s = {memory_grow(NULL, length, sizeof *symbols), length};
    memcpy(s.symbols, symbols, length * sizeof *symbols);
    return s;
}

/* Reads a rule in a right side: its prefix, and where that is not all of it, then its suffix. */
static void append_rule(finder *f, rule_state *used)
{
    for (size_t i = 0; i < used->prefix.length; i++)
        append_terminal(f, used->prefix.symbols[i]);
    if (!used->covers) {
        f->prefix_ended = true;
        window_clear(&f->subpath);
        for (size_t i = 0; i < used->suffix.length; i++)
            window_append(f, used->suffix.symbols[i]);
    }
    if (--used->uses == 0) {
        free(used->prefix.symbols);
        free(used->suffix.symbols);
    }
}

static void visit_rule(finder *f, uint32_t rule, uint64_t frequency)
{
    const grammar *g = f->g;
    f->frequency = frequency;
    f->prefix.length = 0;
    f->prefix_ended = false;
    window_clear(&f->subpath);
    for (size_t i = g->start[rule]; i < g->start[rule + 1]; i++) {
        if (is_rule(g->symbols[i]))
            append_rule(f, f->rules + rule_of(g->symbols[i]));
        else
            append_terminal(f, g->symbols[i]);
    }
    if (rule == 0)
        return;
    f->rules[rule].prefix = string_copy(f->prefix.symbols, f->prefix.length);
    f->rules[rule].suffix =
        string_copy(f->subpath.symbols + f->subpath.begin, f->subpath.end - f->subpath.begin);
    f->rules[rule].covers = !f->prefix_ended;
}

static int by_symbols(const void *left, const void *right)
{
    const hot_path *l = left, *r = right;
    for (size_t i = 0; i < l->length && i < r->length; i++)
        if (l->symbols[i] != r->symbols[i])
            return l->symbols[i] < r->symbols[i] ? -1 : 1;
    return (l->length > r->length) - (l->length < r->length);
}

static int by_cost(const void *left, const void *right)
{
    const hot_path *l = left, *r = right;
    if (l->cost != r->cost)
        return l->cost > r->cost ? -1 : 1;
    return by_symbols(left, right);
}

/* The same subpath may be hot in several rules. */
static size_t drop_doubles(hot_path *paths, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(paths, count, sizeof *paths, by_symbols);
    for (size_t i = 0; i < count; i++) {
        if (kept && by_symbols(paths + kept - 1, paths + i) == 0)
            free(paths[i].symbols);
        else
            paths[kept++] = paths[i];
    }
    return kept;
}

hot_path *hot_find(const grammar *g, const hot_options *options, size_t *count)
{
    size_t rules;
    uint32_t *order = postorder(g, &rules);
    uint64_t *frequency = frequencies(g, order, rules);
    finder f = {.g = g, .options = options};
    f.rules = memory_zero(g->rules, sizeof *f.rules);
    f.subpath.symbols = memory_zero(2 * options->max_length, sizeof *f.subpath.symbols);
    f.prefix.symbols = memory_zero(options->max_length, sizeof *f.prefix.symbols);
    for (size_t i = 0; i < rules; i++)
        for (size_t at = g->start[order[i]]; at < g->start[order[i] + 1]; at++)
            if (is_rule(g->symbols[at]))
                f.rules[rule_of(g->symbols[at])].uses++;
    for (size_t i = 0; i < rules; i++)
        visit_rule(&f, order[i], frequency[order[i]]);
    *count = drop_doubles(f.found, f.count);
    hot_count(g, f.found, *count);
    for (size_t i = 0; i < *count; i++) {
        uint64_t cost = 0;
        for (size_t s = 0; s < f.found[i].length; s++)
            cost = add_capped(cost, cost_of(options, f.found[i].symbols[s]));
        f.found[i].cost = times_capped(cost, f.found[i].count);
    }
    if (*count)
        qsort(f.found, *count, sizeof *f.found, by_cost);
    free(f.subpath.symbols);
    free(f.prefix.symbols);
    free(f.rules);
    free(frequency);
    free(order);
    return f.found;
}

void hot_free(hot_path *paths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(paths[i].symbols);
    free(paths);
}

/* ---- counting ---- */

/* A state is a prefix of a path; state 0 is the empty one. */
typedef struct state {
    uint32_t parent, symbol;
    uint32_t fail;    /* the longest proper suffix that is a state */
    uint32_t output;  /* the state, this or a suffix of it, that ends a path; 0: none */
    uint32_t shorter; /* the next such state for a state that ends a path */
    uint32_t path;    /* that ends here, plus 1 */
    uint32_t depth;
} state;

typedef struct automaton {
    state *states;
    uint32_t count;
    uint32_t *table; /* (parent, symbol) -> state, 0 free */
    uint32_t mask;
    size_t longest;
} automaton;

static uint32_t *goto_slot(const automaton *a, uint32_t from, uint32_t symbol)
{
    uint64_t hash = ((uint64_t)from << 32 | symbol) * 0x9e3779b97f4a7c15u;
    uint32_t slot = (uint32_t)(hash >> 32) & a->mask;
    while (a->table[slot] &&
           (a->states[a->table[slot]].parent != from || a->states[a->table[slot]].symbol != symbol))
        slot = (slot + 1) & a->mask;
    return a->table + slot;
}

/* States are made path by path, so a parent comes before its children; fail links need them by depth. */
static void automaton_link(automaton *a)
{
    uint32_t *by_depth = memory_zero(a->count, sizeof *by_depth);
    size_t *first = memory_zero(a->longest + 2, sizeof *first);
    for (uint32_t i = 0; i < a->count; i++)
        first[a->states[i].depth + 1]++;
    for (size_t d = 1; d <= a->longest + 1; d++)
        first[d] += first[d - 1];
    for (uint32_t i = 0; i < a->count; i++)
        by_depth[first[a->states[i].depth]++] = i;
    for (uint32_t i = 1; i < a->count; i++) {
        state *s = a->states + by_depth[i];
        uint32_t fail = a->states[s->parent].fail;
        uint32_t next = 0;
        if (s->depth > 1)
            while (!(next = *goto_slot(a, fail, s->symbol)) && fail)
                fail = a->states[fail].fail;
        s->fail = next;
        s->shorter = a->states[next].output;
        s->output = s->path ? by_depth[i] : s->shorter;
    }
    free(by_depth);
    free(first);
}

static void automaton_build(automaton *a, const hot_path *paths, size_t count)
{
    size_t most = 1;
    *a = (automaton){0};
    for (size_t i = 0; i < count; i++) {
        most += paths[i].length;
        a->longest = paths[i].length > a->longest ? paths[i].length : a->longest;
    }
    for (a->mask = 63; a->mask / 2 < most; a->mask = 2 * a->mask + 1)
        ;
    a->states = memory_zero(most, sizeof *a->states);
    a->table = memory_zero(a->mask + (size_t)1, sizeof *a->table);
    a->count = 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t at = 0;
        for (size_t s = 0; s < paths[i].length; s++) {
            uint32_t *slot = goto_slot(a, at, paths[i].symbols[s]);
            if (!*slot) {
                a->states[a->count] = (state){.parent = at, .symbol = paths[i].symbols[s], .depth = (uint32_t)s + 1};
                *slot = a->count++;
            }
            at = *slot;
        }
        a->states[at].path = (uint32_t)i + 1;
    }
    automaton_link(a);
}

static uint32_t step(const automaton *a, uint32_t at, uint32_t symbol)
{
    uint32_t next;
    while (!(next = *goto_slot(a, at, symbol)) && at)
        at = a->states[at].fail;
    return next;
}

/* Writes the first `most` symbols of a rule, or the last, to `out`; gives how many there are. Each level of the walk
 * yields a symbol at least, so the stack holds `most` places. */
static size_t edge_of(const grammar *g, uint32_t rule, bool last, size_t most, uint32_t *out, size_t *stack)
{
    /* A place is the index of a symbol; the symbol at it was entered. From the left, symbols up to the end of the right
     * side follow; from the right, those down to its start. */
    size_t count = 0, depth = 0;
    size_t at = last ? g->start[rule + 1] - 1 : g->start[rule];
    size_t left = g->start[rule + 1] - g->start[rule];
    while (count < most) {
        uint32_t s = g->symbols[at];
        if (is_rule(s)) {
            stack[2 * depth] = at;
            stack[2 * depth++ + 1] = left;
            left = g->start[rule_of(s) + 1] - g->start[rule_of(s)];
            at = last ? g->start[rule_of(s) + 1] - 1 : g->start[rule_of(s)];
            continue;
        }
        out[last ? most - ++count : count++] = s;
        while (left == 1 && depth) {
            left = stack[2 * --depth + 1];
            at = stack[2 * depth];
        }
        if (left == 1)
            break;
        left--;
        at += last ? (size_t)-1 : 1;
    }
    return count;
}

typedef struct counter {
    const grammar *g;
    const automaton *automaton;
    hot_path *paths;
    uint32_t *edge; /* room for longest symbols */
    size_t *stack;  /* two for each rule */
} counter;

/* Counts the matches that end at a state and are longer than `inside`. */
static void count_matches(counter *c, uint32_t at, size_t inside, uint64_t frequency)
{
    const state *states = c->automaton->states;
    for (uint32_t end = states[at].output; end && states[end].depth > inside; end = states[end].shorter)
        c->paths[states[end].path - 1].count += frequency;
}

static void count_rule(counter *c, uint32_t rule, uint64_t frequency)
{
    const grammar *g = c->g;
    size_t around = c->automaton->longest - 1; /* on each side of a joint */
    uint32_t at = 0;
    for (size_t i = g->start[rule]; i < g->start[rule + 1]; i++) {
        uint32_t s = g->symbols[i];
        if (!is_rule(s)) {
            at = step(c->automaton, at, s);
            count_matches(c, at, 0, frequency);
            continue;
        }
        size_t length = edge_of(g, rule_of(s), false, around, c->edge, c->stack);
        for (size_t e = 0; e < length; e++) {
            at = step(c->automaton, at, c->edge[e]);
            count_matches(c, at, e + 1, frequency);
        }
        if (length < around)
            continue; /* that was all of it */
        at = 0;
        edge_of(g, rule_of(s), true, around, c->edge, c->stack);
        for (size_t e = 0; e < around; e++)
            at = step(c->automaton, at, c->edge[e]);
    }
}

void hot_count(const grammar *g, hot_path *paths, size_t count)
{
    if (!count)
        return;
    automaton a;
    automaton_build(&a, paths, count);
    size_t rules;
    uint32_t *order = postorder(g, &rules);
    uint64_t *frequency = frequencies(g, order, rules);
    counter c = {g, &a, paths, memory_zero(a.longest, sizeof *c.edge), memory_zero(2 * g->rules, sizeof *c.stack)};
    for (size_t i = 0; i < count; i++)
        paths[i].count = 0;
    for (size_t i = 0; i < rules; i++)
        count_rule(&c, order[i], frequency[order[i]]);
    free(c.edge);
    free(c.stack);
    free(order);
    free(frequency);
    free(a.states);
    free(a.table);
}
