/* SPDX-License-Identifier: MIT */
/* The screen of `weft info`: what the recording is, what its bytes hold by their shares, how full the pools were. */
#ifndef WEFT_TOOLS_WEFT_INFO_SCREEN_H
#define WEFT_TOOLS_WEFT_INFO_SCREEN_H

#include "tools/lib/recording/container.h"
#include "tools/weft/info_summary.h"

/* Lines of at most `columns` bytes, if these are 72 or more. */
void info_screen(const container *file, const info_summary *sum, unsigned columns);

#endif
