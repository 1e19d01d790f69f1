/* SPDX-License-Identifier: MIT */
/* Static variables of an image and their types, from its DWARF: what object lies at an address. */
#ifndef WEFT_TOOLS_LIB_IMAGE_TYPES_H
#define WEFT_TOOLS_LIB_IMAGE_TYPES_H

#include "tools/lib/image/image.h"

typedef struct image_types image_types; /* of an image that outlives it */

typedef enum types_answer {
    TYPES_UNKNOWN, /* no variable with a type is there */
    TYPES_WHOLE,   /* one object: a scalar, a structure, a union or an array, alone or as a part of another */
    TYPES_PARTS,   /* some elements of an array, some members of a structure, or a part of a scalar */
} types_answer;

/* Never NULL; of an image without that information nothing is known. */
image_types *types_open(const image *im);
void types_close(image_types *types);
/* What the bytes [address, address + size) are, and their name, such as queue.items[3].key, as far as it fits; "" where
 * nothing is known. Of parts: the name of the least object around them. */
types_answer types_at(image_types *types, uint32_t address, uint32_t size, char *name, size_t name_size);

#endif
