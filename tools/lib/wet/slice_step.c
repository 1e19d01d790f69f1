/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/slice_step.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

/* An operand as a place and a constant that is added. */
static uint16_t operand(const thumb_insn *insn, const uint16_t *sources, unsigned reg, uint32_t *plus)
{
    *plus += reg == THUMB_PC ? insn->pc + 4 : 0;
    return reg < 15 ? sources[reg] : SLICE_ZERO;
}

static slice_step sum(uint16_t a, uint16_t b, unsigned shift, uint32_t plus)
{
    return (slice_step){.kind = SLICE_SUM, .a = a, .b = b, .shift = (uint8_t)shift, .plus = plus, .mask = ~0u};
}

/* As thumb_address. */
static bool address_make(slice_step *step, const thumb_insn *insn, unsigned order, const uint16_t *sources)
{
    uint32_t plus = 0;
    if (!insn->access_size || insn->base == THUMB_NONE || insn->shift > 31)
        return false;
    uint16_t base = operand(insn, sources, insn->base, &plus), index = SLICE_ZERO;
    plus = (plus & ~3u) + (insn->post ? 0 : (uint32_t)insn->offset) + 4 * order;
    if (insn->index != THUMB_NONE && insn->index >= 15)
        return false;
    if (insn->index != THUMB_NONE)
        index = sources[insn->index];
    *step = sum(base, index, insn->shift, plus);
    return true;
}

/* What a memory instruction leaves in its base. */
static bool base_make(slice_step *step, const thumb_insn *insn, unsigned loc, const uint16_t *sources)
{
    if (!insn->access_size || !insn->writeback || loc != insn->base || insn->list >> loc & 1 || loc >= 15)
        return false;
    *step = sum(sources[loc], SLICE_ZERO, 0, (uint32_t)insn->delta);
    return true;
}

/* Sums of registers and constants, copies, the low bits of a register. */
static bool value_make(slice_step *step, const thumb_insn *insn, unsigned loc, const uint16_t *sources)
{
    bool imm = insn->rm == THUMB_NONE;
    if (insn->memory || loc >= 15 || loc != insn->rd || loc == insn->rd2 || insn->shift_kind ||
        (!imm && insn->rm >= 15))
        return false;
    uint16_t m = imm ? SLICE_ZERO : sources[insn->rm], n = insn->rn < 15 ? sources[insn->rn] : SLICE_ZERO;
    uint32_t plus = imm ? insn->imm : 0;
    bool is = insn->form == THUMB_MOV || insn->form == THUMB_UXTB || insn->form == THUMB_UXTH;
    if (is) {
        *step = sum(m, SLICE_ZERO, 0, plus);
        step->mask = insn->form == THUMB_UXTB ? 0xff : insn->form == THUMB_UXTH ? 0xffff : ~0u;
    } else if (insn->rn >= 15) {
        return false;
    } else if (insn->form == THUMB_ADD) {
        *step = sum(n, m, 0, plus);
    } else if (insn->form == THUMB_SUB && imm) {
        *step = sum(n, SLICE_ZERO, 0, 0u - plus);
    } else if (insn->form == THUMB_LSL && imm && insn->imm < 32) {
        *step = sum(SLICE_ZERO, n, insn->imm, 0);
    } else {
        return false;
    }
    return true;
}

/* The register that a store stores, where it is the only one. */
static bool data_make(slice_step *step, const thumb_insn *insn, unsigned size, const uint16_t *sources)
{
    if (insn->memory != THUMB_STORE || insn->multiple || !(insn->list & 0x7fff) || insn->data[0] != THUMB_NONE)
        return false;
    *step = sum(sources[__builtin_ctzll(insn->list)], SLICE_ZERO, 0, 0);
    step->mask = size >= 4 ? ~0u : (1u << 8 * size) - 1;
    return true;
}

slice_step slice_step_compute(const thumb_insn *insn, const wet_statement *s, const wet_slot *slot,
                              const uint16_t sources[SLICE_ZERO])
{
    unsigned order = slot->kind == WET_VALUE ? 0 : slot->source, size = s->access_count ? s->accesses[order].size : 0;
    slice_step step = {0};
    bool is = slot->kind == WET_ADDRESS ? address_make(&step, insn, order, sources)
              : slot->kind == WET_DATA  ? data_make(&step, insn, size, sources)
                                        : slot->kind == WET_VALUE && (base_make(&step, insn, slot->loc, sources) ||
                                                                     value_make(&step, insn, slot->loc, sources));
    if (is)
        return step;
    step.kind = SLICE_OTHER;
    step.formula = memory_zero(1, sizeof *step.formula);
    *step.formula = (slice_formula){.insn = insn, .slot = slot, .order = (uint8_t)order, .size = (uint8_t)size};
    memcpy(step.formula->sources, sources, sizeof step.formula->sources);
    return step;
}

void slice_step_free(slice_step *s)
{
    free(s->formula);
}

uint32_t slice_step_run(const slice_step *s, const uint32_t *words, bool *failed)
{
    const slice_formula *by = s->formula;
    thumb_state state = {{0}};
    uint32_t word = 0;
    for (unsigned loc = 0; loc < SLICE_ZERO; loc++)
        state.r[loc] = words[by->sources[loc]];
    if (!wet_slot_compute(by->insn, by->slot, by->order, by->size, &state, &word))
        *failed = true;
    return word;
}
