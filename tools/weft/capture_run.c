/* SPDX-License-Identifier: MIT */
#include "tools/weft/capturing.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/weft/foreign.h"

#define FAULT_EXIT 125 /* of port/cortex-m/program/faults.c: a fault, and an interrupt without a handler */
#define UNEXPECTED_EXIT 126

static const char *const probe_functions[] = {
    "__weft_path",    "__weft_kpath",     "__weft_kpath_exit", "__weft_access",     "__weft_value",
    "__weft_value64", "__weft_mark",      "__weft_derived",    "__weft_stamp",      "__weft_last",
    "__weft_loop",    "__weft_loop_path", "__weft_packed",     "__weft_packed_full"};

/* The plugin's arguments; NULL: no plugin. */
static char *plugin_arguments(capture *c)
{
    char *text = NULL;
    size_t size;
    if (!c->full && !c->watch && !c->count)
        return capture_leave_arguments(c);
    FILE *out = memory_stream(&text, &size);
    if (c->full)
        fprintf(out, "mode=full,out=%s,machine=%s", c->link, c->machine);
    else
        fprintf(out, "mode=%s,out=%s", c->watch ? "probes" : "count", c->seen);
    uint32_t thread, word;
    if (c->watch && image_symbol_named(firmware_image(c->firmware), "weft_target_thread", &thread, &word))
        fprintf(out, ",thread=%x", thread);
    for (size_t i = 0; !c->full && i < sizeof probe_functions / sizeof *probe_functions; i++) {
        uint32_t address, bytes;
        if (!image_symbol_named(firmware_image(c->firmware), probe_functions[i], &address, &bytes))
            address = 1; /* keeps the numbers of the functions; never executed */
        fprintf(out, ",function=%s:%x", probe_functions[i], address);
    }
    uint32_t poll, bytes;
    if (c->watch && image_symbol_named(firmware_image(c->firmware), "weft_poll", &poll, &bytes))
        fprintf(out, ",own=weft_poll:%x", poll);
    fclose(out);
    return text;
}

/* The program's command line names the trace file for an image whose sink is semihosting. To be freed; NULL: as it was
 * given. */
static char *semihost_argument(const capture *c, const char *file)
{
    if (!c->sink || c->full || strcmp(c->sink, "semihost"))
        return NULL;
    const char *given = c->argument ? c->argument : "", *space = c->argument ? " " : "";
    size_t size = strlen(given) + sizeof " weft-trace=" + strlen(file);
    char *argument = memory_zero(size, 1);
    snprintf(argument, size, "%s%sweft-trace=%s", given, space, file);
    return argument;
}

/* The one file that firmware may open: its trace. Where that is not wanted it goes nowhere. */
static void set_file(const capture *c, emulator_run *run, const char *argument)
{
    bool wanted = argument && c->out;
    run->file = !argument ? "trace.weft" : wanted ? c->link : "/dev/null"; /* port/cortex-m/program/autostart.c */
    run->file_path = wanted ? output_path(c->trace) : "/dev/null";
}

/* EXIT_DONE: the program can read what it is to read. */
static int open_input(const capture *c, emulator_run *run)
{
    if (!c->input)
        return EXIT_DONE;
    if (run->uart)
        return command_fail(c->name, EXIT_USAGE, "--input: the program's serial line carries its trace");
    run->input = strcmp(c->input, "-") ? c->input : "/dev/stdin";
    if (access(run->input, R_OK))
        return command_fail(c->name, EXIT_INPUT, "%s: %s", c->input, strerror(errno));
    return EXIT_DONE;
}

/* EXIT_DONE: the program ran, however it ended. */
int capture_run(capture *c, emulator_end *end)
{
    char message[300], *plugin = plugin_arguments(c);
    char *argument = semihost_argument(c, c->out ? c->link : "/dev/null");
    emulator_run run = {.elf = c->elf,
                        .machine = c->machine,
                        .argument = argument ? argument : c->argument,
                        .trust = c->trust,
                        .plugin = plugin,
                        .plugin_writes = c->full || c->watch || c->count,
                        .icount = (int)c->icount,
                        .timeout = (double)c->timeout};
    bool traced = !c->full && c->sink && c->out;
    set_file(c, &run, argument);
    if (traced && !strncmp(c->sink, "uart", 4))
        run.uart = c->link;
    int status = open_input(c, &run);
    if (status == EXIT_DONE && traced && (!strcmp(c->sink, "ring") || !strcmp(c->sink, "box")))
        status = capture_memory_prepare(c, &run);
    if (traced && c->foreign) {
        foreign_end(c->firmware, &run);
        run.stopped = capture_health;
        run.context = c;
    }
    if (status == EXIT_DONE && !emulator_start_and_wait(&run, end, message, sizeof message))
        status = command_fail(c->name, EXIT_HOST, "%s", message);
    capture_leave_take(c);
    free(plugin);
    free(argument);
    return status;
}

void capture_run_refused(const capture *c, const emulator_end *end)
{
    if (end->refused)
        command_fail(c->name, EXIT_DONE, "note: refused to the program on this machine: %s%s (--trust grants it)",
                     end->first_refused, end->refused > 1 ? ", and more" : "");
}

/* Says how the program ended if not well. EXIT_INPUT: the trace may be cut short by that. */
int capture_run_judge(const capture *c, const emulator_end *end)
{
    if (end->full)
        return EXIT_DONE; /* room_left says why */
    if (end->interrupted)
        return command_fail(c->name, EXIT_INPUT, "interrupted; what was recorded is kept");
    /* What is seen from outside is whole up to there. */
    if (end->timed_out && (end->finished || (c->full && (c->foreign || c->timeout_given))))
        return command_fail(c->name, EXIT_DONE, "note: stopped after %lld s; the recording was ended there",
                            c->timeout);
    if (end->timed_out && c->foreign)
        return command_fail(c->name, EXIT_GAPS,
                            "stopped after %lld s%s; what was not yet in a frame is missing (weft_target_end ends a "
                            "recording)",
                            c->timeout, end->asleep ? ", asleep, and no interrupt wakes the program" : "");
    if (c->left_busy)
        return command_fail(c->name, EXIT_GAPS,
                            "the program left while another task or interrupt was at work on the recording; what was "
                            "not yet in a frame is missing (a call of weft_target_end, or WEFT_WORKER, avoids this)");
    if (end->timed_out)
        return command_fail(c->name, EXIT_INPUT, "stopped after %lld s; what was recorded is kept", c->timeout);
    if (end->status == -SIGABRT && end->unready)
        return command_fail(c->name, EXIT_HOST,
                            "the emulator ended before the program's first instruction; it says why above");
    if (end->status < 0)
        return command_fail(c->name, EXIT_INPUT,
                            "the emulator gave up (signal %d): is the image linked for its machine '%s' (--machine)? "
                            "Is a stack too small? Probes take up to 1,250 bytes of main's, of each task's and of the "
                            "handlers'; of tasks 200 with WEFT_WORKER = auto (docs/ADOPTION.md, Stacks)",
                            -end->status, c->machine);
    if (end->status == FAULT_EXIT || end->status == UNEXPECTED_EXIT)
        return command_fail(c->name, EXIT_INPUT, "the program crashed (exit status %d); what was recorded is kept",
                            end->status);
    if (end->status)
        command_fail(c->name, EXIT_DONE, "note: the program ended with exit status %d", end->status);
    return EXIT_DONE;
}
