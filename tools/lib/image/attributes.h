/* SPDX-License-Identifier: MIT */
/* What an image says of the core that it was built for: the attributes of the whole file in .ARM.attributes. */
#ifndef WEFT_TOOLS_LIB_IMAGE_ATTRIBUTES_H
#define WEFT_TOOLS_LIB_IMAGE_ATTRIBUTES_H

#include "tools/lib/image/image.h"

enum {
    ATTRIBUTES_ARCH = 6,   /* CPU_arch */
    ATTRIBUTES_PROFILE = 7 /* CPU_arch_profile: 'A', 'R', 'M', 'S' */
};

/* A number of the "aeabi" attributes; 0: it does not say. */
uint32_t attributes_get(const image *im, uint32_t wanted);
/* Built for ARMv6-M. */
bool attributes_v6m(const image *im);
/* Built for ARMv8-M or ARMv8.1-M. */
bool attributes_v8m(const image *im);

#endif
