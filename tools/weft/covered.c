/* SPDX-License-Identifier: MIT */
#include "tools/weft/covered.h"

#include "tools/lib/recording/control.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/script.h"
#include "tools/weft/command.h"

static int add(covered *run, const char *name, const char *path)
{
    char message[400];
    const char *why;
    uint64_t unread = 0;
    if (full_is(path))
        return command_fail(name, EXIT_INPUT, "'%s' is a full recording: this wants one with probes", path);
    container *file = container_open(path, message, sizeof message);
    if (!file)
        return command_fail(name, EXIT_INPUT, "%s", message);
    int status = EXIT_DONE;
    if ((why = container_without_paths(file)))
        status = command_fail(name, EXIT_INPUT, "%s: %s", path, why);
    else if (!program_fits(run->app, file, message, sizeof message))
        status = command_fail(name, EXIT_INPUT, "%s: %s", path, message);
    else if (!coverage_feed(run->all, file, &unread))
        status = command_fail(name, EXIT_INPUT, "%s: the program does not have one of its paths", path);
    else if (control_print_gaps(file, unread, name))
        status = EXIT_GAPS;
    run->lost += container_lost(file).paths;
    container_close(file);
    return status;
}

int covered_read(covered *run, const char *name, const char *elf, char **paths)
{
    char message[400];
    int status = EXIT_DONE;
    *run = (covered){.app = program_open(elf, message, sizeof message)};
    if (!run->app)
        return command_fail(name, EXIT_INPUT, "%s", message);
    run->all = coverage_new(run->app);
    for (; *paths; paths++) {
        int added = add(run, name, *paths);
        if (added != EXIT_DONE)
            status = added;
        if (status != EXIT_DONE && status != EXIT_GAPS)
            return status;
    }
    coverage_finish(run->all);
    return status;
}

void covered_close(covered *run)
{
    coverage_free(run->all);
    program_close(run->app);
}
