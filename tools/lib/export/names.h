/* SPDX-License-Identifier: MIT */
/* Names in formats that cannot quote: what would end a field becomes an underscore. */
#ifndef WEFT_TOOLS_LIB_EXPORT_NAMES_H
#define WEFT_TOOLS_LIB_EXPORT_NAMES_H

#include <stdio.h>

/* Writes a name; control characters and those of `forbidden` are replaced. NULL is written as "?". */
void export_name(FILE *file, const char *name, const char *forbidden);

#endif
