/* SPDX-License-Identifier: MIT */
/* What instructions compute from registers. */
#ifndef WEFT_TOOLS_LIB_RERUN_OPERATE_H
#define WEFT_TOOLS_LIB_RERUN_OPERATE_H

#include "tools/lib/rerun/machine.h"

/* Those that tools/lib/machine/decode.h computes. False: it is none of them, and nothing has changed. */
bool rerun_compute(rerun_core *core, const rerun_code *code);
/* Products, saturation, lanes of the DSP extension, rrx, pkh. */
bool rerun_operate(rerun_core *core, const rerun_code *code);
/* Arithmetic, comparison and moves of the floating point extension; not its loads and stores. */
bool rerun_float(rerun_core *core, const rerun_code *code);
/* The core's special registers, and what changes nothing here: hints and barriers. */
bool rerun_system(rerun_core *core, const rerun_code *code);

static inline uint16_t rerun_first(const rerun_code *code)
{
    return (uint16_t)(code->insn.bytes[0] | code->insn.bytes[1] << 8);
}
static inline uint16_t rerun_second(const rerun_code *code)
{
    return code->insn.size == 4 ? (uint16_t)(code->insn.bytes[2] | code->insn.bytes[3] << 8) : 0;
}

#endif
