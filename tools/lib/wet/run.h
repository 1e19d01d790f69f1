/* SPDX-License-Identifier: MIT */
/* A whole execution trace as the events of the full recording that it was made of (tools/lib/recording/full.h), for
 * what reads full recordings. Instructions, values, accesses and exceptions are those of the recording. Different are:
 *
 *   - an exception has the registers as they were last written; on a core of ARMv8.1-M, which clears some of them when
 *     a handler begins, they stay; its `pc` is 0 where what comes next is not near;
 *   - `completed` is false only where the values show it;
 *   - static instructions are numbered again. */
#ifndef WEFT_TOOLS_LIB_WET_RUN_H
#define WEFT_TOOLS_LIB_WET_RUN_H

#include "tools/lib/recording/full.h"

/* Whether a file is a full recording or a whole execution trace. */
bool wet_run_is(const char *path);
/* Opens either. NULL and a message: it cannot be read. */
full_reader *wet_run_open(const char *path, char *message, size_t message_size);

#endif
