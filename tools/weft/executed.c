/* SPDX-License-Identifier: MIT */
#include "tools/weft/executed.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/profile/execution_full.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/wet/executed.h"
#include "tools/lib/wet/open.h"
#include "tools/weft/command.h"

static bool is_wet(const char *path)
{
    /* Both versions begin alike. */
    uint8_t head[sizeof wet_file_magic - 1];
    FILE *file = fopen(path, "rb");
    bool is = file && fread(head, sizeof head, 1, file) == 1 && !memcmp(head, wet_file_magic, sizeof head);
    if (file)
        fclose(file);
    return is;
}

executed_kind executed_kind_of(const char *path)
{
    return is_wet(path) ? EXECUTED_WET : full_is(path) ? EXECUTED_FULL : EXECUTED_PATHS;
}

static int read_wet(execution *run, const char *name, const char *path)
{
    char message[400];
    wet_file *f = wet_file_open(path, message, sizeof message);
    if (!f)
        return command_fail(name, EXIT_INPUT, "%s", message);
    int status = EXIT_DONE;
    if (!wet_executed(f, run, message, sizeof message))
        status = command_fail(name, EXIT_INPUT, "%s: %s", path, message);
    else if (f->damaged || f->damaged_at)
        status = command_fail(name, EXIT_INPUT, "%s is damaged", path);
    wet_file_close(f);
    return status;
}

int executed_read(execution *run, const char *name, const char *path, bool *cut)
{
    char message[400];
    bool ended = false;
    if (executed_kind_of(path) == EXECUTED_WET)
        return read_wet(run, name, path);
    if (!execution_full(run, path, &ended, message, sizeof message))
        return command_fail(name, EXIT_INPUT, "%s: %s", path, message);
    if (ended)
        fprintf(stderr, "weft %s: gap: %s: %s\n", name, path, message);
    *cut |= ended;
    return EXIT_DONE;
}
