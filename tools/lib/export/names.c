/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/names.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"

static void put(FILE *file, char c, const char *forbidden)
{
    fputc((unsigned char)c < ' ' || c == 127 || strchr(forbidden, c) ? '_' : c, file);
}

void export_path(FILE *file, const char *path)
{
    for (const char *c = path && *path ? path : "?"; *c; c++)
        put(file, *c, "");
}

void export_name(FILE *file, const char *name, const char *forbidden)
{
    char *fit = json_fit(name && *name ? name : "?");
    for (const char *c = fit; *c; c++)
        put(file, *c, forbidden);
    free(fit);
}
