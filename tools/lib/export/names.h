/* SPDX-License-Identifier: MIT */
/* Names in formats that cannot quote: what would end a field becomes an underscore. Formats are UTF-8: each byte that
 * is not becomes U+FFFD. */
#ifndef WEFT_TOOLS_LIB_EXPORT_NAMES_H
#define WEFT_TOOLS_LIB_EXPORT_NAMES_H

#include <stdio.h>

/* Writes a name; control characters and those of `forbidden` are replaced. NULL is written as "?". */
void export_name(FILE *file, const char *name, const char *forbidden);
/* Writes the path of a file that a reader opens: only control characters are replaced. */
void export_path(FILE *file, const char *path);

#endif
