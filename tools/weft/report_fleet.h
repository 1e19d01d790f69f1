/* SPDX-License-Identifier: MIT */
/* `weft report X.weft-profile`: the page of a fleet. */
#ifndef WEFT_TOOLS_WEFT_REPORT_FLEET_H
#define WEFT_TOOLS_WEFT_REPORT_FLEET_H

#include "tools/weft/options.h"

typedef struct report_fleet_options {
    command_texts elf;
    const char *out;
    const char *label, *before, *after, *level; /* NULL: not given */
    long long k, fewer;
    bool json;
} report_fleet_options;

/* Whether one of those that go with a profile only was given. */
bool report_fleet_asked(const report_fleet_options *o);
/* The exit status. */
int report_fleet(const report_fleet_options *o, const char *name, char *path);

#endif
