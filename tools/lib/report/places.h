/* SPDX-License-Identifier: MIT */
/* Names of addresses, for the heat: objects and functions of the image, the stack, devices. */
#ifndef WEFT_TOOLS_LIB_REPORT_PLACES_H
#define WEFT_TOOLS_LIB_REPORT_PLACES_H

#include "tools/lib/image/image.h"
#include "tools/lib/report/heat.h"

typedef struct places {
    const image *image;
    const heat_range *device; /* of an SVD file, by address */
    size_t devices;
    uint32_t stack_low, stack_high; /* equal: not known */
    uint32_t heap_low, heap_high;   /* likewise */
} places;

places places_of(const image *im);
/* For heat_namer. */
bool places_range(void *own, uint32_t address, heat_range *range);

#endif
