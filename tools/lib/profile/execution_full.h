/* SPDX-License-Identifier: MIT */
/* A full recording (tools/lib/recording/full.h) as an execution (execution.h). */
#ifndef WEFT_TOOLS_LIB_PROFILE_EXECUTION_FULL_H
#define WEFT_TOOLS_LIB_PROFILE_EXECUTION_FULL_H

#include "tools/lib/profile/execution.h"

/* Adds a recording. False and a message: it cannot be read, or it is of another program. *cut: all up to its damaged
 * or missing end was added, and the message says what is wrong. */
bool execution_full(execution *run, const char *path, bool *cut, char *message, size_t message_size);

#endif
