/* SPDX-License-Identifier: MIT */
/* The pack that no record had yet when a program broke, or the path of a black box. */
#ifndef WEFT_TOOLS_WEFT_DUMP_LEFT_H
#define WEFT_TOOLS_WEFT_DUMP_LEFT_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/fault.h"

/* What the register of the function held that broke. */
typedef struct pack_left {
    bool known;
    bool none;     /* the function has no packs */
    uint32_t open; /* number of the path that had not ended, as far as its blocks say; a global number */
    uint32_t paths[BALLARUS_PACK_MAX];
    size_t count; /* of paths that had ended */
} pack_left;

/* By the registers of the fault, and what debug information says of them, if that agrees
 * with the instruction. */
pack_left pack_left_at(program *app, const fault *f);

#endif
