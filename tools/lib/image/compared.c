/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/compared.h"

#include <stdio.h>

bool compared_add(compared_image *c, uint32_t pc, const uint8_t *bytes, size_t size)
{
    if (!c->im)
        return true;
    c->executed = true;
    c->found = c->found || image_bytes(c->im, pc, size);
    if (!image_differs(c->im, pc, bytes, size))
        return true;
    if (!c->differs)
        c->pc = pc;
    c->differs = true;
    return false;
}

void compared_load(compared_image *c, uint32_t pc, const uint8_t *bytes, uint32_t address, size_t size, uint64_t value)
{
    unsigned first = bytes[0] | (unsigned)bytes[1] << 8;
    bool literal = first >> 11 == 9 || (first & 0xff7f) == 0xf85f; /* ldr rt, [pc, #imm] in two and four bytes */
    uint8_t loaded[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    if (!c->im || c->differs || !literal || size != sizeof loaded ||
        !image_constant_differs(c->im, address, loaded, size))
        return;
    c->differs = c->constant = true;
    c->pc = pc;
}

bool compared_fits(const compared_image *c, char *message, size_t message_size)
{
    if (c->differs)
        snprintf(message, message_size, "'%s' is not the program that was recorded: that had another %s at 0x%08x",
                 c->im->path, c->constant ? "constant for the instruction" : "instruction", (unsigned)c->pc);
    else if (c->executed && !c->found)
        snprintf(message, message_size, "'%s' has none of the instructions that were recorded", c->im->path);
    return !c->differs && (c->found || !c->executed);
}
