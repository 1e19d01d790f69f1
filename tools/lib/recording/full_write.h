/* SPDX-License-Identifier: MIT */
/* Writer of a full recording (tools/qemu/FULL.md) on the host. The emulator's plugin has one of its own: it writes what
 * it watches, as it happens.
 *
 *     full_writer *w = full_writer_open(file, machine);       the file is open, and stays the caller's
 *     while (...) full_writer_add(w, &event);                 in order; `time` is not read
 *     if (!full_writer_close(w)) ...                          errno says why
 *
 * Memory: a chunk of 131,072 instructions, and the static instructions. */
#ifndef WEFT_TOOLS_LIB_RECORDING_FULL_WRITE_H
#define WEFT_TOOLS_LIB_RECORDING_FULL_WRITE_H

#include <stdio.h>

#include "tools/lib/recording/full.h"

typedef struct full_writer full_writer;

full_writer *full_writer_open(FILE *file, const char *machine);
/* Instructions are told apart by their numbers, in any order. An exception comes after an instruction. */
void full_writer_add(full_writer *w, const full_event *event);
bool full_writer_close(full_writer *w);

#endif
