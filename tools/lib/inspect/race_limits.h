/* SPDX-License-Identifier: MIT */
/* How many contexts the search for races tells apart: masks of them have 64 bits. */
#ifndef WEFT_TOOLS_LIB_INSPECT_RACE_LIMITS_H
#define WEFT_TOOLS_LIB_INSPECT_RACE_LIMITS_H

enum { RACE_CONTEXTS_MAX = 64 };

#endif
