/* SPDX-License-Identifier: MIT */
/* What the subcommands of `weft` share: one function each, listed in main.c, the exit status, messages. */
#ifndef WEFT_TOOLS_WEFT_COMMAND_H
#define WEFT_TOOLS_WEFT_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    EXIT_DONE = 0,  /* done */
    EXIT_INPUT = 1, /* the input is bad: what, and at which byte or token */
    EXIT_USAGE = 2, /* the command line is wrong */
    EXIT_GAPS = 3,  /* done, but the trace has gaps, which are named */
    EXIT_HOST = 4,  /* the host failed: a full disk, no memory, a program that is missing */
};

/* argv[0] is the subcommand's name. Each has --help. The value is the exit status. */
int command_capture(int argc, char **argv);
int command_coverage(int argc, char **argv);
int command_dap(int argc, char **argv);
int command_debug(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_dump(int argc, char **argv);
int command_export(int argc, char **argv);
int command_fleet(int argc, char **argv);
int command_functions(int argc, char **argv);
int command_gdb(int argc, char **argv);
int command_grammar(int argc, char **argv);
int command_hot(int argc, char **argv);
int command_io(int argc, char **argv);
int command_info(int argc, char **argv);
int command_irq(int argc, char **argv);
int command_loops(int argc, char **argv);
int command_merge(int argc, char **argv);
int command_model(int argc, char **argv);
int command_overview(int argc, char **argv);
int command_paths(int argc, char **argv);
int command_report(int argc, char **argv);
int command_race(int argc, char **argv);
int command_rerun(int argc, char **argv);
int command_seal(int argc, char **argv);
int command_size(int argc, char **argv);
int command_squeeze(int argc, char **argv);
int command_stack(int argc, char **argv);
int command_unsqueeze(int argc, char **argv);
int command_wet(int argc, char **argv);

/* Prints "weft NAME: MESSAGE" to standard error and returns `status`. */
int command_fail(const char *name, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Whether both are names of one file on a disk ("-": standard input): writing one would destroy the other. False, too,
 * if there is no such file yet. */
bool command_same_file(const char *in, const char *out);

/* Where `out`, which may be NULL, names standard output, nothing else goes there: what the command says of its result
 * goes to command_says(out). EXIT_USAGE, and a message: `json` asks for more there, or the file is `binary`, and
 * standard output a terminal. Else EXIT_DONE. */
int command_output(const char *name, const char *out, bool json, bool binary);
FILE *command_says(const char *out);

/* EXIT_USAGE, and a message, if they are; either may be NULL. */
int command_keep_input(const char *name, const char *in, const char *out);

/* A whole number in min..max from an option's argument; false (and a message): it is not one. */
int command_number(const char *name, const char *option, const char *text, long long min, long long max,
                   long long *value);

/* Bytes that a command may take for what the input at `path` stands for: --memory-limit if it is given; else
 * COMMAND_MEMORY_BASE, and COMMAND_MEMORY_FACTOR for each byte of the file. A result that would take more is refused
 * before it is made, so that a few bytes cannot ask for all memory of the host. */
#define COMMAND_MEMORY_BASE ((uint64_t)1 << 30)
#define COMMAND_MEMORY_FACTOR 64u
uint64_t command_memory(const char *path);

/* Whether results are summarised for people: --summary asks for it, or standard output is a terminal and neither --json
 * nor another form (`other`) is asked for. */
bool command_summary(bool asked, bool other);
/* Characters of a line of a summary: the terminal's columns, else those that the variable COLUMNS says, else 80. */
unsigned command_columns(void);
/* Where a line of other results is to be broken: the same where they are summarised, else nowhere (UINT_MAX), so that
 * scripts find whole lines. */
unsigned command_width(bool summary);

#endif
