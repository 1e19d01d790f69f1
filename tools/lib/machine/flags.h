/* SPDX-License-Identifier: MIT */
/* Which of the flags an instruction reads and sets. Elsewhere they are one location, THUMB_FLAGS. */
#ifndef WEFT_TOOLS_LIB_MACHINE_FLAGS_H
#define WEFT_TOOLS_LIB_MACHINE_FLAGS_H

#include "tools/lib/machine/thumb_insn.h"

#define THUMB_FLAG_KINDS 6u

/* A mask of flags. GE stands for all four of its bits. */
#define THUMB_FLAG_N 1u
#define THUMB_FLAG_Z 2u
#define THUMB_FLAG_C 4u
#define THUMB_FLAG_V 8u
#define THUMB_FLAG_Q 16u
#define THUMB_FLAG_GE 32u
#define THUMB_FLAGS_ALL 63u

/* For an instruction whose `reads` have THUMB_FLAGS. `passed`: false where its condition did not hold. */
unsigned thumb_flags_read(const thumb_insn *insn, bool passed);

/* Of the flags that it sets, those that it leaves 1 where they were: Q. What it sets them to depends on them. */
unsigned thumb_flags_kept(const thumb_insn *insn);

/* For an instruction that writes THUMB_FLAGS (writes.h). A shift by a register counts as setting C, though it leaves C
 * where that register's low byte is 0. */
unsigned thumb_flags_set(const thumb_insn *insn);

#endif
