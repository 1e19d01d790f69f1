/* SPDX-License-Identifier: MIT */
/* What tells two links of the same objects apart: a check sum of all bytes that the program has at run time. The engine
 * of weft.c keeps a place for it (port/cortex-m/identity.c), which `weft seal` fills in after the link; the target adds
 * it to the identity in its frames. It needs nothing of the linker script, as a build id does.
 *
 *     LINKED_MARK | check sum, little-endian, 4 bytes; 0: not filled in */
#ifndef WEFT_TOOLS_LIB_IMAGE_LINKED_H
#define WEFT_TOOLS_LIB_IMAGE_LINKED_H

#include "tools/lib/image/image.h"

enum { LINKED_SIZE = 4 };

/* The check sum of the image as it is, whatever its place holds, and where in the file that place is. 0: the image has
 * no place, or more than one. */
uint32_t linked_sum(const image *im, size_t *offset);

#endif
