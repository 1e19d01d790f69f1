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

bool compared_fits(const compared_image *c, char *message, size_t message_size)
{
    if (c->differs)
        snprintf(message, message_size,
                 "'%s' is not the program that was recorded: that had another instruction at 0x%08x", c->im->path,
                 (unsigned)c->pc);
    else if (c->executed && !c->found)
        snprintf(message, message_size, "'%s' has none of the instructions that were recorded", c->im->path);
    return !c->differs && (c->found || !c->executed);
}
