/* SPDX-License-Identifier: MIT */
/* A black box (core/blackbox.h) in a memory dump, and the container that it becomes. */
#ifndef WEFT_TOOLS_LIB_RECORDING_BLACKBOX_H
#define WEFT_TOOLS_LIB_RECORDING_BLACKBOX_H

#include <stdio.h>

#include "tools/lib/recording/blackbox_paths.h"
#include "tools/lib/recording/fault.h"

/* The first box in a memory image, from `from` on: fills `head`. `size` if there is none. */
size_t blackbox_find(blackbox *box, const uint8_t *image, size_t size, size_t from);
/* Reads the paths of the box at `bytes`, which blackbox_find has found. False, and a message: the dump ends within it,
 * or it contradicts itself. */
bool blackbox_read(blackbox *box, const uint8_t *bytes, size_t size, char *message, size_t message_size);
void blackbox_free(blackbox *box);
/* Calls `take` for each path, oldest first, WEFT_BLACKBOX_RESET and _PAUSE among them. The context of a plain box's
 * paths is 0: it does not know it. */
void blackbox_each(const blackbox *box, void (*take)(void *own, uint32_t context, uint32_t path), void *own);

/* Writes a container: a recording for each run, and the fault, if not NULL, at the end of the one that it ended. False:
 * it could not be written (errno). */
bool blackbox_write(const blackbox *box, const fault *f, FILE *out);

#endif
