/* SPDX-License-Identifier: MIT */
/* What the subcommands of `weft wet` share. */
#ifndef WEFT_TOOLS_WEFT_WET_H
#define WEFT_TOOLS_WEFT_WET_H

#include "tools/lib/base/json.h"
#include "tools/lib/wet/open.h"
#include "tools/lib/wet/place.h"

typedef struct wet_options {
    const char *file, *at, *elf, *out;
    long long from, to, tier, lines, depth;
    bool backward, forward, json, binary, instances, list;
} wet_options;

int wet_build(const wet_options *o);
int wet_show_control(const wet_options *o);
int wet_show_values(const wet_options *o);
int wet_show_addresses(const wet_options *o);
int wet_show_slice(const wet_options *o);
int wet_why(const wet_options *o);

/* Opens the file; NULL: a message was printed. */
wet_file *wet_open(const wet_options *o);
/* Ends a query: EXIT_INPUT and a message if damage was met on the way. */
int wet_close(const wet_options *o, wet_file *f, int status);
/* Keys of a JSON object that name a static instruction: address, function, file, line, text. */
void wet_json_instruction(json *j, const wet_file *f, uint32_t instruction);

#endif
