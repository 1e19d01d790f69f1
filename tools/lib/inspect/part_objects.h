/* SPDX-License-Identifier: MIT */
/* The address space cut where objects begin and end, so that the object at an address is found by one search, and
 * the caller knows how far the answer holds.
 *
 *     part_objects all = part_objects_of(&im->symbols);
 *     part_object at = part_objects_at(&all, address);     the same for address - at.low < at.size
 *     part_objects_free(&all); */
#ifndef WEFT_TOOLS_LIB_INSPECT_PART_OBJECTS_H
#define WEFT_TOOLS_LIB_INSPECT_PART_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

#include "tools/lib/image/symbols.h"

typedef struct part_object {
    uint32_t number;    /* of the symbol, as image_object finds it, + 1; 0: there is no object */
    uint32_t low, size; /* the addresses for which this holds, in bytes; size 0: none */
} part_object;

typedef struct part_objects {
    part_object *span; /* malloc; in the order of their addresses, from 0 on */
    size_t count;
} part_objects;

/* The symbols stay open. */
part_objects part_objects_of(const image_symbols *symbols);
void part_objects_free(part_objects *all);
part_object part_objects_at(const part_objects *all, uint32_t address);

#endif
