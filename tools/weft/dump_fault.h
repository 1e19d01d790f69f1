/* SPDX-License-Identifier: MIT */
/* A fault record as lines of `weft dump`: what happened and where, registers, the top of the stack. */
#ifndef WEFT_TOOLS_WEFT_DUMP_FAULT_H
#define WEFT_TOOLS_WEFT_DUMP_FAULT_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/fault.h"
#include "tools/weft/lines.h"

/* `app` may be NULL: no names and lines. */
void dump_fault(out *o, program *app, const fault *f, uint32_t context);

#endif
