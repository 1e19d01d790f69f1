/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/names.h"

#include <string.h>

void export_name(FILE *file, const char *name, const char *forbidden)
{
    for (const char *c = name && *name ? name : "?"; *c; c++)
        fputc((unsigned char)*c < ' ' || *c == 127 || strchr(forbidden, *c) ? '_' : *c, file);
}
