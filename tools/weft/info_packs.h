/* SPDX-License-Identifier: MIT */
/* Records of several paths each (packs), in `weft info`. */
#ifndef WEFT_TOOLS_WEFT_INFO_PACKS_H
#define WEFT_TOOLS_WEFT_INFO_PACKS_H

#include "tools/lib/base/json.h"
#include "tools/weft/info_summary.h"

/* How many there are, and what they mean for the counts of paths. Nothing if there are none, and the program has none.
 */
void info_print_packs(const info_summary *sum);
/* The key `packed`, likewise. `lost_more`: more are lost than is reported. */
void info_put_packs(json *j, const info_summary *sum, bool lost_more);

#endif
