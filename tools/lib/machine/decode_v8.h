/* SPDX-License-Identifier: MIT */
/* Instructions of ARMv8-M and v8.1-M that capstone takes for something else, or for nothing. */
#ifndef WEFT_TOOLS_LIB_MACHINE_DECODE_V8_H
#define WEFT_TOOLS_LIB_MACHINE_DECODE_V8_H

#include <stddef.h>

#include "tools/lib/machine/thumb_insn.h"

/* Fills in what the size, bytes and address of an instruction say. False: it is none of these. */
bool thumb_decode_v8(thumb_insn *insn);
/* Its text. False: it is none of these, or not known. */
bool thumb_text_v8(const thumb_insn *insn, char *text, size_t size);

#endif
