/* SPDX-License-Identifier: MIT */
#include "tools/weft/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "tools/weft/command.h"

enum { OPTIONS_MAX = 32, HELP = OPTIONS_MAX };

/* False, and a message: the argument does not fit. */
static bool take(const char *command, const command_option *o, const char *argument)
{
    char name[32];
    snprintf(name, sizeof name, "%s%s", o->name[1] ? "--" : "-", o->name);
    if (o->flag)
        *o->flag = true;
    if (o->text)
        *o->text = argument;
    if (o->number)
        return command_number(command, name, argument, o->min, o->max, o->number);
    if (!o->format || input_format_parse(argument, o->format))
        return true;
    command_fail(command, EXIT_USAGE, "there is no format '%s'", argument);
    return false;
}

int command_options(int argc, char **argv, const char *help, const command_option *list)
{
    struct option longs[OPTIONS_MAX + 2] = {{"help", no_argument, NULL, HELP}};
    char shorts[2 * OPTIONS_MAX + 1] = "";
    int count = 0, from[128];
    for (int i = 0; list[i].name; i++) {
        bool wants = !list[i].flag;
        if (list[i].name[1]) {
            longs[++count] = (struct option){list[i].name, wants ? required_argument : no_argument, NULL, i};
            continue;
        }
        from[(int)list[i].name[0]] = i;
        strcat(strcat(shorts, list[i].name), wants ? ":" : "");
    }
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        if (c == HELP) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (c == '?' || !take(argv[0], &list[c > HELP ? from[c] : c], optarg))
            return EXIT_USAGE;
    }
    return OPTIONS_READ;
}
