/* SPDX-License-Identifier: MIT */
/* Frames that the host adds to a recording. */
#ifndef WEFT_TOOLS_LIB_RECORDING_HOST_FRAME_H
#define WEFT_TOOLS_LIB_RECORDING_HOST_FRAME_H

#include <stdbool.h>
#include <stdio.h>

#include "core/frame.h"

/* Writes a frame in wire form. `like` gives all of its head but the kind. False: errno says why. */
bool host_frame_write(const weft_frame *like, uint8_t kind, const uint8_t *body, size_t size, FILE *out);

#endif
