/* SPDX-License-Identifier: MIT */
/* Names of things that may have the same name, such as static functions of two files, as labels that differ: those of a
 * name that others have, too, get their file and line, and, where these are the same, their number. */
#ifndef WEFT_TOOLS_LIB_EXPORT_LABELS_H
#define WEFT_TOOLS_LIB_EXPORT_LABELS_H

#include <stddef.h>
#include <stdint.h>

#include "tools/lib/profile/functions.h"

typedef struct export_labels {
    char **all;
    char **longer; /* each with its place */
    size_t count, max, longer_max;
} export_labels;

/* Quotes, backslashes and control characters become underscores. NULL is "?"; of a NULL file, no place is known. */
void export_labels_add(export_labels *labels, const char *name, const char *file, uint32_t line);
/* After the last one was added: the labels. They belong to `labels`. */
char **export_labels_made(export_labels *labels);
/* The same of all functions, by their numbers; `labels` is empty. */
char **export_labels_of_functions(export_labels *labels, const functions *all);
void export_labels_free(export_labels *labels);

#endif
