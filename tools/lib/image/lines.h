/* SPDX-License-Identifier: MIT */
/* The source lines of an image's instructions, from the line programs of its DWARF (.debug_line, versions 2 to 5).
 *
 * The linker leaves the line programs of functions that it discards (--gc-sections, repeated inline functions) in the
 * file, moved to address 0. Where memory at 0 holds code of the image, these sequences would hide the lines of that
 * code: they are left out. */
#ifndef WEFT_TOOLS_LIB_IMAGE_LINES_H
#define WEFT_TOOLS_LIB_IMAGE_LINES_H

#include "tools/lib/image/symbols.h"

typedef struct image_line {
    uint32_t address, line;
    const char *file; /* NULL: no line from here on */
} image_line;

typedef struct image_lines image_lines;
struct Dwarf; /* of libdw */

/* Damaged line programs are read as far as they are sound. `elf` and `dwarf` (NULL: no line is known) outlive the
 * lines. */
image_lines *image_lines_read(struct Elf *elf, struct Dwarf *dwarf, const image_symbols *symbols);
void image_lines_free(image_lines *lines);
/* The line of an instruction; NULL: not known. */
const image_line *image_lines_at(const image_lines *lines, uint32_t address);

#endif
