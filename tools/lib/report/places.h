/* SPDX-License-Identifier: MIT */
/* Names of addresses, for the heat: objects and functions of the image, the stack, devices. */
#ifndef WEFT_TOOLS_LIB_REPORT_PLACES_H
#define WEFT_TOOLS_LIB_REPORT_PLACES_H

#include "tools/lib/image/image.h"
#include "tools/lib/inspect/svd.h"
#include "tools/lib/report/heat.h"

typedef struct places {
    const image *image;
    heat_range *device; /* peripherals of an SVD file; names from malloc */
    size_t devices, devices_max;
    uint32_t stack_low, stack_high; /* equal: not known */
    uint32_t heap_low, heap_high;   /* likewise */
} places;

places places_of(const image *im);
/* The peripherals of an SVD file. */
void places_add_devices(places *p, const svd *names);
void places_free(places *p);
/* For heat_namer. */
bool places_range(void *own, uint32_t address, heat_range *range);

#endif
