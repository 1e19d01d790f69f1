/* SPDX-License-Identifier: MIT */
/* How the symbols of a raw stream are printed and ordered, in all subcommands alike. Chars stand side by side; other
 * symbols have a space between them. In JSON a symbol that is a whole number is a number, any other a string; a byte of
 * chars is the character of that number. */
#ifndef WEFT_TOOLS_LIB_INPUT_TERMINALS_H
#define WEFT_TOOLS_LIB_INPUT_TERMINALS_H

#include <stdio.h>

#include "tools/lib/base/json.h"
#include "tools/lib/input/input.h"

/* Writes a sequence of symbols, without a newline. */
void terminals_print(const input *in, input_format format, const uint32_t *symbols, size_t count, FILE *file);
/* The same for people: symbols made fit for a terminal (tools/lib/base/text.h). */
void terminals_show(const input *in, input_format format, const uint32_t *symbols, size_t count, FILE *file);
/* Adds one symbol to the open JSON array. */
void terminals_json(const input *in, input_format format, uint32_t symbol, json *j);
/* A byte from 0x80 on as the character of that number, in UTF-8. */
void terminals_character(uint32_t byte, char buffer[24]);
/* Whether `text` is a 64-bit whole number in its usual spelling, without leading zeros or a plus. */
bool terminals_is_number(const char *text, int64_t *number);

/* The rank of each symbol of a text or i64 stream: numbers come by value, then the others by their bytes. From malloc,
 * input_name_count elements. NULL for the other formats, whose symbols are ordered by themselves. */
uint32_t *terminals_ranks(const input *in, input_format format);

#endif
