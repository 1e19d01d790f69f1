/* SPDX-License-Identifier: MIT */
/* What all readers of an image's debug information (image_dwarf) ask of a DIE. */
#ifndef WEFT_TOOLS_LIB_IMAGE_DIES_H
#define WEFT_TOOLS_LIB_IMAGE_DIES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

enum { DIES_NESTED_MAX = 64 }; /* DIEs within DIEs that are followed; more is damage */

/* The type of a DIE without typedefs and qualifiers. False: it has none. */
bool dies_type(Dwarf_Die *die, Dwarf_Die *type);
/* Bytes of an object of that type; 0: not known. */
uint64_t dies_size(Dwarf_Die *type);
/* Whether a child of a struct, union or class is a part of each object of it, at `offset` bytes: a member, or a base. A
 * base and a struct without a name have no name; what is in them is meant by its own. Not: static members, virtual
 * bases. Of a bit-field it is the offset of its first byte. */
bool dies_part(Dwarf_Die *die, uint64_t *offset);

/* Which bits of its bytes a part is; count 0: it is not a bit-field. */
typedef struct dies_bits {
    unsigned first, count; /* first: 0 to 7, from the part's offset on */
} dies_bits;

dies_bits dies_part_bits(Dwarf_Die *die);
/* Bytes that hold a part: those of its type, or of its bits. */
uint64_t dies_part_size(Dwarf_Die *die, Dwarf_Die *type);
/* Of a variable. False: it does not have one address for the whole run. */
bool dies_address(Dwarf_Die *die, uint64_t *address);

#endif
