/* SPDX-License-Identifier: MIT */
/* A replay in ranges on several threads (tools/lib/recording/replay_all.h) against a replay in order. */
#ifndef WEFT_TESTS_LIB_MODEL_RANGES_H
#define WEFT_TESTS_LIB_MODEL_RANGES_H

#include "tools/lib/recording/replay_all.h"

/* Whether events, counts and errors are the same. */
bool ranges_agree(const container *file, replay_model model);

#endif
