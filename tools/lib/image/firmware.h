/* SPDX-License-Identifier: MIT */
/* What a firmware image (a linked ELF) says of itself, as far as running it takes: is it for a Cortex-M, which board, which
 * sink; and where its symbols are. */
#ifndef WEFT_TOOLS_LIB_IMAGE_FIRMWARE_H
#define WEFT_TOOLS_LIB_IMAGE_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct image image;

/* NULL, and a message: not readable, not an ELF, not linked, not for an ARM, or for one that is no Cortex-M. */
image *image_open(const char *path, char *message, size_t message_size);
void image_close(image *im);

/* A value of the lines `key=value` in the section .weft.board; NULL: there is none. Valid until image_close. */
const char *image_board(const image *im, const char *key);

/* Address (Thumb bit clear) and size of a symbol; false: the image has none of that name. */
bool image_symbol(const image *im, const char *name, uint32_t *address, uint32_t *size);

#endif
