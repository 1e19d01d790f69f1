/* SPDX-License-Identifier: MIT */
/* The code between the target and the jump, once, upwards: an address is reached if one before it leads there. */
#include "tools/lib/machine/closes.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/decode_in.h"
#include "tools/lib/machine/thumb.h"

enum { LOOP_MAX = 1 << 20 }; /* bytes; a function of more comes from a damaged symbol */

/* What IT instructions give those after them. */
typedef struct it_block {
    uint8_t conditions[4];
    int given, count;
} it_block;

/* GCC for ARMv6-M calls these for a switch: they return to one of the addresses of a table after the call. */
static bool is_switch_helper(const image *im, uint32_t pc)
{
    const image_symbol *callee = image_function(&im->symbols, pc);
    return callee && !strncmp(callee->name, "__gnu_thumb1_case", 17);
}

static bool decode_at(const image *im, uint32_t pc, it_block *it, thumb_insn *insn)
{
    const uint8_t *bytes = image_bytes(im, pc, 2);
    uint16_t first = bytes ? (uint16_t)(bytes[0] | bytes[1] << 8) : 0;
    bytes = image_bytes(im, pc, thumb_size(first));
    unsigned condition = it->given < it->count ? it->conditions[it->given++] : THUMB_ALWAYS;
    if (!bytes || !thumb_decode_in(insn, im, pc, bytes, thumb_size(first), condition))
        return false;
    int count = thumb_it(first, it->conditions);
    if (count)
        it->given = 0;
    it->count = count ? count : it->count;
    return true;
}

/* `reached`: by halfword from `low` on, up to `high`. */
static bool leads_to(const image *im, uint32_t low, uint32_t high, bool *reached)
{
    it_block it = {.count = 0};
    thumb_insn insn;
    reached[0] = true;
    for (uint32_t pc = low; pc < high; pc += 2) {
        if (!reached[(pc - low) / 2] || !decode_at(im, pc, &it, &insn))
            continue;
        if (insn.flow == THUMB_SWITCH || (insn.flow == THUMB_CALL && is_switch_helper(im, insn.target)))
            return true;
        if (insn.flow == THUMB_BRANCH && insn.target > pc && insn.target <= high)
            reached[(insn.target - low) / 2] = true;
        if (insn.falls && insn.size <= high - pc)
            reached[(pc - low + insn.size) / 2] = true;
    }
    return reached[(high - low) / 2];
}

bool closes_loop(const image *im, const image_symbol *f, const thumb_insn *jump)
{
    uint32_t to = jump->target, pc = jump->pc;
    if (f->size && to < f->address)
        return false;
    if (to > pc || pc - to > LOOP_MAX)
        return true;
    bool *reached = memory_zero((pc - to) / 2 + 1, sizeof *reached);
    bool closes = leads_to(im, to, pc, reached);
    free(reached);
    return closes;
}
