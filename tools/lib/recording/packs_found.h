/* SPDX-License-Identifier: MIT */
/* What the PACKS frames of a file say of an image: which paths its records of several paths stand for. */
#ifndef WEFT_TOOLS_LIB_RECORDING_PACKS_FOUND_H
#define WEFT_TOOLS_LIB_RECORDING_PACKS_FOUND_H

#include "tools/lib/recording/index.h"
#include "tools/lib/recording/packs.h"

/* Of the image of this identity, and with this check sum of its build id (0: not known). NULL: there is no such frame,
 * or they disagree. For stored_packs_free. */
stored_packs *packs_found(const frame_index *index, uint32_t identity, uint32_t crc);

#endif
