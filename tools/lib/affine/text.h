/* SPDX-License-Identifier: MIT */
/* Nests as C-like loops, and back; text.c describes the grammar. */
#ifndef WEFT_TOOLS_LIB_AFFINE_TEXT_H
#define WEFT_TOOLS_LIB_AFFINE_TEXT_H

#include "tools/lib/affine/nest.h"

/* Writes the loops, after a comment line with the depth and the number of accesses. */
void affine_print(const affine_nest *nest, FILE *file);
/* The same of addresses: what is accessed, and bases, are in hexadecimal. */
void affine_print_addresses(const affine_nest *nest, FILE *file);

/* Reads all nests up to the end of the file. Calls `take` for each, which takes it over. False: take said stop, or
 * `error` says what is wrong, and at which line. */
bool affine_parse(FILE *file, bool (*take)(void *context, affine_nest *nest), void *context, char error[160]);

#endif
