/* SPDX-License-Identifier: MIT */
/* `weft wet values` and `addresses` of a place over time, for people: as a table or a plot. */
#ifndef WEFT_TOOLS_WEFT_WET_SERIES_H
#define WEFT_TOOLS_WEFT_WET_SERIES_H

#include "tools/weft/wet_queries.h"

int wet_series(const wet_options *o, bool addresses);

#endif
