/* SPDX-License-Identifier: MIT */
/* The queries of `weft wet`, and their options. */
#ifndef WEFT_TOOLS_WEFT_WET_QUERIES_H
#define WEFT_TOOLS_WEFT_WET_QUERIES_H

#include <stdbool.h>

typedef struct wet_options {
    const char *file, *at, *elf, *out, *svd, *model, *by;
    long long from, to, tier, lines, depth, top;
    bool backward, forward, summary, json, binary, instances, each, table, plot;
} wet_options;

int wet_build(const wet_options *o);
int wet_show_control(const wet_options *o);
int wet_show_values(const wet_options *o);
int wet_show_addresses(const wet_options *o);
int wet_show_slice(const wet_options *o);
int wet_show_misses(const wet_options *o);
int wet_why(const wet_options *o);

#endif
