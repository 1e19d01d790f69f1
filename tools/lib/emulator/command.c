/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/emulator/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

static void add(command *c, const char *word)
{
    if (c->count < COMMAND_WORDS_MAX - 1) /* there are fewer options */
        c->words[c->count++] = word;
}

/* A word made of three texts. The commas of `text` are doubled: the emulator's options are lists with commas. */
static void add_joined(command *c, const char *before, const char *text, const char *after)
{
    char *word = memory_zero(strlen(before) + 2 * strlen(text) + strlen(after) + 1, 1), *to = stpcpy(word, before);
    for (; *text; text++) {
        if (*text == ',')
            *to++ = ',';
        *to++ = *text;
    }
    strcpy(to, after);
    c->owned[c->owned_count++] = word;
    add(c, word);
}

bool command_has_debugger(const emulator_run *run)
{
    return run->has_stop || !run->trust;
}

/* The sandbox has no `spawn=deny`, which would kill the emulator: the guard refuses to start programs. */
static void add_semihosting(command *c, const emulator_run *run)
{
    add(c, "-semihosting-config");
    if (run->argument)
        add_joined(c, "enable=on,target=native,arg=", run->argument, "");
    else
        add(c, "enable=on,target=native");
    if (run->trust)
        return;
    add(c, "-sandbox");
    add(c, "on,elevateprivileges=deny,resourcecontrol=deny");
}

static void add_serial(command *c, const emulator_run *run)
{
    if (run->uart) {
        add(c, "-chardev");
        add_joined(c, "file,id=uart,path=", run->uart, "");
    }
    add(c, "-serial");
    add(c, run->uart ? "chardev:uart" : "stdio");
}

static void add_time(command *c, const emulator_run *run)
{
    char shift[32];
    if (run->icount < 0)
        return;
    snprintf(shift, sizeof shift, "%d", run->icount);
    add(c, "-icount");
    add_joined(c, "shift=", shift, ",sleep=off");
}

static void add_plugin(command *c, const emulator_run *run, const char *plugin)
{
    if (!run->plugin)
        return;
    char *arguments = memory_zero(strlen(run->plugin) + 2, 1);
    stpcpy(stpcpy(arguments, ","), run->plugin);
    add(c, "-plugin");
    add_joined(c, "file=", plugin, arguments);
    free(arguments);
}

static void add_debugger(command *c, const char *socket)
{
    add(c, "-S");
    add(c, "-chardev");
    add_joined(c, "socket,id=gdb,server=on,wait=off,path=", socket, "");
    add(c, "-gdb");
    add(c, "chardev:gdb");
}

/* Else a board's network controller would be in this machine's network. The emulator warns of a controller without a
 * network, and of a network without a controller, so it is told what these have. */
static void add_network(command *c, const emulator_run *run)
{
    static const char *const with_controller[] = {"mps2-", "mps3-", "lm3s6965evb", "emcraft-sf2"};
    const char *network = "none";
    if (run->trust)
        return;
    for (size_t i = 0; i < sizeof with_controller / sizeof *with_controller; i++)
        if (!strncmp(run->machine, with_controller[i], strlen(with_controller[i])))
            network = "user,restrict=on,ipv6=off";
    add(c, "-nic");
    add(c, network);
}

void command_build(command *c, const emulator_run *run, const char *plugin, const char *socket)
{
    const char *const fixed[] = {COMMAND_PROGRAM, "-M",   run->machine, "-display", "none",
                                 "-monitor",      "none", "-no-reboot", "-kernel",  run->elf};
    *c = (command){.count = 0};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add(c, fixed[i]);
    add_network(c, run);
    add_semihosting(c, run);
    add_serial(c, run);
    add_time(c, run);
    add_plugin(c, run, plugin);
    if (command_has_debugger(run))
        add_debugger(c, socket);
    c->words[c->count] = NULL;
}

void command_free(command *c)
{
    for (unsigned i = 0; i < c->owned_count; i++)
        free(c->owned[i]);
}
