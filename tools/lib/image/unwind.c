/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/unwind.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"

struct unwind {
    const image *im;
    Dwarf_CFI *rules; /* of the debug information: NULL if it has none */
};

unwind *unwind_open(const image *im)
{
    unwind *u = memory_zero(1, sizeof *u);
    u->im = im;
    Dwarf *dwarf = image_dwarf(im);
    u->rules = dwarf ? dwarf_getcfi(dwarf) : NULL;
    return u;
}

void unwind_close(unwind *u)
{
    free(u);
}

/* The distance of the canonical frame address from a register; -1: it is given in another way. */
static int64_t distance(Dwarf_Frame *frame)
{
    Dwarf_Op *op;
    size_t count;
    if (dwarf_frame_cfa(frame, &op, &count) || count != 1)
        return -1;
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
        return (int64_t)op->number;
    return op->atom == DW_OP_bregx ? (int64_t)op->number2 : -1;
}

uint32_t unwind_frame(const unwind *u, uint32_t address)
{
    const image_symbol *f = image_function(&u->im->symbols, address);
    uint64_t end = f && f->size ? (uint64_t)f->address + f->size : (uint64_t)address + 2;
    int64_t most = -1;
    for (uint64_t at = address; u->rules && at < end;) {
        Dwarf_Frame *frame;
        Dwarf_Addr from, to;
        bool signal;
        if (dwarf_cfi_addrframe(u->rules, at, &frame))
            break;
        dwarf_frame_info(frame, &from, &to, &signal);
        int64_t bytes = distance(frame);
        most = bytes > most ? bytes : most;
        free(frame);
        if (to <= at)
            break;
        at = to;
    }
    return most < 0 || most >= UNWIND_UNKNOWN ? UNWIND_UNKNOWN : (uint32_t)most;
}

bool unwind_address(const unwind *u, uint32_t pc, unsigned *reg, int32_t *offset)
{
    Dwarf_Frame *frame;
    Dwarf_Op *op;
    size_t count;
    if (!u->rules || dwarf_cfi_addrframe(u->rules, pc, &frame))
        return false;
    bool good = !dwarf_frame_cfa(frame, &op, &count) && count == 1;
    bool plain = good && op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg15;
    good = plain || (good && op->atom == DW_OP_bregx);
    if (good) {
        *reg = plain ? op->atom - (unsigned)DW_OP_breg0 : (unsigned)op->number;
        *offset = (int32_t)(plain ? op->number : op->number2);
    }
    free(frame);
    return good;
}
