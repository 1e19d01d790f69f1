/* SPDX-License-Identifier: MIT */
/* Decoding where the image is known: it tells a jump from a call. */
#ifndef WEFT_TOOLS_LIB_MACHINE_DECODE_IN_H
#define WEFT_TOOLS_LIB_MACHINE_DECODE_IN_H

#include "tools/lib/image/image.h"
#include "tools/lib/machine/decode.h"

/* As thumb_decode. In functions above 2 KB for ARMv6-M, GCC jumps by bl where no branch reaches (and has saved lr
 * before). Such a bl, into its own function but not to its start, is a THUMB_BRANCH here. `im`: NULL, not known. */
bool thumb_decode_in(thumb_insn *insn, const image *im, uint32_t pc, const uint8_t *bytes, unsigned size,
                     unsigned condition);

#endif
