/* SPDX-License-Identifier: MIT */
/* A file with a loop nest, and the texts of its symbols where they have any:
 *
 *     0 'W' 'L' 'F' 2        what it is, and the version
 *     varint                 bytes of the nest
 *     the nest               in its binary form (binary.h)
 *     0, or 1 and names      1: of each symbol 0, 1, ... its text and a zero byte
 *     4 bytes                CRC-32 of all bytes before
 *
 * Version 1 has neither the first five bytes nor the last four. It is still read. */
#ifndef WEFT_TOOLS_LIB_LOOPS_FILE_H
#define WEFT_TOOLS_LIB_LOOPS_FILE_H

#include "tools/lib/loops/text.h"

/* With `name`, the symbols must be 0, 1, ... without gaps, in any order. False, and a message: it could not be
 * written. */
bool nest_file_write(const char *path, const nest *n, nest_namer *name, void *context, char *message,
                     size_t message_size);

typedef struct nest_file nest_file;

/* NULL, and what is wrong in `error`. "-" is standard input. */
nest_file *nest_file_read(const char *path, char *error, size_t error_size);
void nest_file_free(nest_file *file);
const nest *nest_file_nest(const nest_file *file);
/* Its check sum, which it has from version 2 on, is right. */
bool nest_file_checked(const nest_file *file);
/* The text of a symbol; NULL: it is a number. */
const char *nest_file_name(const nest_file *file, uint32_t symbol);

#endif
