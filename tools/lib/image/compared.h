/* SPDX-License-Identifier: MIT */
/* Whether an image is the program that executed. Executed instructions are compared with it, one after the other. An
 * instruction that the image lacks proves nothing, since boot loaders and code that was copied to RAM are in no image.
 * But an image that lacks all of them belongs to another program.
 *
 *     compared_image c = {.im = im};
 *     compared_add(&c, pc, bytes, size);   ...
 *     if (!compared_fits(&c, message, sizeof message))   says which instruction differs */
#ifndef WEFT_TOOLS_LIB_IMAGE_COMPARED_H
#define WEFT_TOOLS_LIB_IMAGE_COMPARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/image/image.h"

typedef struct compared_image {
    const image *im; /* NULL: nothing is compared, and all fits */
    bool executed;   /* an instruction */
    bool found;      /* the image has one of them */
    bool differs;    /* the image has another instruction where one executed */
    bool constant;   /* it has the instruction, but another constant for it */
    uint32_t pc;     /* the first such; not changed by what is added later */
} compared_image;

/* False: the image has another instruction there. */
bool compared_add(compared_image *c, uint32_t pc, const uint8_t *bytes, size_t size);
/* It loaded `value` from there. Only a constant beside the code is compared: another link of the same objects may have
 * the same instructions, but the addresses of its data stand in such constants. */
void compared_load(compared_image *c, uint32_t pc, const uint8_t *bytes, uint32_t address, size_t size, uint64_t value);
/* False, and a message: it is not the program. */
bool compared_fits(const compared_image *c, char *message, size_t message_size);

#endif
