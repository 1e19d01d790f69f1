/* SPDX-License-Identifier: MIT */
/* What running an image takes to know: is it for a Cortex-M, which board, which sink. */
#ifndef WEFT_TOOLS_LIB_IMAGE_FIRMWARE_H
#define WEFT_TOOLS_LIB_IMAGE_FIRMWARE_H

#include "tools/lib/image/image.h"

typedef struct firmware firmware;

/* NULL, and a message: not an image (image_open), not linked, or not for a Cortex-M. */
firmware *firmware_open(const char *path, char *message, size_t message_size);
void firmware_close(firmware *f);

/* Valid until firmware_close. */
const image *firmware_image(const firmware *f);
/* A value of the lines `key=value` in the section .weft.board; NULL: there is none. Valid until firmware_close. */
const char *firmware_board(const firmware *f, const char *key);

#endif
