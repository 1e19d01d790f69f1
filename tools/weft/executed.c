/* SPDX-License-Identifier: MIT */
#include "tools/weft/executed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/profile/execution_full.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/wet/executed.h"
#include "tools/lib/wet/open.h"
#include "tools/weft/command.h"

executed_kind executed_kind_of(const char *path)
{
    return wet_is(path) ? EXECUTED_WET : full_is(path) ? EXECUTED_FULL : EXECUTED_PATHS;
}

int executed_no_paths(const char *name, const char *path, const char *message)
{
    char unread[400];
    container *file = container_open(path, unread, sizeof unread);
    const char *why = file ? container_without_paths(file) : NULL;
    if (file)
        container_close(file);
    return why ? command_fail(name, EXIT_INPUT, "%s: %s", path, why) : command_fail(name, EXIT_INPUT, "%s", message);
}

struct executed_reader {
    const char *name, *path;
    execution_full *full; /* or: */
    wet_file *file;
    wet_executed *trace;
};

static bool open_wet(executed_reader *r, execution *run, char *message, size_t message_size)
{
    r->file = wet_file_open(r->path, message, message_size);
    if (!r->file)
        return false;
    char why[400];
    r->trace = wet_executed_open(r->file, run, why, sizeof why);
    if (!r->trace)
        snprintf(message, message_size, "%s: %s", r->path, why);
    return r->trace;
}

static bool open_full(executed_reader *r, execution *run, char *message, size_t message_size)
{
    char why[400];
    r->full = execution_full_open(run, r->path, why, sizeof why);
    if (!r->full)
        snprintf(message, message_size, "%s: %s", r->path, why);
    return r->full;
}

int executed_open(executed_reader **reader, execution *run, const char *name, const char *path)
{
    char message[900];
    executed_reader *r = *reader = memory_zero(1, sizeof *r);
    *r = (executed_reader){.name = name, .path = path};
    bool well = executed_kind_of(path) == EXECUTED_WET ? open_wet(r, run, message, sizeof message)
                                                       : open_full(r, run, message, sizeof message);
    if (well)
        return EXIT_DONE;
    executed_close(r);
    *reader = NULL;
    command_fail(name, EXIT_INPUT, "%s", message);
    return EXIT_INPUT;
}

execution_fed executed_next(executed_reader *r)
{
    char message[400];
    execution_fed fed = r->trace ? wet_executed_next(r->trace) : execution_full_next(r->full, message, sizeof message);
    if (fed == EXECUTION_CUT) {
        json_remark("end", "missing");
        fprintf(stderr, "weft %s: gap: %s: %s\n", r->name, r->path, message);
    } else if (fed == EXECUTION_WRONG && r->trace)
        command_fail(r->name, EXIT_INPUT, "%s is damaged", r->path);
    else if (fed == EXECUTION_WRONG)
        command_fail(r->name, EXIT_INPUT, "%s: %s", r->path, message);
    return fed;
}

void executed_close(executed_reader *r)
{
    if (!r)
        return;
    execution_full_close(r->full);
    wet_executed_close(r->trace);
    if (r->file)
        wet_file_close(r->file);
    free(r);
}

int executed_read(execution *run, const char *name, const char *path, bool *cut)
{
    executed_reader *reader;
    execution_fed fed;
    int status = executed_open(&reader, run, name, path);
    if (status != EXIT_DONE)
        return status;
    do
        fed = executed_next(reader);
    while (fed == EXECUTION_MORE);
    executed_close(reader);
    *cut |= fed == EXECUTION_CUT;
    return fed == EXECUTION_WRONG ? EXIT_INPUT : EXIT_DONE;
}
