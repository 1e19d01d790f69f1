/* SPDX-License-Identifier: MIT */
/* What made a branch go another way where two full recordings part.
 *
 *     A: cmp r3, r2    bne    ...        r3 is 5                 the setter is cmp, the branch bne; of cbz both are one
 *     B: cmp r3, r2    bne    ...        r3 is 7
 *
 * Of one build the instructions are the same on both sides. Two builds part between lines: there the last branch of
 * each side counts, with what set its flags, and their operands are compared one by one. */
#ifndef WEFT_TOOLS_LIB_INSPECT_PART_CAUSE_H
#define WEFT_TOOLS_LIB_INSPECT_PART_CAUSE_H

#include "tools/lib/inspect/part.h"

/* Of one side. */
typedef struct part_operand {
    uint32_t branch, setter; /* addresses */
    uint64_t time;           /* of the setter */
    unsigned reg;            /* r0..r14; 15 the flags */
    uint32_t value;          /* before the setter */
} part_operand;

/* The first operand that differs, in A and in B. False: none does, or it is not known. Of two builds both recordings
 * are read again. */
bool part_cause(const part_context *c, const part_side *a, const part_side *b, part_operand found[2]);

#endif
