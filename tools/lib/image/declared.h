/* SPDX-License-Identifier: MIT */
/* Where an image's functions are declared, from the DIEs of its DWARF: as probes say it. The line of a function's first
 * instruction may be another one's, of a function that is inlined there. A definition in the style of K&R has the place
 * of its prototype, maybe in a header: ask the lines whether its code stands there. */
#ifndef WEFT_TOOLS_LIB_IMAGE_DECLARED_H
#define WEFT_TOOLS_LIB_IMAGE_DECLARED_H

#include "tools/lib/image/lines.h"

typedef struct image_declared image_declared;

/* Of the functions that the symbols confirm, by address; at address 0, where functions stand that the linker discarded,
 * by name too. `dwarf` (NULL: none is known) outlives the result. */
image_declared *image_declared_read(struct Dwarf *dwarf, const image_symbols *symbols);
void image_declared_free(image_declared *declared);
/* Of the function that begins at an address; NULL: not known. */
const image_line *image_declared_find(const image_declared *declared, uint32_t address);

#endif
