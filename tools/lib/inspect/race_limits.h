/* SPDX-License-Identifier: MIT */
/* How many different exceptions the search for races tells apart (masks have 64 bits, the last one for all threads, of
 * which there may be any number); bytes of an object that is accessed in parts. */
#ifndef WEFT_TOOLS_LIB_INSPECT_RACE_LIMITS_H
#define WEFT_TOOLS_LIB_INSPECT_RACE_LIMITS_H

enum { RACE_EXCEPTIONS_MAX = 63, RACE_OBJECT_MAX = 4096 };

#endif
