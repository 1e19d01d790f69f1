/* SPDX-License-Identifier: MIT */
/* How many bytes of stack a function's frame takes, from the image's call frame information (.debug_frame). */
#ifndef WEFT_TOOLS_LIB_IMAGE_UNWIND_H
#define WEFT_TOOLS_LIB_IMAGE_UNWIND_H

#include "tools/lib/image/image.h"

#define UNWIND_UNKNOWN UINT32_MAX

typedef struct unwind unwind; /* of an image that outlives it */

/* Never NULL; of an image without that information all frames are unknown. */
unwind *unwind_open(const image *im);
void unwind_close(unwind *u);
/* The most bytes between the stack pointer at the entry of the function at `address` and the one while it runs, what it
 * takes by alloca not counted; UNWIND_UNKNOWN: the image does not say. */
uint32_t unwind_frame(const unwind *u, uint32_t address);
/* The frame's address at an instruction: a register plus an offset. False: the image does not say so. */
bool unwind_address(const unwind *u, uint32_t pc, unsigned *reg, int32_t *offset);

#endif
