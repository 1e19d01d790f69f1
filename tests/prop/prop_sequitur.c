/* SPDX-License-Identifier: MIT */
/* SEQUITUR in the core against its definition: after every push the grammar expands to the input, no digram occurs
 * twice without overlap, every rule is used at least twice and has at least two symbols. The checks here walk the
 * rings themselves and share no code with weft_seq_check. */
#include <stdlib.h>
#include <string.h>

#include "core/sequitur_parts.h"
#include "tests/lib/check.h"

enum { INPUT_MAX = 100000, SYMBOLS_MAX = 32767, DIGRAMS_MAX = 32768, TERMINALS_MAX = 256, SLOTS_MAX = 512 };

static weft_seq_symbol symbols[SYMBOLS_MAX];
static weft_handle digrams[DIGRAMS_MAX], slots[SLOTS_MAX];
static uint32_t terminals[TERMINALS_MAX];
static uint32_t expected[INPUT_MAX + 1];
static unsigned expected_size;

static bool start(weft_seq *seq, unsigned symbols_max, unsigned digrams_max, bool lookahead)
{
    weft_seq_config config = {symbols,       symbols_max, digrams,   digrams_max, terminals,
                              TERMINALS_MAX, slots,       SLOTS_MAX, lookahead};
    expected_size = 0;
    return weft_seq_init(seq, &config) == WEFT_OK;
}

/* Expands the start rule with a stack of places. True: it is the expected stream. */
static bool expands(const weft_seq *seq)
{
    weft_handle stack[512];
    unsigned depth = 0, size = 0;
    weft_handle at = symbols[WEFT_SEQ_START].next;
    for (;;) {
        if (symbols[at].chain == WEFT_SEQ_GUARD) {
            if (!depth)
                return at == WEFT_SEQ_START && size == expected_size;
            at = symbols[stack[--depth]].next;
        } else if (symbols[at].value & WEFT_SEQ_RULE) {
            if (depth == 512)
                return false;
            stack[depth++] = at;
            at = symbols[symbols[at].value & 0x7fff].next;
        } else {
            if (size >= expected_size || seq->terminals[symbols[at].value] != expected[size++])
                return false;
            at = symbols[at].next;
        }
    }
}

/* All right sides that can be reached, one after the other, each ended by -1. */
static int right_sides[4 * SYMBOLS_MAX];
static unsigned right_size;

static unsigned collect(void)
{
    static bool seen[SYMBOLS_MAX];
    static weft_handle queue[SYMBOLS_MAX];
    unsigned rules = 1;
    memset(seen, 0, sizeof seen);
    queue[0] = WEFT_SEQ_START;
    right_size = 0;
    for (unsigned i = 0; i < rules; i++) {
        for (weft_handle at = symbols[queue[i]].next; at != queue[i]; at = symbols[at].next) {
            weft_handle value = symbols[at].value;
            right_sides[right_size++] = value;
            if (value & WEFT_SEQ_RULE && !seen[value & 0x7fff]) {
                seen[value & 0x7fff] = true;
                queue[rules++] = value & 0x7fff;
            }
        }
        right_sides[right_size++] = -1;
    }
    return rules;
}

/* Quadratic, for small grammars. */
static bool digrams_are_unique(bool but_the_last_of_the_start_rule)
{
    unsigned start_end = 0;
    while (right_sides[start_end] >= 0)
        start_end++;
    for (unsigned i = 0; i + 1 < right_size; i++) {
        if (right_sides[i] < 0 || right_sides[i + 1] < 0)
            continue;
        for (unsigned j = i + 1; j + 1 < right_size; j++) {
            if (right_sides[j] != right_sides[i] || right_sides[j + 1] != right_sides[i + 1])
                continue;
            if (j == i + 1 || (but_the_last_of_the_start_rule && (j + 2 == start_end || i + 2 == start_end)))
                continue;
            return false;
        }
    }
    return true;
}

static bool rules_are_useful(void)
{
    static unsigned uses[SYMBOLS_MAX];
    memset(uses, 0, sizeof uses);
    unsigned length = 0;
    bool first = true;
    for (unsigned i = 0; i < right_size; i++)
        if (right_sides[i] >= (int)WEFT_SEQ_RULE)
            uses[right_sides[i] & 0x7fff]++;
    for (unsigned i = 0; i < right_size; i++) {
        length = right_sides[i] < 0 ? 0 : length + 1;
        if (right_sides[i] >= 0 && right_sides[i + 1] < 0) {
            if (!first && length < 2)
                return false;
            first = false;
        }
        if (right_sides[i] >= (int)WEFT_SEQ_RULE && uses[right_sides[i] & 0x7fff] < 2)
            return false;
    }
    return true;
}

static bool holds(const weft_seq *seq, bool all)
{
    EXPECT(weft_seq_check(seq));
    EXPECT(expands(seq));
    collect();
    EXPECT(rules_are_useful());
    EXPECT(!all || digrams_are_unique(seq->deferred != 0));
    return true;
}

static bool push(weft_seq *seq, uint32_t symbol)
{
    weft_status status = weft_seq_push(seq, symbol, SIZE_MAX);
    if (status == WEFT_FULL) {
        weft_seq_settle(seq);
        EXPECT(holds(seq, expected_size < 100));
        weft_seq_reset(seq);
        expected_size = 0;
        status = weft_seq_push(seq, symbol, SIZE_MAX);
    }
    EXPECT(status == WEFT_OK);
    expected[expected_size++] = symbol;
    return true;
}

/* Every string up to a length, as a tree: each state is that of its parent's string and one symbol more. The
 * invariants must hold in each state, before and after the look-ahead's waiting symbols are settled. Terminals are
 * numbered as they come, so strings that differ only in the names of their symbols are one. A full pool ends a
 * branch: the state after it is the root again. */
enum { TREE_SYMBOLS = 64, TREE_DIGRAMS = 16, TREE_LETTERS = 4 };

typedef struct tree_state {
    weft_seq seq;
    weft_seq_symbol symbols[TREE_SYMBOLS];
    weft_handle digrams[TREE_DIGRAMS], slots[SLOTS_MAX];
    uint32_t terminals[TREE_LETTERS];
    unsigned pool;
} tree_state;

static void keep(tree_state *state, const weft_seq *seq)
{
    state->seq = *seq;
    memcpy(state->symbols, symbols, state->pool * sizeof *symbols);
    memcpy(state->digrams, digrams, sizeof state->digrams);
    memcpy(state->slots, slots, sizeof state->slots);
    memcpy(state->terminals, terminals, sizeof state->terminals);
}

static void restore(const tree_state *state, weft_seq *seq)
{
    *seq = state->seq;
    memcpy(symbols, state->symbols, state->pool * sizeof *symbols);
    memcpy(digrams, state->digrams, sizeof state->digrams);
    memcpy(slots, state->slots, sizeof state->slots);
    memcpy(terminals, state->terminals, sizeof state->terminals);
}

static bool extensions(weft_seq *seq, unsigned pool, unsigned letters, unsigned letters_max, unsigned length)
{
    tree_state before, after;
    before.pool = after.pool = pool;
    keep(&before, seq);
    for (unsigned letter = 0; length && letter <= letters && letter < letters_max; letter++) {
        if (weft_seq_push(seq, letter, SIZE_MAX) == WEFT_OK) {
            expected[expected_size++] = letter;
            EXPECT(holds(seq, true));
            if (seq->deferred) {
                keep(&after, seq);
                weft_seq_settle(seq);
                EXPECT(!seq->deferred && holds(seq, true));
                restore(&after, seq);
            }
            EXPECT(extensions(seq, pool, letters + (letter == letters), letters_max, length - 1));
            expected_size--;
        }
        restore(&before, seq);
    }
    return true;
}

static bool all_strings(unsigned alphabet, unsigned length, unsigned pool, bool lookahead)
{
    weft_seq seq;
    EXPECT(start(&seq, pool, TREE_DIGRAMS, lookahead));
    return extensions(&seq, pool, 0, alphabet, length);
}

/* Without and with lookahead. */
static bool both_kinds(unsigned alphabet, unsigned length)
{
    return all_strings(alphabet, length, 64, false) && all_strings(alphabet, length, 64, true);
}

/* The lengths are those of `make test`. */
static void all_strings_up_to_16_over_2_symbols_hold_the_invariants_after_every_push(void)
{
    CHECK(both_kinds(2, check_amount(14, 16, 18)));
}

static void all_strings_up_to_11_over_3_symbols_hold_the_invariants_after_every_push(void)
{
    CHECK(both_kinds(3, check_amount(9, 11, 12)));
}

static void all_strings_up_to_9_over_4_symbols_hold_the_invariants_after_every_push(void)
{
    CHECK(both_kinds(4, check_amount(8, 9, 10)));
}

static void all_strings_hold_the_invariants_in_the_smallest_pools(void)
{
    for (unsigned pool = WEFT_SEQ_SYMBOLS_MIN; pool < WEFT_SEQ_SYMBOLS_MIN + 11; pool++)
        for (unsigned lookahead = 0; lookahead < 2; lookahead++)
            CHECK(all_strings(2, pool, pool, lookahead) && all_strings(3, check_amount(8, 10, 11), pool, lookahead));
}

static void long_random_streams_hold_the_invariants(void)
{
    unsigned length = check_amount(20000, 50000, 100000);
    check_random random = {4711};
    for (unsigned round = 0; round < check_amount(4, 4, 12); round++) {
        weft_seq seq;
        unsigned alphabet = 2 + round * round;
        CHECK(start(&seq, round % 3 ? SYMBOLS_MAX : 500, round % 2 ? DIGRAMS_MAX : 64, round & 1));
        for (unsigned i = 0; i < length; i++) {
            uint32_t dice = check_random_below(&random, 100);
            uint32_t symbol = check_random_below(&random, alphabet);
            if (round % 4 >= 2 && dice < 90 && expected_size > 50)
                symbol = expected[expected_size - 3 - i / 1000 % 40]; /* long repeats */
            CHECK(push(&seq, symbol));
            if (i % 9973 == 0)
                CHECK(holds(&seq, false));
        }
        weft_seq_settle(&seq);
        CHECK(holds(&seq, false));
    }
}

/* Repeats in repeats, runs, and pushes that undo triples. */
static void structured_streams_hold_the_invariants_after_every_push(void)
{
    check_random random = {31};
    for (unsigned round = 0; round < check_amount(300, 750, 3000); round++) {
        weft_seq seq;
        unsigned alphabet = 1 + round % 4;
        CHECK(start(&seq, 20 + round % 300, 16u << round % 4, round & 1));
        for (unsigned i = 0; i < 150; i++) {
            uint32_t symbol = check_random_below(&random, alphabet);
            unsigned times = check_random_below(&random, 4) ? 1 : 1 + check_random_below(&random, 7);
            for (; times; times--)
                CHECK(push(&seq, symbol));
            CHECK(holds(&seq, i % 7 == 0));
        }
    }
}

int main(void)
{
    RUN(all_strings_up_to_16_over_2_symbols_hold_the_invariants_after_every_push);
    RUN(all_strings_up_to_11_over_3_symbols_hold_the_invariants_after_every_push);
    RUN(all_strings_up_to_9_over_4_symbols_hold_the_invariants_after_every_push);
    RUN(all_strings_hold_the_invariants_in_the_smallest_pools);
    RUN(long_random_streams_hold_the_invariants);
    RUN(structured_streams_hold_the_invariants_after_every_push);
    return check_failed();
}
