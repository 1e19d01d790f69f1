/* SPDX-License-Identifier: MIT */
/* What is announced for a function by its caller and by itself: descriptor_format.h, "callee site". */
#ifndef WEFT_TOOLS_LIB_IMAGE_CALLEES_H
#define WEFT_TOOLS_LIB_IMAGE_CALLEES_H

#include "tools/lib/image/descriptor_format.h"

/* Makes base sites of the sites that announce what a function with probes announces itself. All functions of an image,
 * with their sites; O(n log n) in both. */
void callees_apply(descriptor_function *function, size_t count);

#endif
