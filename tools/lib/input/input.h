/* SPDX-License-Identifier: MIT */
/* A raw stream of symbols or numbers: a file or standard input, in one of the formats of `--format`. Symbols have 32
 * bits. Tokens of text and 64-bit values are numbered in order of first appearance, and keep their text. Memory: one
 * buffer, plus the distinct tokens. */
#ifndef WEFT_TOOLS_LIB_INPUT_INPUT_H
#define WEFT_TOOLS_LIB_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum input_format {
    INPUT_TEXT,  /* tokens between white space */
    INPUT_CHARS, /* each byte but a newline is a symbol */
    INPUT_U8,
    INPUT_U16,
    INPUT_U32,
    INPUT_I64, /* little-endian binary */
} input_format;

typedef struct input input;

/* The format of that name (chars, text, u8, u16, u32, i64). False: there is none. */
bool input_format_parse(const char *name, input_format *format);

/* Opens a file, or standard input for "-". NULL, and errno, if it cannot be read. */
input *input_open(const char *path, input_format format);
/* Goes on with another file, in the same format and with the same numbers for tokens. False, and errno: it cannot be
 * read, and the input is as it was. */
bool input_open_next(input *in, const char *path);
void input_close(input *in);

/* Reads up to `max` symbols; fewer only at the end or at an error. Symbols of u8, u16, u32 and chars are the values;
 * those of text and i64 are numbers of tokens: see input_name. */
size_t input_symbols(input *in, uint32_t *symbols, size_t max);
/* Reads up to `max` numbers. In text each token must be a number (decimal, or 0x hexadecimal). */
size_t input_numbers(input *in, int64_t *numbers, size_t max);

/* NULL, or what is wrong, and at which byte or token. */
const char *input_error(const input *in);

/* All numbers at once, *count of them, in memory from malloc. NULL: an error (see input_error). Not NULL if there are
 * none. */
int64_t *input_all_numbers(input *in, size_t *count);

/* The text of a symbol as it stood in the stream: the token, the character or the number; the number if `in` is NULL.
 * `buffer` is used for a text that is not stored. Valid until input_close. */
const char *input_name(const input *in, uint32_t symbol, char buffer[24]);
/* How many tokens have a number; symbols of text and i64 are below it. */
uint32_t input_name_count(const input *in);
/* The symbol of a token that was read so far. False: it was not. */
bool input_find(const input *in, const char *token, uint32_t *symbol);

/* The number that a token of a text stands for: 64 bits, decimal (010 is ten) or hexadecimal after 0x. */
bool input_number(const char *token, int64_t *number);

/* Writes a value in a format, as `--expand` does: chars without separators, text with one token per line, binary as
 * little-endian. False: the value does not fit the format. */
bool input_write_value(int64_t value, input_format format, void *file);

#endif
