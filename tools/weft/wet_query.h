/* SPDX-License-Identifier: MIT */
/* What the queries of `weft wet` share. */
#ifndef WEFT_TOOLS_WEFT_WET_QUERY_H
#define WEFT_TOOLS_WEFT_WET_QUERY_H

#include "tools/lib/base/json.h"
#include "tools/lib/wet/open.h"
#include "tools/lib/wet/place.h"
#include "tools/weft/wet_queries.h"

/* Opens the file; NULL: a message was printed. */
wet_file *wet_open(const wet_options *o);
/* The place that --at means, with the image of --elf for members, elements and locals. False and a message: none. */
bool wet_place_of(const wet_options *o, wet_file *f, wet_place *place, char *message, size_t message_size);
/* The same as wet_open, and the instance that --at means. */
wet_file *wet_open_at(const wet_options *o, wet_start *from);
/* Ends a query: EXIT_INPUT and a message if damage was met on the way. */
int wet_close(const wet_options *o, wet_file *f, int status);
/* The same of a slice or tree with a number of instructions that are not decoded: EXIT_GAPS and a message if there are
 * any. */
int wet_close_unknown(const wet_options *o, wet_file *f, uint32_t unknown);
/* Keys of a JSON object that name a static instruction: address, function, file, line, text. */
void wet_json_instruction(json *j, const wet_file *f, uint32_t instruction);

#endif
