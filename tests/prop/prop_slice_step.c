/* SPDX-License-Identifier: MIT */
/* Sums that steps of a slice's program make (slice_step.h), against what the instruction computes: all narrow
 * instructions and random wide ones, each word that they may have, from random registers. */
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/wet/slice_step.h"

static check_random random_state = {7};
static uint32_t sums, others;

/* As slice_words.c runs it. */
static uint32_t step_word(const slice_step *s, const uint32_t *words, bool *failed)
{
    if (s->kind == SLICE_SUM)
        return (words[s->a] + (words[s->b] << s->shift) + s->plus) & s->mask;
    return slice_step_run(s, words, failed);
}

static void compare(const thumb_insn *insn, const wet_statement *s, const wet_slot *slot)
{
    uint16_t sources[SLICE_ZERO];
    for (uint16_t i = 0; i < SLICE_ZERO; i++)
        sources[i] = i;
    slice_step step = slice_step_compute(insn, s, slot, sources);
    unsigned order = slot->kind == WET_VALUE ? 0 : slot->source;
    *(step.kind == SLICE_SUM ? &sums : &others) += 1;
    for (unsigned round = 0; round < 3; round++) {
        thumb_state state = {{0}};
        uint32_t words[SLICE_ZERO + 1] = {0}, word = 0;
        bool failed = false;
        for (unsigned i = 0; i < SLICE_ZERO; i++)
            words[i] = state.r[i] = check_random_next(&random_state);
        bool known = wet_slot_compute(insn, slot, order, s->accesses[order].size, &state, &word);
        uint32_t got = step_word(&step, words, &failed);
        if (failed == known || (known && got != word)) {
            char text[64];
            thumb_text(insn, text, sizeof text);
            check_fail_values(__FILE__, __LINE__, text, got, word);
        }
    }
    slice_step_free(&step);
}

static void compare_all(const uint8_t *bytes, unsigned size)
{
    thumb_insn insn;
    if (!thumb_decode(&insn, 0x1002, bytes, size, 14) || insn.unknown)
        return;
    wet_access accesses[2] = {{insn.access_size, insn.memory == THUMB_STORE, 0},
                              {insn.access_size, insn.memory == THUMB_STORE, 1}};
    wet_statement s = {.accesses = accesses, .access_count = insn.access_size ? 1 + insn.multiple : 0};
    wet_slot slot = {.kind = WET_VALUE};
    for (slot.loc = 0; slot.loc <= THUMB_FLAGS && !check_failing(); slot.loc++)
        compare(&insn, &s, &slot);
    slot.loc = 0;
    for (slot.source = 0; slot.source < s.access_count && !check_failing(); slot.source++) {
        slot.kind = WET_ADDRESS;
        compare(&insn, &s, &slot);
        slot.kind = WET_DATA;
        compare(&insn, &s, &slot);
    }
}

static void narrow_instructions_have_the_words_that_they_compute(void)
{
    for (uint32_t code = 0; code < 0xe800 && !check_failing(); code++) {
        const uint8_t bytes[2] = {(uint8_t)code, (uint8_t)(code >> 8)};
        compare_all(bytes, 2);
    }
    CHECK(sums > 10000 && others > 10000);
}

static void wide_instructions_have_the_words_that_they_compute(void)
{
    uint32_t before = sums;
    for (unsigned i = 0; i < check_amount(20000, 60000, 1000000) && !check_failing(); i++) {
        uint32_t first = 0xe800 | (check_random_next(&random_state) & 0x17ff),
                 second = check_random_next(&random_state);
        const uint8_t bytes[4] = {(uint8_t)first, (uint8_t)(first >> 8), (uint8_t)second, (uint8_t)(second >> 8)};
        compare_all(bytes, 4);
    }
    CHECK(sums - before > 1000);
}

int main(void)
{
    RUN(narrow_instructions_have_the_words_that_they_compute);
    RUN(wide_instructions_have_the_words_that_they_compute);
    return check_failed();
}
