/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/dies.h"

#include <dwarf.h>

bool dies_type(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute a;
    return dwarf_attr_integrate(die, DW_AT_type, &a) && dwarf_formref_die(&a, type) && dwarf_peel_type(type, type) == 0;
}

uint64_t dies_size(Dwarf_Die *type)
{
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

bool dies_address(Dwarf_Die *die, uint64_t *address)
{
    Dwarf_Attribute a;
    Dwarf_Op *op;
    size_t count;
    if (!dwarf_attr_integrate(die, DW_AT_location, &a) || dwarf_getlocation(&a, &op, &count) || count != 1 ||
        op[0].atom != DW_OP_addr)
        return false;
    *address = op[0].number;
    return true;
}
