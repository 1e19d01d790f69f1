/* SPDX-License-Identifier: MIT */
/* Whether a jump closes a loop. */
#ifndef WEFT_TOOLS_LIB_MACHINE_CLOSES_H
#define WEFT_TOOLS_LIB_MACHINE_CLOSES_H

#include "tools/lib/image/image.h"
#include "tools/lib/machine/thumb_insn.h"

/* Whether a jump backward in function `f` closes a loop: code of `f` leads from where it goes to the jump again
 * without another jump backward. Compilers also jump back to the common end of two branches that stands above, from
 * code that was moved out of the way, and to another function in place of a call and a return: these close no loop.
 *
 *     10 loop:  beq 30      the jump at 34 closes no loop: from 12 on, only the one at 20 leads to it
 *     12 join:  adds
 *     20        bne loop    closes a loop
 *     22        bx lr
 *     30        movs
 *     34        b join
 *
 * By the image alone; true if code in between jumps where only a run shows. It keeps memory for the calling thread
 * (thumb_decode_end). */
bool closes_loop(const image *im, const image_symbol *f, const thumb_insn *jump);

#endif
