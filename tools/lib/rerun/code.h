/* SPDX-License-Identifier: MIT */
/* The instructions that were met, by address and condition. */
#ifndef WEFT_TOOLS_LIB_RERUN_CODE_H
#define WEFT_TOOLS_LIB_RERUN_CODE_H

#include "tools/lib/machine/decode.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/rerun/space.h"

/* A static instruction, as it was decoded once. */
typedef struct rerun_code {
    full_instruction instruction;
    thumb_insn insn;
} rerun_code;

struct rerun_codes *rerun_codes_open(void);
void rerun_codes_close(struct rerun_codes *codes);
/* NULL: the memory there is not known, or holds no instruction that can be decoded. Valid until rerun_codes_close. */
const rerun_code *rerun_codes_at(struct rerun_codes *codes, rerun_space *space, uint32_t pc, uint8_t condition);

#endif
