/* SPDX-License-Identifier: MIT */
/* How many contexts the search for races tells apart (masks of them have 64 bits); bytes of an object that is accessed
 * in parts. */
#ifndef WEFT_TOOLS_LIB_INSPECT_RACE_LIMITS_H
#define WEFT_TOOLS_LIB_INSPECT_RACE_LIMITS_H

enum { RACE_CONTEXTS_MAX = 64, RACE_OBJECT_MAX = 4096 };

#endif
