/* SPDX-License-Identifier: MIT */
/* What a black box of either form held. */
#ifndef WEFT_TOOLS_LIB_RECORDING_BLACKBOX_PATHS_H
#define WEFT_TOOLS_LIB_RECORDING_BLACKBOX_PATHS_H

#include "core/blackbox.h"

typedef struct blackbox {
    weft_blackbox head;
    uint32_t *path;    /* oldest first, WEFT_BLACKBOX_RESET and _PAUSE among them */
    uint32_t *context; /* of each; NULL: the box has none */
    size_t count;
    uint64_t overwritten; /* paths and marks (and switches of context) before these */
    uint32_t total;       /* of these and those, modulo 2^32 */
    bool torn;            /* a path was being pushed: it is not there */
} blackbox;

#endif
