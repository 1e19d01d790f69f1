/* SPDX-License-Identifier: MIT */
/* Room export: what Weft found out, as files that other tools open.
 *
 * In:  tables of functions (tools/lib/profile/functions.h) or coverage (tools/lib/profile/coverage.h), and a stdio
 *      stream.
 * Out: the file's text on that stream, and how many records were written.
 *
 * One unit per format or family of formats: stacks.h (folded, speedscope), callgrind.h, pprof.h, csv.h, sqlite.h,
 * lcov.h, drcov.h. They compute nothing: the sums of what they write are the totals of the tables. chrome.h, perfetto.h
 * and ctf.h listen while the recording is read, the others write finished tables, so none keeps the run in memory.
 * Losses (loss.h) are written where the format has a place for them. */
#ifndef WEFT_TOOLS_LIB_EXPORT_ROOM_H
#define WEFT_TOOLS_LIB_EXPORT_ROOM_H

#include "tools/lib/export/accesses.h"
#include "tools/lib/export/callgrind.h"
#include "tools/lib/export/chrome.h"
#include "tools/lib/export/csv.h"
#include "tools/lib/export/ctf.h"
#include "tools/lib/export/drcov.h"
#include "tools/lib/export/lcov.h"
#include "tools/lib/export/loss.h"
#include "tools/lib/export/perfetto.h"
#include "tools/lib/export/pprof.h"
#include "tools/lib/export/sqlite.h"
#include "tools/lib/export/stacks.h"

#endif
