/* SPDX-License-Identifier: MIT */
/* A full recording (tools/lib/recording/full.h) as an execution (execution.h). */
#ifndef WEFT_TOOLS_LIB_PROFILE_EXECUTION_FULL_H
#define WEFT_TOOLS_LIB_PROFILE_EXECUTION_FULL_H

#include "tools/lib/profile/execution.h"

typedef struct execution_full execution_full;

/* Begins to add a recording. NULL and a message: it cannot be read. The execution outlives the feed. */
execution_full *execution_full_open(execution *run, const char *path, char *message, size_t message_size);
/* Adds its next events, some thousand. */
execution_fed execution_full_next(execution_full *feed, char *message, size_t message_size);
void execution_full_close(execution_full *feed);

#endif
