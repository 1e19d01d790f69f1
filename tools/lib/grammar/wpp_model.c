/* SPDX-License-Identifier: MIT */
/* The symbols before the next one are a context. Contexts of five lengths are looked up in hash tables, which hold the
 * two symbols seen there last, and how sure the first one is. So there are some candidates, the first from the longest
 * context. For each in turn a bit says whether it is the next symbol; its probability is mixed from what each context
 * says. If it is none of them, the symbol's number is coded bit by bit, given the one or two symbols before. Inside a
 * long repeat, a bit says that it goes on, and nothing else is coded.
 *
 * Where the longest context is sure of the next symbol, one bit without mixing says whether that comes, and if so
 * nothing else is coded or learned. That is new in version 3: it takes half of the time, and files are 0.3 to 2 %
 * smaller. Versions 1 and 2 are read only.
 *
 * Measured on a bzip2 run of 10 million paths: zstd -19 1,623,534 bytes; method rules 1,473,249; version 2
 * 1,036,417. Steps on the way to that are in docs/DECISIONS.md. */
#include "tools/lib/grammar/wpp_model.h"

#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/logistic.h"
#include "tools/lib/grammar/wpp_contexts.h"
#include "tools/lib/grammar/wpp_slots.h"

/* What the contexts say about the next symbol: a lane for each, one for a constant, and zeros up to what vectors
 * take. */
typedef struct evidence {
    slot slots[ORDERS];
    uint32_t first[MIXER_LANES], second[MIXER_LANES];
    /* Inputs for a candidate, in a context whose first symbol it is, whose second, and in any other. */
    int32_t as_first[MIXER_LANES], as_second[MIXER_LANES], as_other[MIXER_LANES];
    unsigned untried; /* contexts whose first symbol was not tried, a bit each */
} evidence;

/* Asks all contexts. */
static void look_up(predictor *p, evidence *e)
{
    p->longest = 0;
    e->untried = 0;
    if (p->old)
        contexts_old(p);
    for (unsigned i = 0; i < MIXER_LANES; i++) {
        e->first[i] = e->second[i] = NO_SYMBOL;
        e->as_first[i] = e->as_second[i] = e->as_other[i] = i == ORDERS ? LOGIT_ONE : 0;
    }
    for (unsigned i = 0; i < ORDERS; i++) {
        const slot *s = &e->slots[i];
        e->slots[i] = slot_load(p, i);
        if (s->first == NO_SYMBOL)
            continue;
        p->longest = i + 1;
        e->untried |= 1u << i;
        e->first[i] = s->first;
        e->second[i] = s->second;
        e->as_first[i] = p->logit[s->sure >> 4];
        e->as_second[i] = -e->as_first[i] - 100;
        e->as_other[i] = -e->as_first[i] - 300;
    }
}

/* The candidate is not the symbol. */
static void exclude(evidence *e, uint32_t candidate)
{
    for (unsigned i = 0; i < ORDERS; i++)
        if (e->first[i] == candidate) {
            e->untried &= ~(1u << i);
            e->as_second[i] = 200;
            e->as_other[i] = -150;
        }
}

static bool is_among(const uint32_t *tried, unsigned count, uint32_t symbol)
{
    for (unsigned i = 0; i < count; i++)
        if (tried[i] == symbol)
            return true;
    return false;
}

/* The next symbol to try: the first one of the longest context, of shorter ones, then the second ones in that order. */
static uint32_t candidate(const evidence *e, const uint32_t *tried, unsigned count)
{
    if (e->untried)
        return e->first[31 - __builtin_clz(e->untried)];
    for (unsigned i = ORDERS; i-- > 0;)
        if (e->second[i] != NO_SYMBOL && !is_among(tried, count, e->second[i]))
            return e->second[i];
    return NO_SYMBOL;
}

/* What each context says about a candidate. The value: how many name it first. */
static unsigned inputs_for(const evidence *e, uint32_t symbol, int32_t *input)
{
    int32_t agree = 0;
    for (unsigned i = 0; i < MIXER_LANES; i++) {
        int32_t is_first = e->first[i] == symbol ? -1 : 0, is_second = e->second[i] == symbol ? -1 : 0;
        int32_t not_first = (e->as_second[i] & is_second) | (e->as_other[i] & ~is_second);
        input[i] = (e->as_first[i] & is_first) | (not_first & ~is_first);
        agree -= is_first;
    }
    return (unsigned)agree;
}

/* Codes whether the candidate is the symbol. */
static bool try_candidate(predictor *p, const evidence *e, uint32_t candidate, bool is, unsigned rank)
{
    int32_t input[MIXER_LANES];
    unsigned agree = inputs_for(e, candidate, input);
    unsigned row = rank < 3 ? rank : 3;
    mixer *by_state = p->by_state + (row * 8 + p->longest) * 8 + agree;
    mixer *by_last = p->by_last + (((before(p, 1) & ((1u << LAST_BITS) - 1)) << 2) + row);
    int a = logistic_mix(by_state->weight, input, ORDERS + 1), b = logistic_mix(by_last->weight, input, ORDERS + 1);
    unsigned bit = bit_code(p->c, (uint32_t)p->squashed[LOGIT_MAX + (a + b) / 2] * 16 + 8, is);
    logistic_learn(by_state->weight, input, MIXER_LANES, p->squashed[LOGIT_MAX + a], bit, 6);
    logistic_learn(by_last->weight, input, MIXER_LANES, p->squashed[LOGIT_MAX + b], bit, 6);
    return bit;
}

/* Places of the models of a symbol's bits, given the symbols before. */
typedef struct trees {
    uint32_t one, two; /* hashes of the last one and two symbols */
} trees;

enum { TREE_MASK = (1 << TREE_BITS) - 1 };

static inline bit_model *tree_one(const predictor *p, trees t, uint32_t node)
{
    return p->tree[1] + ((t.one + node * 0xc2b2ae35u) >> (32 - TREE_BITS));
}

static inline bit_model *tree_two(const predictor *p, trees t, uint32_t node)
{
    return p->tree[2] + ((t.two + node * 0x27d4eb2fu) >> (32 - TREE_BITS));
}

static inline void tree_fetch(const predictor *p, trees t, uint32_t node)
{
    __builtin_prefetch(tree_one(p, t, node), 1);
    __builtin_prefetch(tree_two(p, t, node), 1);
}

/* One bit of an index. */
static unsigned code_index_bit(predictor *p, trees t, uint32_t node, unsigned i, unsigned bit)
{
    bit_model *m[3] = {p->tree[0] + (node & TREE_MASK), tree_one(p, t, node), tree_two(p, t, node)};
    int32_t input[3];
    for (unsigned j = 0; j < 3; j++)
        input[j] = p->logit[m[j]->one >> 4];
    int sum = logistic_mix(p->tree_mixer[i].weight, input, 3);
    bit = bit_code(p->c, (uint32_t)p->squashed[LOGIT_MAX + sum] * 16 + 8, bit);
    logistic_learn(p->tree_mixer[i].weight, input, 3, p->squashed[LOGIT_MAX + sum], bit, 8);
    for (unsigned j = 0; j < 3; j++)
        bit_model_update(m[j], bit, j == 0 ? 30 : j == 1 ? 15 : 7);
    return bit;
}

/* Codes the index of a symbol that no candidate is: below terminal_count, or terminal_count itself for a new one. Its
 * models lie anywhere in large tables. So a writer, which knows them, has all of them fetched first, and a reader those
 * of both nodes that may come next. */
static uint32_t code_index(predictor *p, uint32_t symbol)
{
    trees t = {.one = before(p, 1) * 0x9e3779b1u};
    t.two = t.one + before(p, 2) * 0x85ebca6bu;
    uint32_t node = 1, read = 0;
    unsigned bits = 32u - (p->terminal_count ? (unsigned)__builtin_clz(p->terminal_count) : 32);
    for (unsigned i = bits; !p->c->decoding && i-- > 0;)
        tree_fetch(p, t, (1u << bits | symbol) >> (i + 1));
    for (unsigned i = bits; i-- > 0;) {
        if (p->c->decoding && i) {
            tree_fetch(p, t, node << 1);
            tree_fetch(p, t, node << 1 | 1);
        }
        unsigned bit = code_index_bit(p, t, node, i, symbol >> i & 1);
        read |= bit << i;
        node = node << 1 | bit;
    }
    return read;
}

#define RATES(n) 65536 / ((n) + 2), 65536 / ((n) + 3), 65536 / ((n) + 4), 65536 / ((n) + 5)
enum { COUNT_MAX = 30, SURE_NEW = 40000, SURE_SWAPPED = 25000 };
static const uint16_t rates[] = {RATES(0), RATES(4), RATES(8), RATES(12), RATES(16), RATES(20), RATES(24), RATES(28)};

/* What a context learns from the symbol that came. `sure` moves by 1 / (count + 2): fast at first, then slower. */
static inline void update_slot(slot *s, uint32_t symbol)
{
    uint32_t rate = rates[s->count];
    if (s->first == symbol) {
        s->count += s->count < COUNT_MAX;
        s->sure += (65535u - s->sure) * rate >> 16;
        return;
    }
    if (s->first == NO_SYMBOL) {
        *s = (slot){.first = symbol, .second = NO_SYMBOL, .sure = SURE_NEW};
        return;
    }
    s->count += s->count < COUNT_MAX;
    s->sure -= s->sure * rate >> 16;
    if (s->count > 6)
        s->count -= 2;
    if (s->sure < 16000 || (s->second == symbol && s->sure < 30000)) {
        s->second = s->first;
        s->first = symbol;
        s->sure = SURE_SWAPPED;
        s->count = 1;
    } else {
        s->second = symbol;
    }
}

/* True: the longest context was sure of the next symbol, and right. Then nothing more is coded, and the other contexts
 * learn nothing. `*wrong`: the symbol that it was sure of, if that did not come. */
static bool be_sure(predictor *p, uint32_t *symbol, uint32_t *wrong)
{
    enum { LONGEST = ORDERS - 1 };
    slot s = slot_load(p, LONGEST);
    if (s.first == NO_SYMBOL || s.sure < SURE_MIN)
        return false;
    unsigned count = s.count < 15 ? s.count : 15;
    bit_model *m = p->sure + (count << 9 | (s.sure >> 12 & 7) << 6 | (p->outcomes & 63));
    uint32_t sure_of = s.first;
    bool is = bit_code_with(p->c, m, *symbol == sure_of, BIT_MODEL_SLOW);
    p->outcomes = p->outcomes << 1 | is;
    if (!is) {
        *wrong = sure_of;
        return false;
    }
    *symbol = sure_of;
    update_slot(&s, sure_of);
    slot_store(p, LONGEST, s);
    return true;
}

/* True: the next symbol is that of the long repeat, and nothing more is to be coded. */
static bool go_on(predictor *p, uint32_t *symbol)
{
    if (p->match_length < MATCH_LONG)
        return false;
    uint32_t expected = p->history[p->match & ((1u << HISTORY_BITS) - 1)];
    bit_model *m = p->go_on + (31 - __builtin_clz(p->match_length));
    if (!bit_code_with(p->c, m, *symbol == expected, 62)) {
        p->match_length = 0;
        if (!p->old) {
            lines_find(p);
            contexts_find(p);
        }
        return false;
    }
    *symbol = expected;
    return true;
}

static uint64_t repeat_length(const predictor *p, uint64_t place)
{
    uint64_t length = 0, enough = p->old ? 1000 : MATCH_LONG;
    enum { MASK = (1 << HISTORY_BITS) - 1 };
    if (p->at - place >= MASK - enough)
        return 0; /* no longer there */
    while (length < enough && length < place &&
           p->history[(place - 1 - length) & MASK] == p->history[(p->at - 1 - length) & MASK])
        length++;
    return length;
}

/* Looks for a repeat, and remembers the current place for later ones. */
static void look_for_repeat(predictor *p)
{
    uint32_t *start = start_of(p);
    /* Places are kept modulo 2^32. One of more than 2^32 symbols ago looks like a nearer one; repeat_length checks
     * it. */
    uint64_t place = p->at - (uint32_t)((uint32_t)p->at - *start);
    if (!p->match_length && *start && place < p->at) {
        uint64_t length = repeat_length(p, place);
        p->match = place;
        p->match_length = length < MATCH_MIN ? 0 : (uint32_t)length;
    }
    *start = (uint32_t)p->at;
}

/* Adds a symbol to the history. Within a long repeat no contexts are found: it is left by go_on. */
static void advance(predictor *p, uint32_t symbol)
{
    enum { LENGTH_MAX = 1 << 18 };
    bool repeats = p->match_length && p->history[p->match & ((1u << HISTORY_BITS) - 1)] == symbol;
    p->history[p->at++ & ((1u << HISTORY_BITS) - 1)] = symbol;
    p->match++;
    p->match_length = !repeats ? 0 : p->match_length < LENGTH_MAX ? p->match_length + 1 : LENGTH_MAX;
    if (p->old) {
        if (p->match_length < MATCH_LONG && p->at >= MATCH_MIN) {
            contexts_old(p);
            look_for_repeat(p);
        }
        return;
    }
    sums_roll(p, symbol);
    if (p->match_length >= MATCH_LONG)
        return;
    contexts_find(p);
    /* One place in 16 is remembered, and looked up: the symbols choose it, so it is the same in a repeat. */
    if (p->at >= MATCH_MIN && !(p->start * 0x85ebca6bu >> 28))
        look_for_repeat(p);
}

static uint32_t add_terminal(predictor *p, uint32_t value)
{
    p->terminals = memory_room(p->terminals, p->terminal_count, &p->terminals_max, sizeof *p->terminals);
    p->terminals[p->terminal_count] = value;
    slots_widen(p, p->terminal_count);
    return p->terminal_count++;
}

/* Codes one symbol, as an index. `value` is what it stands for, which is written if it is new. */
static uint32_t code_symbol(predictor *p, uint32_t symbol, uint32_t value)
{
    if (go_on(p, &symbol)) {
        advance(p, symbol);
        return symbol;
    }
    uint32_t tried[RANKS] = {NO_SYMBOL};
    if (!p->old && be_sure(p, &symbol, tried)) {
        advance(p, symbol);
        return symbol;
    }
    bool found = false;
    evidence e;
    look_up(p, &e);
    if (tried[0] != NO_SYMBOL)
        exclude(&e, tried[0]);
    for (unsigned rank = tried[0] != NO_SYMBOL; rank < RANKS && !found; rank++) {
        tried[rank] = candidate(&e, tried, rank);
        if (tried[rank] == NO_SYMBOL)
            break;
        found = try_candidate(p, &e, tried[rank], tried[rank] == symbol, rank);
        if (found)
            symbol = tried[rank];
        else
            exclude(&e, tried[rank]);
    }
    if (!found) {
        symbol = code_index(p, symbol);
        if (symbol == p->terminal_count && symbol < SYMBOLS_MAX)
            add_terminal(p, wpp_values_code(&p->values, p->c, value));
    }
    for (unsigned i = 0; i < ORDERS; i++) {
        update_slot(&e.slots[i], symbol);
        slot_store(p, i, e.slots[i]);
    }
    advance(p, symbol);
    return symbol;
}

void wpp_model_write(predictor *p, const uint32_t *indices, size_t count, const uint32_t *values)
{
    for (size_t i = 0; i < count; i++)
        code_symbol(p, indices[i], values[indices[i]]);
}

size_t wpp_model_read(predictor *p, uint32_t *symbols, size_t max)
{
    size_t count = 0;
    for (; count < max; count++) {
        uint32_t symbol = code_symbol(p, 0, 0);
        bool well = !p->c->bad && symbol < p->terminal_count;
        if (!well)
            break;
        symbols[count] = p->terminals[symbol];
    }
    return count;
}
