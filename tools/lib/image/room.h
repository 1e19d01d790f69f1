/* SPDX-License-Identifier: MIT */
/* Room image: what an ELF file says about a program.
 *
 * In:  an ELF file, opened once (image.h).
 * Out: symbols, bytes at addresses, the build id; source lines (lines.h); what running it takes to know (firmware.h);
 *      the paths, blocks and memory sites that the compiler plugin described (descriptor.h), as one program
 *      (program.h).
 *
 * Path numbers become blocks by Ball-Larus numbering (ballarus.h), which the compiler plugin shares. The room knows
 * nothing of recordings, and decodes no instruction. */
#ifndef WEFT_TOOLS_LIB_IMAGE_ROOM_H
#define WEFT_TOOLS_LIB_IMAGE_ROOM_H

#include "tools/lib/image/ballarus.h"
#include "tools/lib/image/descriptor.h"
#include "tools/lib/image/firmware.h"
#include "tools/lib/image/image.h"
#include "tools/lib/image/program.h"
#include "tools/lib/image/vectors.h"

#endif
