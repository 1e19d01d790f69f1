/* SPDX-License-Identifier: MIT */
/* The `weft` command: finds the subcommand and runs it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/base/installed.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/text.h"
#include "tools/lib/base/version.h"
#include "tools/lib/image/seal.h"
#include "tools/lib/recording/chosen.h"
#include "tools/weft/command.h"

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *does;
} commands[] = {
    {"capture", command_capture, "run firmware in the emulator and collect its trace"},
    {"info", command_info, "what a container holds: streams, ratios, losses, pools"},
    {"overview", command_overview, "a run on one screen: functions, calls, loops, interrupts"},
    {"dump", command_dump, "the event sequence, in order"},
    {"paths", command_paths, "k-iteration path profile"},
    {"functions", command_functions, "calls and instructions by function, callers and callees, call tree"},
    {"coverage", command_coverage, "lines, branches and functions that ran, and that did not"},
    {"fleet", command_fleet, "hot and rare paths of a fleet, two versions side by side, code that nobody ran"},
    {"merge", command_merge, "recordings and profiles of a fleet into one profile"},
    {"export", command_export, "files for other tools: callgrind, perfetto, speedscope, ctf, pprof, lcov, sqlite..."},
    {"stack", command_stack, "deepest stack of each context, and the chain that made it"},
    {"irq", command_irq, "interrupts: counts, durations, latencies, who interrupts whom"},
    {"io", command_io, "accesses of device registers, by name and field"},
    {"report", command_report, "one page for a browser: what ran when, addresses, contexts, loops, losses"},
    {"race", command_race, "memory that interrupts and threads share without protection"},
    {"dap", command_dap, "a recorded run in an editor, by the debug adapter protocol"},
    {"debug", command_debug, "gdb on a recorded run"},
    {"gdb", command_gdb, "a gdb remote server over a recorded run, backwards too"},
    {"diff", command_diff, "where two recordings part, and what differs most"},
    {"grammar", command_grammar, "SEQUITUR grammar of the symbols, and back"},
    {"hot", command_hot, "minimal hot subpaths"},
    {"loops", command_loops, "the loop nest of the symbols"},
    {"model", command_model, "affine model of the addresses, and back"},
    {"rerun", command_rerun, "every instruction and value of a run, from a recording of its paths"},
    {"seal", command_seal, "a check sum over a linked image, so that damage to it is noticed"},
    {"size", command_size, "flash and RAM that Weft takes in an image, and what makes it smaller"},
    {"squeeze", command_squeeze, "compress numbers with bidirectional predictors"},
    {"unsqueeze", command_unsqueeze, "back to the numbers that squeeze took"},
    {"wet", command_wet, "whole execution traces: build, control, values, addresses, slice, why"},
};

static void usage(FILE *out)
{
    fputs("usage: weft COMMAND [OPTION]... [ARGUMENT]...\n\n", out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].does);
    fputs("\n`weft COMMAND --help` says more; `weft --version` prints the version.\n"
          "`weft --plugin` prints where the compiler plugin is, `weft --share` what build systems include.\n"
          "Exit status: 0 done, 1 bad input, 2 bad command line, 3 done but the trace has gaps, 4 the host failed "
          "(disk, memory).\n",
          out);
}

static int print_installed(bool share)
{
    char path[4096];
    if (!(share ? installed_share(path, sizeof path) : installed_plugin("weft_gcc.so", path, sizeof path)))
        return command_fail(share ? "--share" : "--plugin", EXIT_HOST, "this weft is not installed (make install)");
    puts(path);
    return EXIT_DONE;
}

/* What is asked of weft itself. */
static int answer(int argc, char **argv)
{
    if (argc > 2) {
        fprintf(stderr, "weft: %s takes nothing more (see weft --help)\n", argv[1]);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--version"))
        puts("weft " WEFT_VERSION_TEXT);
    else if (!strcmp(argv[1], "--help"))
        usage(stdout);
    else
        return print_installed(!strcmp(argv[1], "--share"));
    return EXIT_DONE;
}

static bool is_question(const char *word)
{
    return !strcmp(word, "--help") || !strcmp(word, "--version") || !strcmp(word, "--plugin") ||
           !strcmp(word, "--share");
}

/* The status, unless the result could not be written. A result says what it was made of and not checked. */
static int finish(const char *command, int status)
{
    if (fflush(stdout) || ferror(stdout))
        return command_fail(command, EXIT_HOST, "cannot write the result: %s", strerror(errno));
    if (status != EXIT_DONE && status != EXIT_GAPS)
        return status;
    if (recording_ignored())
        return command_fail(command, EXIT_USAGE, "--recording: nothing that was read holds recordings");
    seal_print_missing(stderr);
    return status;
}

/* The number of a closed descriptor would go to the next file that is opened, and what is printed into that file. So it
 * gets a file that answers each use with an error; output to standard error is lost without an error. */
static bool keep_standard(void)
{
    static const int how[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int number = 0; number < 3; number++)
        if (fcntl(number, F_GETFD) < 0 && open("/dev/null", how[number]) != number)
            return false;
    return true;
}

int main(int argc, char **argv)
{
    if (!keep_standard())
        return EXIT_HOST;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of the write, as a full disk is */
    if (argc < 2) {
        usage(stderr);
        return EXIT_USAGE;
    }
    char help[] = "--help", *with_option[] = {argv[0], argc > 2 ? argv[2] : help, argc > 2 ? help : NULL, NULL};
    if (!strcmp(argv[1], "help") && argc <= 3) /* as `weft --help`, `weft COMMAND --help` */
        argv = with_option;
    if (is_question(argv[1]))
        return finish(argv[1], answer(argc, argv));
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name))
            continue;
        progress_command(argv[1]);
        return finish(argv[1], commands[i].run(argc - 1, argv + 1));
    }
    fputs("weft: there is no command '", stderr);
    text_print(stderr, argv[1]);
    fputs("' (see weft --help)\n", stderr);
    return EXIT_USAGE;
}
