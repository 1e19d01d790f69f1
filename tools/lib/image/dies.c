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

static uint64_t number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute a;
    Dwarf_Word value;
    return dwarf_attr(die, name, &a) && !dwarf_formudata(&a, &value) ? value : 0;
}

/* Bits from the struct's start to a bit-field's: said by the number, or (before DWARF 4) counted from the highest bit
 * of a unit of its type's size. */
static uint64_t bits_before(Dwarf_Die *die)
{
    Dwarf_Die type;
    if (dwarf_hasattr(die, DW_AT_data_bit_offset))
        return number_of(die, DW_AT_data_bit_offset);
    uint64_t unit = number_of(die, DW_AT_byte_size), at = 8 * number_of(die, DW_AT_data_member_location);
    if (!unit && dies_type(die, &type))
        unit = dies_size(&type);
    return at + 8 * unit - number_of(die, DW_AT_bit_offset) - number_of(die, DW_AT_bit_size);
}

dies_bits dies_part_bits(Dwarf_Die *die)
{
    uint64_t count = number_of(die, DW_AT_bit_size);
    return count && count <= 64 ? (dies_bits){bits_before(die) % 8, (unsigned)count} : (dies_bits){0, 0};
}

uint64_t dies_part_size(Dwarf_Die *die, Dwarf_Die *type)
{
    dies_bits bits = dies_part_bits(die);
    return bits.count ? (bits.first + bits.count + 7) / 8 : dies_size(type);
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
    *offset = dies_part_bits(die).count ? bits_before(die) / 8 : at;
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
