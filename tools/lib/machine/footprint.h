/* SPDX-License-Identifier: MIT */
/* What Weft takes in a firmware image: flash of the engine and of the calls of the probes, RAM of its buffers, and the
 * macro that makes each part smaller. From symbols and machine code alone.
 *
 * The engine is what Weft's own source files gave (each leaves a mark, core/own.h) and what is named weft_...: except
 * for start-up, faults, console and board, which a program has in any case. */
#ifndef WEFT_TOOLS_LIB_MACHINE_FOOTPRINT_H
#define WEFT_TOOLS_LIB_MACHINE_FOOTPRINT_H

#include "tools/lib/image/image.h"

enum { FOOTPRINT_PARTS_MAX = 64 };

typedef struct footprint_part {
    const char *name; /* of the object; the image's */
    uint32_t bytes;
    const char *macro; /* that sets its size; NULL: none does */
} footprint_part;

typedef struct footprint {
    uint64_t text;   /* bytes of the whole image that are loaded: code, constants, initial values */
    uint64_t engine; /* of these: Weft's code and constants */
    uint64_t
        probes; /* and the calls of the probes with what sets up their arguments, as far as it stands before them */
    uint64_t paths, accesses, values; /* the calls */
    uint64_t ram;
    size_t part_count;
    footprint_part part[FOOTPRINT_PARTS_MAX]; /* of ram, largest first; what there is beyond is only in `ram` */
} footprint;

void footprint_of(const image *im, footprint *f);

#endif
