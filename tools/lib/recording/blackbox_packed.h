/* SPDX-License-Identifier: MIT */
/* The way back through a compressed black box (core/blackbox_packed.h). */
#ifndef WEFT_TOOLS_LIB_RECORDING_BLACKBOX_PACKED_H
#define WEFT_TOOLS_LIB_RECORDING_BLACKBOX_PACKED_H

#include "tools/lib/recording/blackbox_paths.h"

/* Reads the box at `bytes`, whose head says that it is one and how large: its runs, at most 24 bytes per byte of the
 * ring. False, and a message: the dump ends within it, or it is damaged. */
bool blackbox_unpack(blackbox *box, const uint8_t *bytes, size_t size, char *message, size_t message_size);
/* As blackbox_each. */
void blackbox_unpack_each(const blackbox *box, void (*take)(void *own, uint32_t context, uint32_t path), void *own);

#endif
