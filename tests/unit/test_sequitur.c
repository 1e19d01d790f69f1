/* SPDX-License-Identifier: MIT */
#include "core/sequitur_parts.h"
#include "tests/lib/check.h"

WEFT_SEQ_DEF(plain, 200, 64, 30, 32, false);
WEFT_SEQ_DEF(ahead, 200, 64, 30, 32, true);

static bool push_text(weft_seq *seq, const char *text)
{
    for (; *text; text++)
        EXPECT(weft_seq_push(seq, (uint8_t)*text, SIZE_MAX) == WEFT_OK && weft_seq_check(seq));
    return true;
}

/* The number of a rule among those that were met. Adds it if it is new. */
static unsigned number_of(weft_handle rules[26], unsigned *met, weft_handle guard)
{
    unsigned known = 1;
    while (known < *met && rules[known] != guard)
        known++;
    if (known == *met && known < 26)
        rules[(*met)++] = guard;
    return known;
}

/* Right sides as the paper prints them: rules by capital letters in the order in which they are met, breadth first. */
static bool grammar_is(const weft_seq *seq, const char *expected)
{
    weft_handle rules[26] = {WEFT_SEQ_START};
    unsigned met = 1;
    for (unsigned rule = 0; rule < met; rule++) {
        for (weft_handle at = seq->symbols[rules[rule]].next; at != rules[rule]; at = seq->symbols[at].next) {
            weft_handle value = seq->symbols[at].value;
            uint32_t letter = value & WEFT_SEQ_RULE ? 0 : seq->terminals[value];
            if (value & WEFT_SEQ_RULE) {
                unsigned known = number_of(rules, &met, value & 0x7fff);
                EXPECT(known < 26);
                letter = 'A' + known - 1;
            }
            EXPECT(letter == (uint8_t)*expected);
            expected++;
        }
        EXPECT(*expected == (rule + 1 < met ? '|' : 0));
        expected++;
    }
    return true;
}

static void abcabcabcabc_is_A_A_with_A_of_B_B(void)
{
    CHECK_EQ(weft_seq_init(&plain, &plain_config), WEFT_OK);
    CHECK(push_text(&plain, "abcabcabcabc"));
    CHECK(grammar_is(&plain, "AA|BB|abc"));
    CHECK(push_text(&plain, "abc"));
    CHECK(grammar_is(&plain, "AAB|BB|abc"));
}

/* The example of core/sequitur.h. */
static void abcdbc_is_a_A_d_A_with_A_of_bc(void)
{
    CHECK_EQ(weft_seq_init(&plain, &plain_config), WEFT_OK);
    CHECK(push_text(&plain, "abcdb"));
    CHECK(grammar_is(&plain, "abcdb"));
    CHECK(push_text(&plain, "c"));
    CHECK(grammar_is(&plain, "aAdA|bc"));
    if (!WEFT_SMALL) { /* which takes other symbols of the pool */
        CHECK_EQ(plain.symbols[1].next, 7);
        CHECK_EQ(plain.symbols[7].next, 4);
        CHECK_EQ(plain.symbols[4].next, 5);
        CHECK_EQ(plain.symbols[6].next, 2);
    }
    CHECK(push_text(&plain, "abc"));
    CHECK(grammar_is(&plain, "AdBA|aB|bc"));
    CHECK(push_text(&plain, "d"));
    CHECK(grammar_is(&plain, "ABA|aBd|bc"));
}

static void larus_string_is_folded_twice_without_look_ahead(void)
{
    CHECK_EQ(weft_seq_init(&plain, &plain_config), WEFT_OK);
    CHECK(push_text(&plain, "11111211111"));
    CHECK(grammar_is(&plain, "AB2BA|11|A1"));
}

static void larus_string_is_C_2_C_with_look_ahead(void)
{
    CHECK_EQ(weft_seq_init(&ahead, &ahead_config), WEFT_OK);
    CHECK(push_text(&ahead, "11111211111"));
    weft_seq_settle(&ahead);
    CHECK(weft_seq_check(&ahead));
    CHECK(grammar_is(&ahead, "A2A|BB1|11"));
}

/* Section 3.1: S -> BCBA and then, with one more d, S -> DD. (In the former, C is used once and BA occurs twice when C
 * stands in S itself; so it is S -> EdE with E -> AcA.) */
static void larus_rule_utility_example_ends_in_two_rules(void)
{
    CHECK_EQ(weft_seq_init(&plain, &plain_config), WEFT_OK);
    CHECK(push_text(&plain, "abcabdabcab"));
    CHECK(grammar_is(&plain, "AdA|BcB|ab"));
    CHECK(push_text(&plain, "d"));
    CHECK(grammar_is(&plain, "AA|BcBd|ab"));
}

static void three_in_a_row_hold_one_pair(void)
{
    CHECK_EQ(weft_seq_init(&plain, &plain_config), WEFT_OK);
    CHECK(push_text(&plain, "aaa"));
    CHECK_EQ(plain.rules, 0);
    CHECK(push_text(&plain, "a"));
    CHECK(grammar_is(&plain, "AA|aa"));
}

/* When a triple disappears, the pair that overlapped it is entered. */
static void an_undone_triple_leaves_its_other_pair_known(void)
{
    CHECK_EQ(weft_seq_init(&plain, &plain_config), WEFT_OK);
    CHECK(push_text(&plain, "abbbabcbb"));
    CHECK(push_text(&plain, "abbbabcbb"));
}

static void a_full_pool_takes_nothing_and_starts_anew_after_a_flush(void)
{
    WEFT_SEQ_DEF(tiny, 12, 16, 3, 4, false);
    uint8_t bytes[40];
    weft_writer out;
    CHECK_EQ(weft_seq_init(&tiny, &tiny_config), WEFT_OK);
    CHECK_EQ(weft_seq_push(&tiny, 5, sizeof bytes), WEFT_OK);
    CHECK_EQ(weft_seq_push(&tiny, 6, sizeof bytes), WEFT_OK);
    CHECK_EQ(weft_seq_push(&tiny, 7, sizeof bytes), WEFT_OK);
    CHECK_EQ(weft_seq_push(&tiny, 8, sizeof bytes), WEFT_FULL); /* terminals */
    CHECK_EQ(tiny.used, 4);
    CHECK_EQ(weft_seq_push(&tiny, 7, sizeof bytes), WEFT_OK);
    unsigned taken = 4;
    while (weft_seq_push(&tiny, 5 + taken * taken % 3, sizeof bytes) == WEFT_OK)
        taken++;
    CHECK(taken >= 6 && weft_seq_check(&tiny));
    weft_writer_init(&out, bytes, sizeof bytes);
    CHECK_EQ(weft_seq_flush(&tiny, &out), WEFT_OK);
    CHECK(out.size > 0 && out.size <= 20);
    CHECK_EQ(weft_seq_push(&tiny, 8, sizeof bytes), WEFT_OK);
    CHECK(weft_seq_high_water(&tiny) <= 12);
}

/* The bytes of a segment, by hand. gamma(3) = 011; a new terminal 11; value 97, zigzag of 98 = 196: gamma(7) = 00111,
 * 00100. Then a new rule 10 with 97 (0, code 0 of 2: 0), a new terminal 11, 98: zigzag of 1 = 2: gamma(1) = 1, 00010;
 * no more elements: 0. Then that rule: 0, code 2 of 3: 11. */
static void a_segment_has_the_bits_that_the_header_says(void)
{
    static const uint8_t expected[] = {0x79, 0xc9, 0x1c, 0x46};
    uint8_t bytes[40];
    weft_writer out;
    CHECK_EQ(weft_seq_init(&plain, &plain_config), WEFT_OK);
    CHECK(push_text(&plain, "aabab"));
    CHECK(grammar_is(&plain, "aAA|ab"));
    weft_writer_init(&out, bytes, sizeof bytes);
    CHECK_EQ(weft_seq_flush(&plain, &out), WEFT_OK);
    CHECK_EQ(out.size, sizeof expected);
    for (unsigned i = 0; i < sizeof expected; i++)
        CHECK_EQ(bytes[i], expected[i]);
}

static void sizes_that_cannot_work_are_refused(void)
{
    weft_seq_config config = plain_config;
    config.symbols_max = WEFT_SEQ_SYMBOLS_MIN - 1;
    CHECK_EQ(weft_seq_init(&plain, &config), WEFT_CONFIG);
    config.symbols_max = 32768;
    CHECK_EQ(weft_seq_init(&plain, &config), WEFT_CONFIG);
    config = plain_config;
    config.digrams_max = 48;
    CHECK_EQ(weft_seq_init(&plain, &config), WEFT_CONFIG);
    config = plain_config;
    config.terminals_max = 32;
    CHECK_EQ(weft_seq_init(&plain, &config), WEFT_CONFIG);
    config.terminals_max = 0;
    CHECK_EQ(weft_seq_init(&plain, &config), WEFT_CONFIG);
    CHECK_EQ(sizeof(weft_seq_symbol), 8);
}

int main(void)
{
    RUN(abcabcabcabc_is_A_A_with_A_of_B_B);
    RUN(abcdbc_is_a_A_d_A_with_A_of_bc);
    RUN(larus_string_is_folded_twice_without_look_ahead);
    RUN(larus_string_is_C_2_C_with_look_ahead);
    RUN(larus_rule_utility_example_ends_in_two_rules);
    RUN(three_in_a_row_hold_one_pair);
    RUN(an_undone_triple_leaves_its_other_pair_known);
    RUN(a_full_pool_takes_nothing_and_starts_anew_after_a_flush);
    RUN(a_segment_has_the_bits_that_the_header_says);
    RUN(sizes_that_cannot_work_are_refused);
    return check_failed();
}
