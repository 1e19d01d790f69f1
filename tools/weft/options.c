/* SPDX-License-Identifier: MIT */
#include "tools/weft/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/sources.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/recording/chosen.h"
#include "tools/weft/command.h"

enum { OPTIONS_MAX = 32, HELP = OPTIONS_MAX, MEMORY_LIMIT, RECORDING, THREADS, SOURCE_DIR };

/* Printed after each command's own help. */
static const char common_help[] =
    "\n  --memory-limit BYTES  take at most this much memory (mapped files do not "
    "count); refuse what would take more\n"
    "  --recording N         of a file with several recordings, read the N-th only "
    "(weft info lists them)\n"
    "  --source-dir DIR      look for source files below DIR too, where lines of them are "
    "shown\n"
    "  --threads N           of work that is done in parts, N at once (1..64, "
    "default: one per core)\n";

void command_help(const char *help, FILE *out)
{
    fputs(help, out);
    fputs(common_help, out);
}

static bool limit_memory(const char *command, const char *argument)
{
    long long bytes;
    if (!command_number(command, "--memory-limit", argument, 16 << 20, LLONG_MAX, &bytes))
        return false;
    if (memory_set_limit((uint64_t)bytes))
        return true;
    command_fail(command, EXIT_HOST, "the system does not allow --memory-limit: %s", strerror(errno));
    return false;
}

static bool choose_recording(const char *command, const char *argument)
{
    long long number;
    if (!command_number(command, "--recording", argument, 1, UINT32_MAX, &number))
        return false;
    recording_choose((uint64_t)number);
    return true;
}

static bool choose_threads(const char *command, const char *argument)
{
    long long count;
    if (!command_number(command, "--threads", argument, 1, THREADS_MAX, &count))
        return false;
    threads_choose((size_t)count);
    return true;
}

static bool name_sources(const char *command, const char *argument)
{
    if (sources_name(argument))
        return true;
    command_fail(command, EXIT_USAGE, "--source-dir '%s': %s", argument, strerror(errno));
    return false;
}

/* Options of every command. */
static bool take_common(const char *command, int option, const char *argument)
{
    return option == MEMORY_LIMIT ? limit_memory(command, argument)
           : option == THREADS    ? choose_threads(command, argument)
           : option == SOURCE_DIR ? name_sources(command, argument)
                                  : choose_recording(command, argument);
}

/* False, and a message: the argument does not fit. */
static bool take(const char *command, const command_option *o, const char *argument)
{
    char name[32];
    snprintf(name, sizeof name, "%s%s", o->name[1] ? "--" : "-", o->name);
    if (o->flag)
        *o->flag = true;
    if (o->text)
        *o->text = argument;
    if (o->texts) {
        o->texts->all = memory_room(o->texts->all, o->texts->count, &o->texts->max, sizeof *o->texts->all);
        o->texts->all[o->texts->count++] = argument;
    }
    if (o->number)
        return command_number(command, name, argument, o->min, o->max, o->number);
    if (!o->format || input_format_parse(argument, o->format))
        return true;
    command_fail(command, EXIT_USAGE, "there is no format '%s'", argument);
    return false;
}

/* getopt's messages begin with argv[0], ours with `weft` and the command. */
static int next_option(int argc, char **argv, const char *shorts, const struct option *longs)
{
    char *command = argv[0], whole[64];
    snprintf(whole, sizeof whole, "weft %s", command);
    argv[0] = whole;
    int c = getopt_long(argc, argv, shorts, longs, NULL);
    argv[0] = command;
    return c;
}

int command_options(int argc, char **argv, const char *help, const command_option *list)
{
    struct option longs[OPTIONS_MAX + 6] = {{"help", no_argument, NULL, HELP},
                                            {"memory-limit", required_argument, NULL, MEMORY_LIMIT},
                                            {"recording", required_argument, NULL, RECORDING},
                                            {"source-dir", required_argument, NULL, SOURCE_DIR}};
    char shorts[2 * OPTIONS_MAX + 1] = "";
    int count = 3, from[128];
    bool own_threads = false; /* the command has such an option itself */
    for (int i = 0; list[i].name; i++) {
        bool wants = !list[i].flag;
        own_threads = own_threads || !strcmp(list[i].name, "threads");
        if (list[i].name[1]) {
            longs[++count] = (struct option){list[i].name, wants ? required_argument : no_argument, NULL, i};
            continue;
        }
        from[(int)list[i].name[0]] = i;
        strcat(strcat(shorts, list[i].name), wants ? ":" : "");
    }
    if (!own_threads)
        longs[++count] = (struct option){"threads", required_argument, NULL, THREADS};
    optind = 1;
    for (int c; (c = next_option(argc, argv, shorts, longs)) != -1;) {
        if (c == HELP) {
            command_help(help, stdout);
            return EXIT_DONE;
        }
        bool common = c >= MEMORY_LIMIT && c <= SOURCE_DIR;
        bool good = common ? take_common(argv[0], c, optarg)
                           : c != '?' && take(argv[0], &list[c > SOURCE_DIR ? from[c] : c], optarg);
        if (!good)
            return EXIT_USAGE;
    }
    return OPTIONS_READ;
}
