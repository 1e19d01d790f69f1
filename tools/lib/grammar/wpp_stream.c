/* SPDX-License-Identifier: MIT */
/* Method "stream". The symbols before the next one are a context; contexts of five lengths are looked up in hash tables that
 * hold the two symbols seen there last, and how sure the first is. So there are some candidates, the first one from the
 * longest context. For each in turn a bit says whether it is the one; its probability is mixed from what each context says
 * (logistic mixing, as in the PAQ programs). If none is, the symbol's number is coded bit by bit, given the one or two
 * symbols before. Inside a long repeat, a bit says that it goes on, and nothing else is done.
 *
 * Measured on a bzip2 run, 10 million paths: zstd -19 1,623,534 bytes; method rules 1,473,249; this 1,036,417. On the way there:
 * one set of mixers, slots that adapt at one speed, seven lengths of contexts 1,189,719; both sets and slots that slow down
 * 1,139,249; five lengths 1,113,158; weights divided with rounding, and trees that start fast, this. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/grammar/wpp.h"

enum {
    ORDERS = 5,
    RANKS = 6,         /* candidates that are tried at most */
    HISTORY_BITS = 22, /* symbols that repeats may reach back to */
    MATCH_MIN = 24,    /* symbols of a repeat that is noticed */
    MATCH_LONG = 400,
    LAST_BITS = 12, /* mixers chosen by the symbol before */
    TREE_BITS = 20,
};

static const unsigned orders[ORDERS] = {1, 2, 4, 7, 12};
enum { ORDER_MAX = 12 };

#define NO_SYMBOL UINT32_MAX

typedef struct slot {
    uint32_t first, second; /* symbols seen in this context */
    uint16_t sure;          /* that it is the first, of 65536 */
    uint16_t check;
    uint8_t count;
} slot;

/* A sum of inputs with weights; the inputs and the sum are logits, 256 to the unit, the weights 65536 to 1. */
typedef struct mixer {
    int32_t weight[ORDERS + 1];
} mixer;

typedef struct predictor {
    bit_coder *c;
    uint32_t *history; /* the last 2^HISTORY_BITS symbols, as indices */
    uint64_t at;       /* symbols so far */
    slot *slots[ORDERS];
    unsigned slot_bits;
    slot *here[ORDERS]; /* of the contexts at hand */
    unsigned longest;   /* 1 + the longest context that was seen before, 0: none */
    mixer by_state[4 * 8 * 8];
    mixer *by_last;
    int16_t logit[4096];
    bit_model *tree[3]; /* of a symbol's bits, given none, one, two symbols */
    mixer tree_mixer[33];
    bit_model go_on[32];
    uint32_t *starts; /* hash of MATCH_MIN symbols -> 1 + place behind them */
    uint64_t match;   /* place of the symbol that follows in the repeat */
    uint32_t match_length;
    wpp_values values;
    uint32_t *terminals;
    uint32_t terminal_count, terminals_max;
} predictor;

/* The probability, of 4096, of a logit: by parts of straight lines. */
static int squash(int x)
{
    static const int16_t at[33] = {1,    2,    3,    6,    10,   16,   27,   45,   73,   120,  194,
                                   310,  488,  747,  1101, 1546, 2047, 2549, 2994, 3348, 3607, 3785,
                                   3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094};
    if (x > 2047)
        return 4095;
    if (x < -2047)
        return 1;
    int part = (x + 2048) >> 7, rest = (x + 2048) & 127;
    return (at[part] * (128 - rest) + at[part + 1] * rest + 64) >> 7;
}

static void fill_logits(int16_t *logit)
{
    int next = 0;
    for (int x = -2047; x <= 2047; x++)
        for (int p = squash(x); next <= p; next++)
            logit[next] = (int16_t)x;
    for (; next < 4096; next++)
        logit[next] = 2047;
}

static void mixers_init(mixer *m, size_t count, int32_t weight)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j <= ORDERS; j++)
            m[i].weight[j] = weight;
}

static void predictor_init(predictor *p, bit_coder *c, uint64_t length)
{
    p->c = c;
    p->slot_bits = 12;
    while (p->slot_bits < 20 && length >> p->slot_bits)
        p->slot_bits++;
    p->history = memory_zero((size_t)1 << HISTORY_BITS, sizeof *p->history);
    p->starts = memory_zero((size_t)1 << p->slot_bits, sizeof *p->starts);
    for (unsigned i = 0; i < ORDERS; i++)
        p->slots[i] = memory_zero((size_t)1 << p->slot_bits, sizeof *p->slots[i]);
    p->by_last = memory_zero(4 << LAST_BITS, sizeof *p->by_last);
    mixers_init(p->by_last, 4 << LAST_BITS, 65536 * 3 / 10);
    mixers_init(p->by_state, 4 * 8 * 8, 65536 * 3 / 10);
    mixers_init(p->tree_mixer, 33, 65536 / 3);
    for (unsigned i = 0; i < 3; i++) {
        p->tree[i] = memory_zero((size_t)1 << TREE_BITS, sizeof *p->tree[i]);
        bit_models_init(p->tree[i], (size_t)1 << TREE_BITS);
    }
    bit_models_init(p->go_on, 32);
    fill_logits(p->logit);
    wpp_values_init(&p->values);
}

static void predictor_free(predictor *p)
{
    for (unsigned i = 0; i < ORDERS; i++)
        free(p->slots[i]);
    for (unsigned i = 0; i < 3; i++)
        free(p->tree[i]);
    free(p->history);
    free(p->starts);
    free(p->by_last);
}

/* The symbol `back` places before the next one. */
static uint32_t before(const predictor *p, unsigned back)
{
    return p->history[(p->at - back) & ((1u << HISTORY_BITS) - 1)];
}

static uint32_t hash_on(uint32_t hash, uint32_t symbol)
{
    hash = (hash + symbol + 1) * 0x2f0b4c47u;
    return hash ^ hash >> 15;
}

/* Finds the slots of the contexts; one that holds another context is taken over. */
static void look_up(predictor *p)
{
    uint32_t hash = 0;
    unsigned length = 0;
    p->longest = 0;
    for (unsigned i = 0; i < ORDERS; i++) {
        for (; length < orders[i]; length++)
            hash = hash_on(hash, before(p, length + 1));
        uint32_t place = hash * 0x9e3779b1u;
        uint16_t check = (uint16_t)(place | 1);
        slot *s = p->here[i] = p->slots[i] + (place >> (32 - p->slot_bits));
        if (s->check != check)
            *s = (slot){.first = NO_SYMBOL, .second = NO_SYMBOL, .check = check};
        if (s->first != NO_SYMBOL)
            p->longest = i + 1;
    }
}

static bool is_among(const uint32_t *tried, unsigned count, uint32_t symbol)
{
    for (unsigned i = 0; i < count; i++)
        if (tried[i] == symbol)
            return true;
    return false;
}

/* The next symbol to try: the first ones of the longest context, then of shorter ones, then the second ones. */
static uint32_t candidate(const predictor *p, const uint32_t *tried, unsigned count)
{
    for (unsigned i = ORDERS; i-- > 0;)
        if (p->here[i]->first != NO_SYMBOL && !is_among(tried, count, p->here[i]->first))
            return p->here[i]->first;
    for (unsigned i = ORDERS; i-- > 0;)
        if (p->here[i]->second != NO_SYMBOL && !is_among(tried, count, p->here[i]->second))
            return p->here[i]->second;
    return NO_SYMBOL;
}

/* What each context says about a candidate; gives how many name it first. */
static unsigned inputs_for(const predictor *p, uint32_t symbol, const uint32_t *tried, unsigned count, int *input)
{
    unsigned agree = 0;
    for (unsigned i = 0; i < ORDERS; i++) {
        const slot *s = p->here[i];
        int sure = p->logit[s->sure >> 4];
        bool excluded = is_among(tried, count, s->first);
        if (s->first == NO_SYMBOL)
            input[i] = 0;
        else if (s->first == symbol)
            input[i] = sure;
        else if (s->second == symbol)
            input[i] = excluded ? 200 : -sure - 100;
        else
            input[i] = excluded ? -150 : -sure - 300;
        agree += s->first == symbol;
    }
    input[ORDERS] = 256;
    return agree;
}

static int dot(const mixer *m, const int *input, unsigned inputs)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < inputs; i++)
        sum += (int64_t)input[i] * m->weight[i];
    sum /= 65536;
    return sum > 2047 ? 2047 : sum < -2047 ? -2047 : (int)sum;
}

static void learn(mixer *m, const int *input, unsigned inputs, int logit, unsigned bit, int rate)
{
    int error = ((int)(bit << 12) - squash(logit)) * rate;
    for (unsigned i = 0; i < inputs; i++)
        m->weight[i] += (input[i] * error + 512) / 1024;
}

/* Codes whether the candidate is the symbol. */
static bool try_candidate(predictor *p, uint32_t symbol, bool is, const uint32_t *tried, unsigned rank)
{
    int input[ORDERS + 1];
    unsigned agree = inputs_for(p, symbol, tried, rank, input);
    unsigned row = rank < 3 ? rank : 3;
    mixer *by_state = p->by_state + (row * 8 + p->longest) * 8 + agree;
    mixer *by_last = p->by_last + (((before(p, 1) & ((1u << LAST_BITS) - 1)) << 2) + row);
    int a = dot(by_state, input, ORDERS + 1), b = dot(by_last, input, ORDERS + 1);
    unsigned bit = bit_code(p->c, (uint32_t)squash((a + b) / 2) * 16 + 8, is);
    learn(by_state, input, ORDERS + 1, a, bit, 6);
    learn(by_last, input, ORDERS + 1, b, bit, 6);
    return bit;
}

/* A symbol's index without a candidate: below terminal_count, or just that for a new one. */
static uint32_t code_index(predictor *p, uint32_t symbol)
{
    enum { MASK = (1 << TREE_BITS) - 1 };
    uint32_t one = before(p, 1) * 0x9e3779b1u, two = one + before(p, 2) * 0x85ebca6bu;
    uint32_t node = 1, read = 0;
    unsigned bits = 32u - (p->terminal_count ? (unsigned)__builtin_clz(p->terminal_count) : 32);
    for (unsigned i = bits; i-- > 0;) {
        bit_model *m[3] = {p->tree[0] + (node & MASK), p->tree[1] + ((one + node * 0xc2b2ae35u) >> (32 - TREE_BITS)),
                           p->tree[2] + ((two + node * 0x27d4eb2fu) >> (32 - TREE_BITS))};
        int input[3];
        for (unsigned j = 0; j < 3; j++)
            input[j] = p->logit[m[j]->one >> 4];
        int sum = dot(p->tree_mixer + i, input, 3);
        unsigned bit = bit_code(p->c, (uint32_t)squash(sum) * 16 + 8, symbol >> i & 1);
        learn(p->tree_mixer + i, input, 3, sum, bit, 8);
        for (unsigned j = 0; j < 3; j++)
            bit_model_update(m[j], bit, j == 0 ? 30 : j == 1 ? 15 : 7);
        read |= bit << i;
        node = node << 1 | bit;
    }
    return read;
}

/* What a context learns from the symbol that came. */
static void update_slot(slot *s, uint32_t symbol)
{
    enum { COUNT_MAX = 30, SURE_NEW = 40000, SURE_SWAPPED = 25000 };
    uint32_t rate = 65536u / (s->count + 2u);
    if (s->first == NO_SYMBOL) {
        *s = (slot){.first = symbol, .second = NO_SYMBOL, .sure = SURE_NEW, .check = s->check};
        return;
    }
    s->count += s->count < COUNT_MAX;
    if (s->first == symbol) {
        s->sure = (uint16_t)(s->sure + ((65535u - s->sure) * rate >> 16));
        return;
    }
    s->sure = (uint16_t)(s->sure - (s->sure * rate >> 16));
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

/* True if the next symbol is that of the long repeat; then nothing more is to be coded. */
static bool go_on(predictor *p, uint32_t *symbol)
{
    if (p->match_length < MATCH_LONG)
        return false;
    uint32_t expected = p->history[p->match & ((1u << HISTORY_BITS) - 1)];
    bit_model *m = p->go_on + (31 - __builtin_clz(p->match_length));
    if (!bit_code_with(p->c, m, *symbol == expected, 62)) {
        p->match_length = 0;
        return false;
    }
    *symbol = expected;
    return true;
}

static uint64_t repeat_length(const predictor *p, uint64_t place)
{
    uint64_t length = 0;
    enum { MASK = (1 << HISTORY_BITS) - 1, ENOUGH = 1000 };
    if (p->at - place >= MASK - ENOUGH)
        return 0; /* no longer there */
    while (length < ENOUGH && length < place &&
           p->history[(place - 1 - length) & MASK] == p->history[(p->at - 1 - length) & MASK])
        length++;
    return length;
}

/* Adds a symbol to the history and follows, or looks for, a repeat. */
static void advance(predictor *p, uint32_t symbol)
{
    enum { LENGTH_MAX = 1 << 18 };
    bool repeats = p->match_length && p->history[p->match & ((1u << HISTORY_BITS) - 1)] == symbol;
    p->history[p->at++ & ((1u << HISTORY_BITS) - 1)] = symbol;
    p->match++;
    p->match_length = !repeats ? 0 : p->match_length < LENGTH_MAX ? p->match_length + 1 : LENGTH_MAX;
    if (p->match_length >= MATCH_LONG || p->at < MATCH_MIN)
        return;
    uint32_t hash = 0;
    for (unsigned i = 1; i <= MATCH_MIN; i++)
        hash = hash_on(hash, before(p, i));
    uint32_t *start = p->starts + (hash >> (32 - p->slot_bits));
    /* Places are kept modulo 2^32: those of 2^32 symbols ago cannot be told from others, and are checked anyway. */
    uint64_t place = p->at - (uint32_t)((uint32_t)p->at - *start);
    if (!p->match_length && *start && place < p->at) {
        uint64_t length = repeat_length(p, place);
        p->match = place;
        p->match_length = length < MATCH_MIN ? 0 : (uint32_t)length;
    }
    *start = (uint32_t)p->at;
}

static uint32_t add_terminal(predictor *p, uint32_t value)
{
    if (p->terminal_count == p->terminals_max) {
        p->terminals_max = 2 * p->terminals_max + 64;
        p->terminals = memory_grow(p->terminals, p->terminals_max, sizeof *p->terminals);
    }
    p->terminals[p->terminal_count] = value;
    return p->terminal_count++;
}

/* Codes one symbol, as an index; `value` is what it stands for, needed if it is new. */
static uint32_t code_symbol(predictor *p, uint32_t symbol, uint32_t value)
{
    if (go_on(p, &symbol)) {
        advance(p, symbol);
        return symbol;
    }
    uint32_t tried[RANKS];
    bool found = false;
    look_up(p);
    for (unsigned rank = 0; rank < RANKS && !found; rank++) {
        tried[rank] = candidate(p, tried, rank);
        if (tried[rank] == NO_SYMBOL)
            break;
        found = try_candidate(p, tried[rank], tried[rank] == symbol, tried, rank);
        symbol = found ? tried[rank] : symbol;
    }
    if (!found) {
        symbol = code_index(p, symbol);
        if (symbol == p->terminal_count)
            add_terminal(p, wpp_code_value(p->c, &p->values, value));
    }
    for (unsigned i = 0; i < ORDERS; i++)
        update_slot(p->here[i], symbol);
    advance(p, symbol);
    return symbol;
}

void wpp_stream_write(bit_coder *c, const grammar *g)
{
    predictor *p = memory_zero(1, sizeof *p);
    predictor_init(p, c, g->length);
    /* The walk gives values; the predictor wants indices, in the order of first appearance. */
    grammar indexed = *g;
    indexed.terminals = memory_zero(g->terminal_count, sizeof *indexed.terminals);
    for (uint32_t i = 0; i < g->terminal_count; i++)
        indexed.terminals[i] = i;
    grammar_walk *walk = grammar_walk_open(&indexed);
    uint32_t block[4096];
    size_t count;
    uint64_t done = 0;
    while ((count = grammar_walk_read(walk, block, sizeof block / sizeof *block)) > 0) {
        for (size_t i = 0; i < count; i++)
            code_symbol(p, block[i], g->terminals[block[i]]);
        progress_show(done += count, "symbols written");
    }
    progress_end();
    grammar_walk_close(walk);
    free(indexed.terminals);
    free(p->terminals);
    predictor_free(p);
    free(p);
}

grammar *wpp_stream_read(bit_coder *c, uint64_t length, bool lookahead)
{
    predictor *p = memory_zero(1, sizeof *p);
    grammar_builder *builder = grammar_builder_new(lookahead);
    predictor_init(p, c, length);
    bool well = true;
    uint32_t block[1024];
    for (uint64_t i = 0; i < length && well;) {
        size_t count = 0;
        for (; i < length && well && count < sizeof block / sizeof *block; i++) {
            uint32_t symbol = code_symbol(p, 0, 0);
            well = !c->bad && symbol < p->terminal_count;
            block[count++] = well ? p->terminals[symbol] : 0;
        }
        grammar_push(builder, block, count);
        progress_show(i, "symbols read");
    }
    progress_end();
    grammar *g = grammar_finish(builder);
    if (!well) {
        grammar_free(g);
        g = NULL;
    }
    free(p->terminals);
    predictor_free(p);
    free(p);
    return g;
}
