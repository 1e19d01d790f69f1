/* SPDX-License-Identifier: MIT */
/* Opens an image, and refuses one with a section that was moved after the link (tools/lib/image/moved.h), by its debug
 * information and by the addresses that the linker wrote into its descriptors. */
#ifndef WEFT_TOOLS_LIB_IMAGE_OPENED_H
#define WEFT_TOOLS_LIB_IMAGE_OPENED_H

#include "tools/lib/image/descriptor.h"
#include "tools/lib/image/image.h"

/* As image_read. */
image *image_open(const char *path, char *message, size_t message_size);
/* False, and a message: its descriptors say that a section was moved. For who has read both. */
bool image_in_place(const image *im, const descriptors *all, char *message, size_t message_size);

#endif
