/* SPDX-License-Identifier: MIT */
/*   1. The text. An occurrence of a subpath belongs to the one rule in which it is not inside a single symbol, and happens as often
 *      as that rule. So all of them are found in the rules' own texts, where a long rule that is used stands as its first and its
 *      last L - 1 symbols with a gap between, and short ones are written out:
 *
 *          rule 1, written with a long rule 2:   a b [first L-1 of 2] | [last L-1 of 2] c |      weighs the frequency of 1
 *          what was counted there too much:      [first L-1 of 2] | [last L-1 of 2] |            weighs - the frequency of 2
 *
 *      The weights of all places in the text where a subpath of up to L symbols stands add up to its occurrences in the stream.
 *   2. The words. A word is a hot subpath no shorter prefix of which is hot. The suffixes of the text in order, and how much
 *      neighbours share, are its suffix tree: on an edge the count stays and the cost grows, so each edge is looked at once.
 *   3. The reading (figure 7). Rules are read after the rules that they use. A rule is left with its *head*, up to the first
 *      reported word, and its *tail*, after the last; or it is whole. A rule that uses it joins these to what stands beside them, and
 *      reports, from left to right, each word that lies in what was joined.
 *
 * The figure judges the window between two reports alone, by its occurrences in the rule at hand; here the text says of each place at
 * once which word begins there. */
#include "tools/lib/grammar/hot.h"

#include <divsufsort.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

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

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
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

/* ---- 1. the text ---- */

typedef struct rule_text {
    size_t home;       /* where it stands in the text, or one of the places */
    size_t length;     /* there, at most 8 L if the rules that use it write it out */
    size_t head, tail; /* left to its users by its reading */
    bool apart;        /* it is written once, and its users hold its ends */
    bool whole;        /* no word is reported in it, and it has no gap */
    bool written;
} rule_text;

/* Places from `start` up to the start of the next have the weight. */
typedef struct part {
    size_t start;
    uint64_t weight; /* modulo 2^64 */
} part;

typedef struct word {
    uint32_t first, last; /* suffixes that begin with it */
    uint32_t length;
    bool reported;
    uint64_t count;
} word;

typedef struct finder {
    const grammar *g;
    size_t min_length, longest; /* L, but never more than there can be need for */
    uint64_t min_cost;
    const uint64_t *costs;
    uint32_t *order;
    size_t rules;
    uint64_t *frequency;
    rule_text *texts;

    uint8_t *bytes; /* the text: `width` bytes a symbol, its terminal + 1, the top byte first; 0: a gap */
    unsigned width;
    size_t size;
    part *parts;
    size_t part_count;
    uint64_t *sums;    /* of the costs before each place, modulo 2^64 */
    size_t safe;       /* so many costs add up to less than 2^64 */
    int32_t *suffixes; /* in order, without those of gaps */
    size_t suffix_count;
    int32_t *shared; /* of each place: how many symbols it shares with that of the suffix before, up to L */
    word *words;
    size_t word_count, word_max;
    uint32_t *begins; /* of each place: the word that begins there, plus 1; 0: none. In the memory of `shared` */
} finder;

static uint64_t cost_of(const finder *f, uint32_t terminal)
{
    return f->costs ? f->costs[terminal] : 1;
}

/* What an element of a right side takes in the text. */
static size_t width_of(const finder *f, uint32_t symbol)
{
    if (!is_rule(symbol))
        return 1;
    const rule_text *t = f->texts + rule_of(symbol);
    return t->apart ? 2 * f->longest - 1 : t->length;
}

/* The length of each rule's text, and of all. A rule of more than 8 L symbols that is used twice takes less room apart. */
static uint64_t measure(finder *f)
{
    uint64_t size = 0;
    for (size_t i = 0; i < f->rules; i++) {
        rule_text *t = f->texts + f->order[i];
        for (size_t at = f->g->start[f->order[i]]; at < f->g->start[f->order[i] + 1]; at++)
            t->length += width_of(f, f->g->symbols[at]);
        t->apart = t->length > 8 * f->longest || f->order[i] == 0;
        if (t->apart)
            size += t->length + 1 + 2 * f->longest;
    }
    return size;
}

static void put(finder *f, uint32_t code)
{
    for (unsigned i = f->width; i-- > 0; code >>= 8)
        f->bytes[f->size * f->width + i] = (uint8_t)code;
    f->size++;
}

static uint32_t code_at(const finder *f, size_t place)
{
    uint32_t code = 0;
    for (unsigned i = 0; i < f->width; i++)
        code = code << 8 | f->bytes[place * f->width + i];
    return code;
}

static void put_again(finder *f, size_t place, size_t length)
{
    memcpy(f->bytes + f->size * f->width, f->bytes + place * f->width, length * f->width);
    f->size += length;
}

static void put_first(finder *f, const rule_text *t)
{
    put_again(f, t->home, f->longest - 1);
    put(f, 0);
}

static void put_last(finder *f, const rule_text *t)
{
    put_again(f, t->home + t->length - (f->longest - 1), f->longest - 1);
}

static void begin_part(finder *f, uint64_t weight)
{
    f->parts[f->part_count++] = (part){f->size, weight};
}

/* Writes a rule that stands apart; `stack` has room for all rules, `at` for a place in each. */
static void write_rule(finder *f, uint32_t rule, uint32_t *stack, size_t *at)
{
    const grammar *g = f->g;
    size_t depth = 0;
    stack[0] = rule;
    at[rule] = g->start[rule];
    f->texts[rule].home = f->size;
    for (;;) {
        rule_text *top = f->texts + stack[depth];
        if (at[stack[depth]] == g->start[stack[depth] + 1]) {
            top->written = true;
            if (!depth--)
                return;
            continue;
        }
        uint32_t s = g->symbols[at[stack[depth]]++];
        if (!is_rule(s)) {
            put(f, s + 1);
            continue;
        }
        rule_text *t = f->texts + rule_of(s);
        if (t->apart) {
            put_first(f, t);
            put_last(f, t);
        } else if (t->written) {
            put_again(f, t->home, t->length);
        } else {
            t->home = f->size;
            stack[++depth] = rule_of(s);
            at[rule_of(s)] = g->start[rule_of(s)];
        }
    }
}

static void write_text(finder *f, size_t size)
{
    uint32_t *stack = memory_zero(f->rules, sizeof *stack);
    size_t *at = memory_zero(f->g->rules, sizeof *at);
    f->bytes = memory_zero(size, f->width);
    f->parts = memory_zero(2 * f->rules, sizeof *f->parts);
    for (size_t i = 0; i < f->rules; i++) {
        const rule_text *t = f->texts + f->order[i];
        if (!t->apart)
            continue;
        begin_part(f, f->frequency[f->order[i]]);
        write_rule(f, f->order[i], stack, at);
        put(f, 0);
        if (f->order[i] == 0)
            continue;
        begin_part(f, 0 - f->frequency[f->order[i]]);
        put_first(f, t);
        put_last(f, t);
        put(f, 0);
    }
    free(stack);
    free(at);
}

static uint64_t weight_at(const finder *f, size_t place)
{
    size_t low = 0, high = f->part_count; /* parts[low].start <= place < parts[high].start */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (f->parts[middle].start <= place)
            low = middle;
        else
            high = middle;
    }
    return f->parts[low].weight;
}

static void sum_costs(finder *f)
{
    uint64_t sum = 0, most = 1;
    f->sums = memory_zero(f->size + 1, sizeof *f->sums);
    for (size_t place = 0; place < f->size; place++) {
        uint32_t code = code_at(f, place);
        uint64_t cost = code ? cost_of(f, code - 1) : 0;
        most = cost > most ? cost : most;
        sum += cost;
        f->sums[place + 1] = sum;
    }
    f->safe = (size_t)(UINT64_MAX / most);
}

/* The fewest symbols from a place on that cost `cost`; `most` + 1: more than `most` would be wanted. */
static size_t reach(const finder *f, size_t place, size_t most, uint64_t cost)
{
    size_t length = 0;
    while (length < most) {
        size_t step = least(most - length, f->safe), low = 0;
        const uint64_t *sums = f->sums + place + length;
        if (sums[step] - sums[0] >= cost) {
            while (step - low > 1) { /* low symbols cost less, step symbols do not */
                size_t middle = low + (step - low) / 2;
                if (sums[middle] - sums[0] < cost)
                    low = middle;
                else
                    step = middle;
            }
            return length + step;
        }
        cost -= sums[step] - sums[0];
        length += step;
    }
    return most + 1;
}

/* ---- 2. the words ---- */

static void sort_suffixes(finder *f)
{
    size_t bytes = f->size * f->width;
    f->suffixes = memory_grow(NULL, bytes, sizeof *f->suffixes);
    if (divsufsort(f->bytes, f->suffixes, (int32_t)bytes))
        memory_grow(NULL, SIZE_MAX, 2); /* out of memory: ends the program */
    for (size_t i = 0; i < bytes; i++) {
        size_t place = (size_t)f->suffixes[i] / f->width;
        if ((size_t)f->suffixes[i] % f->width == 0 && code_at(f, place))
            f->suffixes[f->suffix_count++] = (int32_t)place;
    }
    f->suffixes = memory_grow(f->suffixes, f->suffix_count, sizeof *f->suffixes);
}

/* Kärkkäinen, Manzini, Puglisi: "Permuted longest-common-prefix array" (2009): places in the order of the text share one symbol
 * less at most than the place before. */
static void find_shared(finder *f)
{
    enum { FIRST = -1 };
    f->shared = memory_zero(f->size, sizeof *f->shared); /* first, the place of the suffix before */
    for (size_t i = 0; i < f->suffix_count; i++)
        f->shared[f->suffixes[i]] = i ? f->suffixes[i - 1] : FIRST;
    size_t length = 0;
    for (size_t place = 0; place < f->size; place++) {
        if (!code_at(f, place)) {
            length = 0;
            continue;
        }
        int32_t other = f->shared[place];
        uint32_t code;
        while (other != FIRST && length < f->longest && (code = code_at(f, place + length)) &&
               code == code_at(f, (size_t)other + length))
            length++;
        length = other == FIRST ? 0 : length;
        f->shared[place] = (int32_t)length;
        length -= length > 0;
    }
}

/* The words that begin with longer prefixes of one that ends on this edge are none: they are the last in the list. */
static void add_word(finder *f, word w)
{
    while (f->word_count && f->words[f->word_count - 1].first >= w.first)
        f->word_count--;
    if (f->word_count == f->word_max) {
        f->word_max = 2 * f->word_max + 64;
        f->words = memory_grow(f->words, f->word_max, sizeof *f->words);
    }
    f->words[f->word_count++] = w;
}

/* The edge of the suffix tree over suffixes first..last, of subpaths longer than `above`, up to `length`. */
static void judge_edge(finder *f, size_t first, size_t last, uint64_t count, size_t above, size_t length)
{
    size_t place = (size_t)f->suffixes[first];
    if (length <= above || length < f->min_length)
        return;
    uint64_t cost = f->min_cost / count + (f->min_cost % count != 0);
    size_t wanted = reach(f, place, length, cost);
    wanted = wanted < f->min_length ? f->min_length : wanted;
    if (wanted > above && wanted <= length) /* up to above: hot before this edge */
        add_word(f, (word){(uint32_t)first, (uint32_t)last, (uint32_t)wanted, false, count});
}

typedef struct interval {
    size_t first;
    size_t length; /* what its suffixes share */
    uint64_t count;
} interval;

/* Of each place the gap behind it. */
static uint32_t *find_gaps(const finder *f)
{
    uint32_t *gaps = memory_zero(f->size, sizeof *gaps), gap = 0;
    for (size_t place = f->size; place-- > 0; gaps[place] = gap)
        gap = code_at(f, place) ? gap : (uint32_t)place;
    return gaps;
}

/* Each edge of the suffix tree, those below it first. On the stack are the nodes that hold suffix i, the root undermost. */
static void find_words(finder *f)
{
    interval *stack = memory_zero(f->longest + 1, sizeof *stack);
    uint32_t *gaps = find_gaps(f);
    size_t depth = 0;
    for (size_t i = 0; i < f->suffix_count; i++) {
        size_t place = (size_t)f->suffixes[i], before = (size_t)f->shared[place];
        size_t behind = i + 1 < f->suffix_count ? (size_t)f->shared[f->suffixes[i + 1]] : 0;
        interval done = {i, least(f->longest, gaps[place] - place), weight_at(f, place)};
        judge_edge(f, i, i, done.count, before > behind ? before : behind, done.length);
        for (; stack[depth].length > behind; depth--) {
            size_t above = stack[depth - 1].length;
            stack[depth].count += done.count;
            done = stack[depth];
            judge_edge(f, done.first, i, done.count, above > behind ? above : behind, done.length);
        }
        if (stack[depth].length < behind)
            stack[++depth] = (interval){done.first, behind, done.count};
        else
            stack[depth].count += done.count;
    }
    free(gaps);
    free(stack);
    f->begins = (uint32_t *)f->shared;
    f->shared = NULL;
    memset(f->begins, 0, f->size * sizeof *f->begins);
    for (size_t w = 0; w < f->word_count; w++)
        for (size_t i = f->words[w].first; i <= f->words[w].last; i++)
            f->begins[f->suffixes[i]] = (uint32_t)w + 1;
}

/* ---- 3. the reading ---- */

/* What is read of a rule's text: from..to has no gap and holds no reported word. */
typedef struct stretch {
    size_t from, to;
    size_t head_end; /* the first report or gap; SIZE_MAX: none yet */
} stretch;

static void read_stretch(finder *f, stretch *s)
{
    for (size_t place = s->from; place < s->to;) {
        word *w = f->begins[place] ? f->words + (f->begins[place] - 1) : NULL;
        if (!w || w->length > s->to - place) {
            place++;
            continue;
        }
        w->reported = true;
        s->head_end = s->head_end == SIZE_MAX ? place : s->head_end;
        s->from = place += w->length;
    }
}

static void read_rule(finder *f, uint32_t rule)
{
    rule_text *t = f->texts + rule;
    size_t place = t->home, end = f->longest - 1;
    stretch s = {place, place, SIZE_MAX};
    for (size_t at = f->g->start[rule]; at < f->g->start[rule + 1]; at++) {
        uint32_t symbol = f->g->symbols[at];
        const rule_text *used = is_rule(symbol) ? f->texts + rule_of(symbol) : NULL;
        place += width_of(f, symbol);
        if (used && (used->apart || !used->whole)) {
            s.to += least(used->head, end);
            read_stretch(f, &s);
            s.head_end = s.head_end == SIZE_MAX ? s.to : s.head_end;
            s.from = place - least(used->tail, end);
        }
        s.to = place;
    }
    read_stretch(f, &s);
    t->whole = s.head_end == SIZE_MAX;
    t->head = (t->whole ? s.to : s.head_end) - t->home;
    t->tail = s.to - s.from;
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

/* The reported words, in the memory that the caller frees. */
static hot_path *collect(const finder *f, size_t *count)
{
    hot_path *paths = NULL;
    size_t max = 0;
    *count = 0;
    for (const word *w = f->words; w < f->words + f->word_count; w++) {
        if (!w->reported)
            continue;
        if (*count == max) {
            max = 2 * max + 64;
            paths = memory_grow(paths, max, sizeof *paths);
        }
        hot_path *p = paths + (*count)++;
        *p = (hot_path){memory_zero(w->length, sizeof *p->symbols), w->length, w->count, 0};
        for (size_t i = 0; i < p->length; i++) {
            p->symbols[i] = code_at(f, (size_t)f->suffixes[w->first] + i) - 1;
            p->cost = add_capped(p->cost, cost_of(f, p->symbols[i]));
        }
        p->cost = times_capped(p->cost, p->count);
    }
    if (*count)
        qsort(paths, *count, sizeof *paths, by_cost);
    return paths;
}

/* L: of words that are longer each would be hot with one symbol less, whatever its count. */
static size_t longest_word(const finder *f, size_t max_length)
{
    uint64_t cheapest = UINT64_MAX, longest;
    for (size_t i = 0; i < f->g->terminal_count; i++)
        cheapest = cost_of(f, (uint32_t)i) < cheapest ? cost_of(f, (uint32_t)i) : cheapest;
    longest = cheapest ? f->min_cost / cheapest + (f->min_cost % cheapest != 0) : UINT64_MAX;
    longest = longest < f->min_length ? f->min_length : longest;
    longest = longest < max_length ? longest : max_length;
    return longest < f->g->length ? (size_t)longest : (size_t)f->g->length;
}

bool hot_find(const grammar *g, const hot_options *options, hot_path **paths, size_t *count)
{
    finder f = {.g = g, .min_length = options->min_length, .min_cost = options->min_cost, .costs = options->costs};
    *paths = NULL;
    *count = 0;
    f.longest = longest_word(&f, options->max_length);
    if (f.longest < f.min_length)
        return true;
    f.order = postorder(g, &f.rules);
    f.frequency = frequencies(g, f.order, f.rules);
    f.texts = memory_zero(g->rules, sizeof *f.texts);
    for (f.width = 1; g->terminal_count >> 8 * f.width; f.width++)
        ;
    uint64_t size = measure(&f);
    bool fits = size <= INT32_MAX / f.width;
    if (fits) {
        write_text(&f, size);
        sort_suffixes(&f);
        find_shared(&f);
        sum_costs(&f);
        find_words(&f);
        for (size_t i = 0; i < f.rules; i++)
            read_rule(&f, f.order[i]);
        *paths = collect(&f, count);
    }
    free(f.order);
    free(f.frequency);
    free(f.texts);
    free(f.bytes);
    free(f.parts);
    free(f.sums);
    free(f.suffixes);
    free(f.words);
    free(f.begins);
    return fits;
}

void hot_free(hot_path *paths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(paths[i].symbols);
    free(paths);
}
