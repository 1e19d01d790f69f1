/* SPDX-License-Identifier: MIT */
/* The command lines of the subcommands, as tables. Every command also has --help, --memory-limit, --recording,
 * --source-dir and --threads:
 *
 *     const command_option list[] = {{"json", .flag = &o.as_json}, {"limit", .number = &o.limit, .max = 100}, {NULL}};
 *     int status = command_options(argc, argv, help, list);
 *     if (status != OPTIONS_READ) return status;            argv[optind] is the first input */
#ifndef WEFT_TOOLS_WEFT_OPTIONS_H
#define WEFT_TOOLS_WEFT_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h> /* optind */

#include "tools/lib/input/input.h"

/* The arguments of an option that may come several times. All zero at first; `all` is from malloc. */
typedef struct command_texts {
    const char **all;
    size_t count, max;
} command_texts;

/* One of the pointers is set: where the option goes. A name of one letter is a short option. */
typedef struct command_option {
    const char *name;
    bool *flag;
    const char **text;
    command_texts *texts;
    long long *number; /* min..max */
    long long min, max;
    input_format *format;
} command_option;

/* Prints a command's help, and that of the options that every command has. */
void command_help(const char *help, FILE *out);

enum { OPTIONS_READ = -1 };

/* OPTIONS_READ, or the exit status: --help was printed, or a message of what is wrong. An option whose argument goes to
 * one place may be given once. */
int command_options(int argc, char **argv, const char *help, const command_option *list);

/* Of the options that command_options read last. OPTIONS_READ; or EXIT_USAGE, after a message: one was given that is
 * not among `with`, names with blanks between and around (" expand format "), and would do nothing beside --`with
 * whom`. Those of every command are not meant. */
int command_options_only(const char *command, const char *whom, const char *with);
/* The same of one option, which does nothing without another one. */
int command_options_need(const char *command, const char *option, const char *other);

#endif
