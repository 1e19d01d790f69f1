/* SPDX-License-Identifier: MIT */
/* The room `report`: a run as one page for a browser.
 *
 * In:   what a reader of recordings says, in order (run.h): calls, costs, accesses, gaps; the tables of functions
 *       (tools/lib/profile/functions.h); names of addresses (places.h).
 * Out:  an HTML file that needs no other and no network (page.h).
 *
 * The run is reduced while it is read: to bins of time (mixes.h, matrix.h), rows of addresses (heat.h), contexts, the
 * first addresses of each site (walks.h), and structure (structure.h). Memory does not grow with the run. data.h writes
 * what is left as JSON, the scripts of page/ draw it. fleet_page.h: the page of a merged profile. */
#ifndef WEFT_TOOLS_LIB_REPORT_ROOM_H
#define WEFT_TOOLS_LIB_REPORT_ROOM_H

#include "tools/lib/report/data.h"
#include "tools/lib/report/fleet_page.h"
#include "tools/lib/report/page.h"
#include "tools/lib/report/places.h"
#include "tools/lib/report/run.h"

#endif
