/* SPDX-License-Identifier: MIT */
/* Adds the PACKS frame of a recording, for commands that have the image and the file (core/FORMAT.md, section 13). */
#ifndef WEFT_TOOLS_LIB_RECORDING_PACKS_ADD_H
#define WEFT_TOOLS_LIB_RECORDING_PACKS_ADD_H

#include "tools/lib/base/output.h"
#include "tools/lib/image/program.h"

/* Where the file that is written has packs, and is of that image as both say, its frame is added. Else nothing is done.
 * What cannot be written is found when it is committed. */
void packs_add(output *out, const program *app);

#endif
