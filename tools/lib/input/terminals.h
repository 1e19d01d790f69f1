/* SPDX-License-Identifier: MIT */
/* How the symbols of a raw stream are printed and ordered, the same in every subcommand: bare in chars and with one
 * space between otherwise; in JSON a number if the symbol is a whole number, else a string (in chars, a byte is the
 * character of that number). */
#ifndef WEFT_TOOLS_LIB_INPUT_TERMINALS_H
#define WEFT_TOOLS_LIB_INPUT_TERMINALS_H

#include <stdio.h>

#include "tools/lib/base/json.h"
#include "tools/lib/input/input.h"

/* Writes a sequence of symbols, without a newline. */
void terminals_print(const input *in, input_format format, const uint32_t *symbols, size_t count, FILE *file);
/* Adds one symbol to the open JSON array. */
void terminals_json(const input *in, input_format format, uint32_t symbol, json *j);
/* True if `text` is a whole number of 64 bits in its usual spelling (no leading zeros or plus). */
bool terminals_is_number(const char *text, int64_t *number);

/* The places of all symbols of a text or i64 stream in their order: numbers by value, then the others by bytes. From
 * malloc, input_name_count elements; NULL for the other formats, whose symbols are their own order. */
uint32_t *terminals_ranks(const input *in, input_format format);

#endif
