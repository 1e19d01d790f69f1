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

/* ---- what was given ---- */

/* The options of the command line, as they came; those of every command by their names alone. A program reads one. */
static struct {
    command_option all[OPTIONS_MAX + SOURCE_DIR];
    size_t count;
} given;

typedef char option_text[32];

static const char *as_given(const char *name, option_text text)
{
    snprintf(text, sizeof(option_text), "%s%s", name[1] ? "--" : "-", name);
    return text;
}

/* One of every command, which has no place here. */
static bool is_common(const command_option *o)
{
    return !o->flag && !o->text && !o->texts && !o->number && !o->format;
}

static bool has_one_place(const command_option *o)
{
    return !o->flag && !o->texts;
}

static bool is_same(const command_option *a, const command_option *b)
{
    bool same_place = a->text == b->text && a->number == b->number && a->format == b->format;
    return !strcmp(a->name, b->name) || (has_one_place(a) && has_one_place(b) && same_place && !is_common(a));
}

/* False, and a message: the place that its argument goes to has one. */
static bool note_given(const char *command, const command_option *o)
{
    option_text name, before;
    const command_option *same = given.all, *end = given.all + given.count;
    while (same < end && !is_same(o, same))
        same++;
    if (same == end)
        *(given.all + given.count++) = *o;
    if (same == end || !has_one_place(o))
        return true;
    as_given(o->name, name);
    if (strcmp(o->name, same->name))
        command_fail(command, EXIT_USAGE, "%s and %s are one option: give one of them", as_given(same->name, before),
                     name);
    else
        command_fail(command, EXIT_USAGE, "%s is given twice", name);
    return false;
}

int command_options_only(const char *command, const char *whom, const char *with)
{
    option_text name, other;
    for (size_t i = 0; i < given.count; i++) {
        const command_option *o = &given.all[i];
        snprintf(name, sizeof name, " %s ", o->name);
        if (!is_common(o) && !strstr(with, name))
            return command_fail(command, EXIT_USAGE, "%s does not go with %s", as_given(o->name, name),
                                as_given(whom, other));
    }
    return OPTIONS_READ;
}

static bool is_given(const char *name)
{
    for (size_t i = 0; i < given.count; i++)
        if (!strcmp(given.all[i].name, name))
            return true;
    return false;
}

int command_options_need(const char *command, const char *option, const char *other)
{
    option_text name, needed;
    if (!is_given(option) || is_given(other))
        return OPTIONS_READ;
    return command_fail(command, EXIT_USAGE, "%s goes with %s", as_given(option, name), as_given(other, needed));
}

/* ---- a command line ---- */

/* Options of every command. */
static bool take_common(const char *command, const struct option *longs, int option, const char *argument)
{
    while (longs->val != option)
        longs++;
    if (!note_given(command, &(command_option){.name = longs->name}))
        return false;
    return option == MEMORY_LIMIT ? limit_memory(command, argument)
           : option == THREADS    ? choose_threads(command, argument)
           : option == SOURCE_DIR ? name_sources(command, argument)
                                  : choose_recording(command, argument);
}

/* False, and a message: the argument does not fit. */
static bool take(const char *command, const command_option *o, const char *argument)
{
    option_text name;
    if (!note_given(command, o))
        return false;
    as_given(o->name, name);
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
        bool good = common ? take_common(argv[0], longs, c, optarg)
                           : c != '?' && take(argv[0], &list[c > SOURCE_DIR ? from[c] : c], optarg);
        if (!good)
            return EXIT_USAGE;
    }
    return OPTIONS_READ;
}
