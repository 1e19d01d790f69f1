/* SPDX-License-Identifier: MIT */
/* The JSON object of `weft info`: docs/schemas/info.json. */
#ifndef WEFT_TOOLS_WEFT_INFO_PUT_H
#define WEFT_TOOLS_WEFT_INFO_PUT_H

#include "tools/lib/recording/container.h"
#include "tools/weft/info_summary.h"

void info_put(const container *file, const info_summary *sum);

#endif
