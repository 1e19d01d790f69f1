/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/code.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/thumb.h"
#include "tools/lib/machine/writes.h"

struct rerun_codes {
    rerun_code **slots; /* open addressing */
    size_t slot_max, count;
};

struct rerun_codes *rerun_codes_open(void)
{
    struct rerun_codes *codes = memory_zero(1, sizeof *codes);
    codes->slot_max = 4096;
    codes->slots = memory_zero(codes->slot_max, sizeof *codes->slots);
    return codes;
}

void rerun_codes_close(struct rerun_codes *codes)
{
    if (!codes)
        return;
    for (size_t i = 0; i < codes->slot_max; i++)
        free(codes->slots[i]);
    free(codes->slots);
    free(codes);
}

static size_t slot_of(const struct rerun_codes *codes, uint32_t pc, uint8_t condition)
{
    size_t i = (pc / 2 * 0x9e3779b1u >> 4) & (codes->slot_max - 1);
    while (codes->slots[i] &&
           (codes->slots[i]->instruction.pc != pc || codes->slots[i]->instruction.condition != condition))
        i = (i + 1) & (codes->slot_max - 1);
    return i;
}

static void grow(struct rerun_codes *codes)
{
    rerun_code **slots = codes->slots;
    size_t old = codes->slot_max;
    codes->slot_max *= 2;
    codes->slots = memory_zero(codes->slot_max, sizeof *codes->slots);
    for (size_t i = 0; i < old; i++)
        if (slots[i])
            codes->slots[slot_of(codes, slots[i]->instruction.pc, slots[i]->instruction.condition)] = slots[i];
    free(slots);
}

static rerun_code *decode(rerun_space *space, uint32_t pc, uint8_t condition)
{
    uint64_t first, second = 0;
    if (!rerun_load(space, pc, 2, &first))
        return NULL;
    unsigned size = thumb_size((uint16_t)first);
    if (size == 4 && !rerun_load(space, pc + 2, 2, &second))
        return NULL;
    rerun_code *code = memory_zero(1, sizeof *code);
    uint8_t bytes[4] = {(uint8_t)first, (uint8_t)(first >> 8), (uint8_t)second, (uint8_t)(second >> 8)};
    thumb_decode(&code->insn, pc, bytes, size, condition);
    code->instruction = (full_instruction){.pc = pc, .size = (uint8_t)size, .condition = condition};
    memcpy(code->instruction.bytes, bytes, size);
    code->instruction.writes = thumb_writes((uint16_t)first, (uint16_t)second, condition < THUMB_ALWAYS);
    return code;
}

const rerun_code *rerun_codes_at(struct rerun_codes *codes, rerun_space *space, uint32_t pc, uint8_t condition)
{
    size_t i = slot_of(codes, pc, condition);
    if (codes->slots[i])
        return codes->slots[i];
    rerun_code *made = decode(space, pc, condition);
    if (!made)
        return NULL;
    if (2 * (codes->count + 1) > codes->slot_max) {
        grow(codes);
        i = slot_of(codes, pc, condition);
    }
    made->instruction.number = (uint32_t)codes->count++;
    codes->slots[i] = made;
    return made;
}
