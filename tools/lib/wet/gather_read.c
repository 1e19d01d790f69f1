/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/gathering.h"

bool gather_read(const char *path, bool *cut, char *message, size_t size, bool (*take)(void *, const full_event *),
                 void *context)
{
    char wrong[200];
    full_reader *in = full_open(path, wrong, sizeof wrong);
    if (!in) {
        snprintf(message, size, "'%s': %s", path, wrong);
        return false;
    }
    full_event *event = memory_zero(1, sizeof *event);
    while (full_next(in, event) > 0 && take(context, event))
        ;
    if (full_error(in)) {
        *cut = true; /* in one pass of several is enough */
        snprintf(message, size, "%s", full_error(in));
    }
    full_close(in);
    free(event);
    return true;
}
