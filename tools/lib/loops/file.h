/* SPDX-License-Identifier: MIT */
/* A file with a loop nest in its binary form (binary.h), and after it the texts of the symbols, where they have any: a
 * varint of the nest's bytes, the nest, a byte 0 if symbols are numbers; else 1, then for each symbol 0, 1, ... its text
 * and a zero byte. */
#ifndef WEFT_TOOLS_LIB_LOOPS_FILE_H
#define WEFT_TOOLS_LIB_LOOPS_FILE_H

#include "tools/lib/loops/text.h"

/* With `name`, the symbols must be 0, 1, ... without gaps, in any order. False, and errno: it could not be written. */
bool nest_file_write(const char *path, const nest *n, nest_namer *name, void *context);

typedef struct nest_file nest_file;

/* NULL, and what is wrong in `error`. "-" is standard input. */
nest_file *nest_file_read(const char *path, char *error, size_t error_size);
void nest_file_free(nest_file *file);
const nest *nest_file_nest(const nest_file *file);
/* The text of a symbol; NULL: it is a number. */
const char *nest_file_name(const nest_file *file, uint32_t symbol);

#endif
