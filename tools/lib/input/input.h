/* SPDX-License-Identifier: MIT */
/* A raw stream of symbols or numbers: a file or standard input, in one of the formats of `--format`.
 * Symbols are 32-bit; text tokens and 64-bit values that do not stand for themselves are interned, in order of first
 * appearance, and keep their text. Memory: one buffer, plus the distinct tokens. */
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

/* The format that `name` (chars, text, u8, u16, u32, i64) names; false: none. */
bool input_format_parse(const char *name, input_format *format);

/* Opens a file, or standard input for "-". NULL, and errno, if it cannot be read. */
input *input_open(const char *path, input_format format);
/* Goes on with another file, in the same format and with the same interned tokens; false, and errno: it cannot be read,
 * and the input is as it was. */
bool input_open_next(input *in, const char *path);
void input_close(input *in);

/* True if the bytes at the start are those of a container, or hold a frame of one (then read it with tools/lib/recording/container.h). */
bool input_is_container(const char *path);

/* Reads up to `max` symbols; fewer only at the end or at an error. Symbols of u8, u16, u32 and chars are
 * the values; those of text and i64 are interned: see input_name. */
size_t input_symbols(input *in, uint32_t *symbols, size_t max);
/* Reads up to `max` numbers. In text each token must be a number (decimal, or 0x hexadecimal). */
size_t input_numbers(input *in, int64_t *numbers, size_t max);

/* What stopped the reading: NULL at the plain end, else what is wrong, with its byte or token. */
const char *input_error(const input *in);

/* All symbols (or numbers) at once, in memory from malloc; `*count` of them. NULL on an error (see input_error).
 * An empty stream gives a non-NULL pointer. */
uint32_t *input_all_symbols(input *in, size_t *count);
int64_t *input_all_numbers(input *in, size_t *count);

/* The text of a symbol, as --format wrote it: the token, the character or the number. `buffer` is used
 * where the text is not stored. Valid until input_close. NULL for `in`: the number. */
const char *input_name(const input *in, uint32_t symbol, char buffer[24]);
/* How many tokens were interned; symbols of text and i64 are below it. */
uint32_t input_name_count(const input *in);
/* The symbol of a token that was interned so far, if any. */
bool input_find(const input *in, const char *token, uint32_t *symbol);

/* Writes `count` symbols' or numbers' values in a format, as `--expand` does: chars without separators,
 * text one token a line, binary little-endian. False: a value does not fit the format. */
bool input_write_value(int64_t value, input_format format, void *file);

#endif
