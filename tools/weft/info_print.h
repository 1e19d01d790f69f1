/* SPDX-License-Identifier: MIT */
/* The text of `weft info`: all figures, one a line or in tables. Scripts read it, so its lines stay as they are. */
#ifndef WEFT_TOOLS_WEFT_INFO_PRINT_H
#define WEFT_TOOLS_WEFT_INFO_PRINT_H

#include "tools/lib/recording/container.h"
#include "tools/weft/info_summary.h"

void info_print(const container *file, const info_summary *sum);

#endif
