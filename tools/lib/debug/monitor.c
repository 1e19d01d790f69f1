/* SPDX-License-Identifier: MIT */
/* `monitor weft ...`: questions that gdb has no command for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/debug/serving.h"
#include "tools/lib/wet/place.h"

static void print_instant(debug_server *s, FILE *out, debug_instant at)
{
    const wet_file *f = debug_run_file(s->run);
    const debug_step *step = debug_run_step(s->run, at);
    char text[160];
    wet_text(f, step->instruction, text, sizeof text);
    fprintf(out, "%u.%u  0x%08x  ", step->time, step->statement, debug_run_pc(s->run, at));
    text_print(out, wet_function_name(f, step->instruction));
    fprintf(out, "  %s\n", text);
}

static void monitor_time(debug_server *s, FILE *out, const char *rest)
{
    (void)rest;
    uint32_t flags;
    const wet_file *f = debug_run_file(s->run);
    if (!debug_run_xpsr(s->run, s->at, &flags))
        fputs("the flags are not known yet\n", out);
    fprintf(out, "time %u of %u; ", debug_run_step(s->run, s->at)->time, f->time);
    print_instant(s, out, s->at);
}

/* T, T.STATEMENT, start, end. */
static void monitor_goto(debug_server *s, FILE *out, const char *rest)
{
    char *end;
    unsigned long long time = strtoull(rest, &end, 10), statement = *end == '.' ? strtoull(end + 1, &end, 10) : 0;
    if (!strcmp(rest, "start"))
        s->at = debug_run_first(s->run);
    else if (!strcmp(rest, "end"))
        s->at = debug_run_last(s->run);
    else if (end != rest && !*end && time >= 1 && time <= debug_run_file(s->run)->time && statement <= UINT16_MAX)
        s->at = debug_run_at(s->run, (uint32_t)time, (uint32_t)statement);
    else {
        fprintf(out, "goto wants a time from 1 to %u, start or end\n", debug_run_file(s->run)->time);
        return;
    }
    print_instant(s, out, s->at);
}

static const struct command {
    const char *name;
    void (*run)(debug_server *s, FILE *out, const char *rest);
    const char *does;
} commands[] = {
    {"time", monitor_time, "time             where we are"},
    {"goto", monitor_goto, "goto T           go there: a time, T.N for a place on its path, start, end"},
};

static void help(FILE *out)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "monitor weft %s\n", commands[i].does);
}

static void run(debug_server *s, FILE *out, const char *command)
{
    if (!strncmp(command, "weft", 4) && (command[4] == ' ' || !command[4]))
        command += 4;
    command += strspn(command, " ");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        size_t size = strlen(commands[i].name);
        if (strncmp(command, commands[i].name, size) || (command[size] && command[size] != ' '))
            continue;
        commands[i].run(s, out, command + size + strspn(command + size, " "));
        return;
    }
    help(out);
}

char *serve_monitor(debug_server *s, const char *command)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_got(open_memstream(&text, &size));
    run(s, out, command);
    fclose(out);
    return memory_got(text);
}
