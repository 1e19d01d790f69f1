/* SPDX-License-Identifier: MIT */
/* The steps of a run:
 *     command.c  1  the emulator's command line
 *     child.c    2  the emulator starts, with a guard (guard.c)
 *     visit.c    3  the program is let go, stopped, looked at
 *     child.c    4  the end */
#define _GNU_SOURCE
#include "tools/lib/emulator/emulator.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/installed.h"
#include "tools/lib/base/leftover.h"
#include "tools/lib/emulator/child.h"
#include "tools/lib/emulator/command.h"
#include "tools/lib/emulator/visit.h"

/* WEFT_QEMU_PLUGIN names another than ours. */
static bool find_plugin(char *path, size_t size)
{
    const char *named = getenv("WEFT_QEMU_PLUGIN");
    if (!named)
        return installed_plugin("weft_qemu.so", path, size);
    snprintf(path, size, "%s", named);
    return access(path, R_OK) == 0;
}

static void say_why(int error, char *message, size_t size)
{
    if (error < 0)
        snprintf(message, size, "this machine cannot confine the emulator (%s); --trust runs it as it is",
                 strerror(-error));
    else
        snprintf(message, size, "cannot run %s: %s", COMMAND_PROGRAM,
                 error == ENOENT ? "it is not installed (package qemu-system-arm)" : strerror(error));
}

/* Runs the command to its end. */
static bool run_command(const emulator_run *run, const command *c, const char *socket, guard *guarded,
                        emulator_end *end, char *message, size_t message_size)
{
    double until = visit_end_of(run);
    pid_t child = child_start(c->words, run->input, guarded);
    bool works = child > 0;
    if (!works)
        say_why(errno, message, message_size);
    if (works && command_has_debugger(run) && !visit_from_start(run, socket, child, guarded, &until, end)) {
        snprintf(message, message_size, "the emulator's debugger interface does not answer");
        works = false;
    }
    bool stopped = works && run->endless && !end->timed_out && !child_has_ended(child);
    if (child > 0 && (!works || stopped || end->timed_out || !child_wait_for_run(run, child, until, end))) {
        end->timed_out = works && !stopped && !end->full;
        child_end(child, stopped || (end->finished && !run->plugin_writes), end);
        if (stopped)
            end->status = 0;
    }
    return works;
}

/* Where the debugger interface listens: a folder of its own. */
typedef struct meeting {
    char folder[32], socket[64];
    leftover made_folder, made_socket;
} meeting;

static bool meeting_make(meeting *m)
{
    *m = (meeting){.folder = "/tmp/weft-XXXXXX"};
    if (!mkdtemp(m->folder))
        return false;
    snprintf(m->socket, sizeof m->socket, "%s/gdb", m->folder);
    leftover_add(&m->made_folder, m->folder);
    leftover_add(&m->made_socket, m->socket);
    return true;
}

static void meeting_remove(meeting *m)
{
    leftover_remove(&m->made_socket);
    leftover_remove(&m->made_folder);
}

bool emulator_start_and_wait(const emulator_run *run, emulator_end *end, char *message, size_t message_size)
{
    char plugin[4096] = "";
    command c;
    meeting m;
    *end = (emulator_end){.status = 0};
    child_catch_signals();
    if (run->plugin && !find_plugin(plugin, sizeof plugin)) {
        snprintf(message, message_size, "the emulator plugin weft_qemu.so is not beside the weft command");
        return false;
    }
    if (!meeting_make(&m)) {
        snprintf(message, message_size, "cannot make a folder in /tmp: %s", strerror(errno));
        return false;
    }
    guard *guarded = run->trust ? NULL : guard_new(run->file, run->file_path, m.socket);
    command_build(&c, run, plugin, m.socket);
    bool works = run->trust || guarded;
    if (works)
        works = run_command(run, &c, m.socket, guarded, end, message, message_size);
    else
        snprintf(message, message_size, "cannot make a socket: %s", strerror(errno));
    if (guarded)
        end->refused = guard_end(guarded, end->first_refused, sizeof end->first_refused);
    meeting_remove(&m);
    command_free(&c);
    return works;
}

bool emulator_read(struct emulator_memory *memory, uint32_t address, void *bytes, size_t size)
{
    return gdb_read(memory->connection, address, bytes, size);
}

/* Names have no other characters, and those of a shell or of another option must not get through. */
static bool may_be_machine(const char *name)
{
    return name[0] && name[0] != '-' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == strlen(name) &&
           strlen(name) < 64;
}

/* Asked for a machine's options, the emulator names other machines instead, or an error. If it can write nothing, what
 * it lists ends anywhere: so a name that is not there proves nothing, and what it says at first is looked at. */
bool emulator_has_machine(const char *machine)
{
    char ask[160], line[256];
    bool unknown = false;
    if (!may_be_machine(machine))
        return false;
    snprintf(ask, sizeof ask, COMMAND_PROGRAM " -M %s,help 2>&1", machine);
    FILE *answer = popen(ask, "r");
    while (answer && fgets(line, sizeof line, answer))
        unknown |= strstr(line, "Supported machines are") || strstr(line, "unsupported machine");
    if (answer)
        pclose(answer);
    return !unknown;
}
