/* SPDX-License-Identifier: MIT */
/* Whether a section of an image was moved after the link, as `objcopy --change-section-address` does. Symbols move with
 * their section, but not the debug information, the literals in the code, nor the program that was recorded. */
#ifndef WEFT_TOOLS_LIB_IMAGE_MOVED_H
#define WEFT_TOOLS_LIB_IMAGE_MOVED_H

#include <elfutils/libdw.h>

#include "tools/lib/image/symbols.h"

/* The name of such a section, valid while `elf` is open: its symbols and the debug information name the same functions
 * or objects, all of them at other addresses. NULL: there is none, or nothing can be compared. */
const char *image_moved(const image_symbols *symbols, Elf *elf, Dwarf *dwarf);

/* The same of what the linker wrote elsewhere, of an image without debug information; of each name one address. */
const char *image_moved_from(const image_symbols *symbols, Elf *elf, const image_name *names, size_t count);

#endif
