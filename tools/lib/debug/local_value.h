/* SPDX-License-Identifier: MIT */
/* The value of a local variable where a program stopped, as debug information and the registers say. */
#ifndef WEFT_TOOLS_LIB_DEBUG_LOCAL_VALUE_H
#define WEFT_TOOLS_LIB_DEBUG_LOCAL_VALUE_H

#include "tools/lib/image/image.h"

/* Of the function at `pc`, outside its inner blocks; 32 bits. Bit N of `known`: r[N] is known. False: there is no such
 * variable, or its value does not follow from registers. */
bool debug_local_value(const image *im, uint32_t pc, const char *name, const uint32_t r[16], uint32_t known,
                       uint32_t *value);

#endif
