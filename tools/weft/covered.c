/* SPDX-License-Identifier: MIT */
#include "tools/weft/covered.h"

#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/profile/coverage_executed.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/script.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_input.h"

static int add_merged(covered *run, const char *name, const char *path)
{
    merged *all;
    uint32_t number;
    if (run->choice.context)
        return command_fail(name, EXIT_USAGE, "%s: a merged profile does not tell contexts apart", path);
    int status = fleet_input(&all, &number, name, path, run->app);
    if (status == EXIT_DONE)
        status = fleet_once(all, name, path);
    if (status == EXIT_DONE && !restore_coverage(all, number, run->all))
        status = command_fail(name, EXIT_INPUT, "%s: the program does not have one of its paths", path);
    else if (status == EXIT_DONE) {
        merged_totals t = restore_totals(all, number);
        run->loss.paths += t.lost;
        run->loss.gaps += t.gaps;
        run->loss.at_least |= t.gapped;
        status = fleet_warn(all, number, name, path);
    }
    merged_free(all);
    return status;
}

static int feed(covered *run, const char *name, const char *path, const container *file)
{
    char message[400];
    uint64_t unread = 0;
    event_filter wanted;
    int status = EXIT_DONE;
    if (!event_filter_open(&wanted, run->choice, file, run->app, message, sizeof message))
        return command_fail(name, EXIT_INPUT, "%s", message);
    if (!coverage_feed(run->all, file, &wanted, &unread))
        status = command_fail(name, EXIT_INPUT, "%s: the program does not have one of its paths", path);
    else if (control_print_gaps(file, unread, name))
        status = EXIT_GAPS;
    event_filter_close(&wanted);
    return status;
}

static int add_paths(covered *run, const char *name, const char *path)
{
    if (profile_is(path))
        return add_merged(run, name, path);
    char message[400];
    const char *why;
    container *file = container_open(path, message, sizeof message);
    if (!file)
        return command_fail(name, EXIT_INPUT, "%s", message);
    int status;
    if ((why = container_without_paths(file)))
        status = command_fail(name, EXIT_INPUT, "%s: %s", path, why);
    else if (!program_fits(run->app, file, message, sizeof message))
        status = command_fail(name, EXIT_INPUT, "%s: %s", path, message);
    else
        status = feed(run, name, path, file);
    run->loss.paths += container_lost(file).paths;
    run->loss.gaps += container_gap_count(file);
    run->loss.at_least |= *container_at_least(file) != 0;
    run->loss.cut |= container_end_missing(file);
    container_close(file);
    return status;
}

static int add(covered *run, const char *name, const char *path)
{
    bool cut = false;
    if ((executed_kind_of(path) == EXECUTED_PATHS) != (run->kind == EXECUTED_PATHS))
        return command_fail(name, EXIT_INPUT,
                            "'%s': recordings with probes and full ones count different things, so they do not add up",
                            path);
    if (run->kind == EXECUTED_PATHS)
        return add_paths(run, name, path);
    int status = executed_read(run->run, name, path, &cut);
    run->loss.cut |= cut;
    return status == EXIT_DONE && cut ? EXIT_GAPS : status;
}

static int open_executed(covered *run, const char *name, const char *elf)
{
    char message[400];
    execution_choice choice = {.one_context = run->choice.context};
    run->im = image_open(elf, message, sizeof message);
    if (!run->im)
        return command_fail(name, EXIT_INPUT, "%s", message);
    if (run->choice.context && !vectors_find(run->im, run->choice.context, &choice.context))
        return command_fail(name, EXIT_INPUT, "there is no context '%s': give a handler's name, thread, or a number",
                            run->choice.context);
    run->run = execution_new(run->im, NULL, choice);
    return EXIT_DONE;
}

/* Opens what counts the recordings. */
static int open_all(covered *run, const char *name, const char *elf, const char *path)
{
    char message[400];
    if (run->kind == EXECUTED_PATHS) {
        run->app = program_open(elf, message, sizeof message);
        run->all = coverage_new(run->app);
        return run->app ? EXIT_DONE : executed_no_paths(name, path, message);
    }
    run->all = coverage_new(NULL);
    return open_executed(run, name, elf);
}

int covered_read(covered *run, const char *name, const char *elf, char **paths, event_choice choice)
{
    *run = (covered){.kind = executed_kind_of(*paths), .choice = choice};
    int status = open_all(run, name, elf, *paths);
    if (status == EXIT_DONE && paths[1])
        status = fleet_disjoint(name, paths);
    run->all->only = choice.function;
    for (; *paths && (status == EXIT_DONE || status == EXIT_GAPS); paths++) {
        int added = add(run, name, *paths);
        if (added != EXIT_DONE)
            status = added;
    }
    if (status != EXIT_DONE && status != EXIT_GAPS)
        return status;
    if (run->kind == EXECUTED_PATHS)
        coverage_finish(run->all);
    else
        coverage_executed(run->all, run->run);
    if (choice.function && !run->all->function_count)
        return command_fail(name, EXIT_INPUT, "there is no function '%s'", choice.function);
    return status;
}

void covered_close(covered *run)
{
    execution_free(run->run);
    coverage_free(run->all);
    program_close(run->app);
    if (run->im)
        image_close(run->im);
}
