/* SPDX-License-Identifier: MIT */
/* The questions of `weft fleet`, and what they share. */
#ifndef WEFT_TOOLS_WEFT_FLEET_ASK_H
#define WEFT_TOOLS_WEFT_FLEET_ASK_H

#include "tools/lib/base/json.h"
#include "tools/lib/fleet/asked.h"
#include "tools/weft/options.h"

typedef struct fleet {
    const char *name, *label, *before, *after, *level;
    command_texts elf;
    long long k, top, fewer;
    double chance;
    bool as_json, everything;
    bool summary; /* names first, in the width of the terminal */
    asked asked;
    merged *all;         /* of asked */
    fleet_images images; /* likewise */
    json *j;
} fleet;

/* Where a path stands, as members of the JSON object that is open. */
void fleet_put_lines(fleet *f, const descriptors *known, uint32_t path);

/* Each answers on standard output, and gives the exit status. */
int fleet_ask_paths(fleet *f, bool rare);
int fleet_ask_compare(fleet *f);
int fleet_ask_uncovered(fleet *f);

#endif
