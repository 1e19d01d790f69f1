/* SPDX-License-Identifier: MIT */
/* A step of the program of slice_words.h. Private to the room. */
#ifndef WEFT_TOOLS_LIB_WET_SLICE_STEP_H
#define WEFT_TOOLS_LIB_WET_SLICE_STEP_H

#include "tools/lib/wet/statement.h"

#define SLICE_ZERO 16u /* the place of a 0; those before it are of r0 to r14 and of the flags */

enum {
    SLICE_SUM,   /* to = (a + (b << shift) + plus) & mask */
    SLICE_LOAD,  /* to = what was stored at address a */
    SLICE_STORE, /* at address `to`: data a of a store whose address is b */
    SLICE_OTHER  /* to = by slice_step_run */
};

/* What an instruction computes that is not a sum. */
typedef struct slice_formula {
    const thumb_insn *insn;
    const wet_slot *slot;
    uint8_t order, size;
    uint16_t sources[SLICE_ZERO]; /* places of the registers that it reads, SLICE_ZERO for others */
} slice_formula;

typedef struct slice_step {
    uint8_t kind, shift, size;
    bool sign;
    uint16_t to, a, b; /* places */
    uint32_t plus, mask;
    slice_formula *formula; /* of SLICE_OTHER */
} slice_step;

/* The step that computes a slot of a statement; `to` is the caller's. `sources`: as in a formula. */
slice_step slice_step_compute(const thumb_insn *insn, const wet_statement *s, const wet_slot *slot,
                              const uint16_t sources[SLICE_ZERO]);
void slice_step_free(slice_step *s);
/* Sets *failed where the word cannot be computed. */
uint32_t slice_step_run(const slice_step *s, const uint32_t *words, bool *failed);

#endif
