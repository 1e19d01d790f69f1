/* SPDX-License-Identifier: MIT */
/* The room `fleet`: many recordings -> one merged profile -> answers.
 *
 * In:   recordings with their labels and images (intake.h), merged profiles (profile_file.h), lists of both (gather.h).
 * Out:  sums that do not depend on order or grouping (merged.h), as bytes that do not either (profile_file.h); from
 *       them what other rooms compute from one recording: forests, functions, coverage (restore.h).
 *
 * asked.h, questions.h: what fleets are asked. sets.h: which devices, up to a cap. keys.h: digests and names. labels.h:
 * KEY=VALUE. workers.h: several processes. Everything here is exact; a sum that does not fit 64 bits (of squares: 128)
 * makes the whole profile refused. */
#ifndef WEFT_TOOLS_LIB_FLEET_ROOM_H
#define WEFT_TOOLS_LIB_FLEET_ROOM_H

#include "tools/lib/fleet/asked.h"
#include "tools/lib/fleet/gather.h"
#include "tools/lib/fleet/intake.h"
#include "tools/lib/fleet/labels.h"
#include "tools/lib/fleet/merged.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/fleet/restore.h"
#include "tools/lib/fleet/workers.h"

#endif
