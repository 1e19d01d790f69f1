/* SPDX-License-Identifier: MIT */
/* Output files that are never half there: a file is written without its name (or beside it, under a name of its own)
 * and gets its name when all of it is on the disk. Until then a file that had that name before stays as it was. What is
 * not a file on a disk (a pipe, a device) is written directly. "-" and /dev/stdout are standard output, from where it
 * stands. A symbolic link keeps standing: what it points to is replaced.
 *
 *     output *out = output_open(path, message, sizeof message);
 *     if (!out) return command_fail(name, EXIT_HOST, "%s", message);
 *     fwrite(..., output_stream(out));
 *     if (!good) { output_discard(out); return ...; }
 *     if (!output_commit(out, message, sizeof message)) return command_fail(name, EXIT_HOST, "%s", message);
 *
 * Messages read "cannot write 'PATH': REASON". Not for several threads. */
#ifndef WEFT_TOOLS_LIB_BASE_OUTPUT_H
#define WEFT_TOOLS_LIB_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct output output;

/* Whether a path means standard output: "-", /dev/stdout. */
bool output_is_standard(const char *path);

/* NULL, and a message: no such file can be made. */
output *output_open(const char *path, char *message, size_t message_size);
/* The same for another program to write: the file has a name from the start, output_path. Only a file on a disk will
 * do. */
output *output_open_named(const char *path, char *message, size_t message_size);

/* Open until commit or discard, which close it. Errors of writing need no check here: output_commit sees them. */
FILE *output_stream(output *out);
/* The absolute name that the file has until it is committed; lives as long as `out`. Only of output_open_named. */
const char *output_path(const output *out);

/* Bytes that were written, where nothing was written over. */
uint64_t output_size(output *out);
/* Writes what is buffered, and gives a name under which the file can be read until it is committed. False: it is not a
 * file on a disk. */
bool output_readable(const output *out, char path[64]);

/* Gives the file its name; frees `out`. False, and a message: something could not be written. Then nothing was put in
 * the place of an earlier file. */
bool output_commit(output *out, char *message, size_t message_size);
/* Removes what was written; frees `out`. NULL is allowed. */
void output_discard(output *out);

#endif
