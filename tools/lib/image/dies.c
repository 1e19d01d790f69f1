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

bool dies_part(Dwarf_Die *die, uint64_t *offset)
{
    Dwarf_Attribute a;
    Dwarf_Word at = 0;
    int tag = dwarf_tag(die);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
        return false;
    if (dwarf_hasattr(die, tag == DW_TAG_member ? DW_AT_external : DW_AT_virtuality))
        return false;
    if (dwarf_attr(die, DW_AT_data_member_location, &a) && dwarf_formudata(&a, &at))
        return false;
    *offset = at;
    return true;
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
