/* SPDX-License-Identifier: MIT */
/* The summary of `weft model FILE.weft`, for people: a line for each site, by the object that it walks. */
#ifndef WEFT_TOOLS_WEFT_MODEL_SUMMARY_H
#define WEFT_TOOLS_WEFT_MODEL_SUMMARY_H

#include "tools/weft/model_site.h"

/* Sorts and prints the sites, those with most accesses first: at most `top`, 0: all. */
void model_summary(const model_places *places, model_site *site, size_t sites, unsigned top);

#endif
