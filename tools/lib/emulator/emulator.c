/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/emulator/emulator.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/lib/base/clock.h"
#include "tools/lib/base/installed.h"
#include "tools/lib/emulator/gdb.h"
#include "tools/lib/emulator/guard.h"

#define PROGRAM "qemu-system-arm"
#define GRACE_SECONDS 5.0
#define LOOK_SECONDS 0.5 /* between looks at the room on the disk */
#define ARGUMENTS_MAX 40
#define CATCHES 50 /* tries to end the recording of an endless program */
enum { SP = 13, LR = 14, PC = 15, XPSR = 25, SAVED = 17 };

struct emulator_memory {
    gdb *connection;
};

typedef struct command {
    const char *words[ARGUMENTS_MAX];
    int count;
    char *owned[ARGUMENTS_MAX]; /* to be freed */
    int owned_count;
} command;

/* Set by the first SIGINT, SIGTERM or SIGHUP: the run then ends as at the timeout, and what was recorded is kept. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

static void catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}; /* calls are interrupted, not restarted */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

static void rest(void)
{
    nanosleep(&(struct timespec){0, 2000000}, NULL);
}

static void add(command *c, const char *word)
{
    if (c->count < ARGUMENTS_MAX - 1)
        c->words[c->count++] = word;
}

/* A word made of `before` and `text`, whose commas are doubled: the emulator's options are lists with commas. */
static void add_escaped(command *c, const char *before, const char *text)
{
    char *word = malloc(strlen(before) + 2 * strlen(text) + 1), *to = word;
    if (!word)
        return;
    to = stpcpy(to, before);
    for (; *text; text++) {
        if (*text == ',')
            *to++ = ',';
        *to++ = *text;
    }
    *to = 0;
    c->owned[c->owned_count++] = word;
    add(c, word);
}

static void add_joined(command *c, const char *before, const char *text)
{
    char *word = NULL;
    if (asprintf(&word, "%s%s", before, text) < 0)
        return;
    c->owned[c->owned_count++] = word;
    add(c, word);
}

static void free_command(command *c)
{
    for (int i = 0; i < c->owned_count; i++)
        free(c->owned[i]);
}

/* WEFT_QEMU_PLUGIN names another than ours. */
static bool find_plugin(char *path, size_t size)
{
    const char *named = getenv("WEFT_QEMU_PLUGIN");
    if (!named)
        return installed_plugin("weft_qemu.so", path, size);
    snprintf(path, size, "%s", named);
    return access(path, R_OK) == 0;
}

static bool by_debugger(const emulator_run *run)
{
    return run->has_stop || !run->trust;
}

static void build(command *c, const emulator_run *run, const char *plugin, const char *socket)
{
    add(c, PROGRAM);
    add(c, "-M");
    add(c, run->machine);
    const char *const fixed[] = {"-display", "none", "-monitor", "none", "-no-reboot", "-kernel", run->elf};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add(c, fixed[i]);
    add(c, "-semihosting-config");
    if (run->argument)
        add_escaped(c, "enable=on,target=native,arg=", run->argument);
    else
        add(c, "enable=on,target=native");
    if (!run->trust) { /* that programs are started is refused by the guard: the sandbox would kill the emulator */
        add(c, "-sandbox");
        add(c, "on,elevateprivileges=deny,resourcecontrol=deny");
    }
    if (run->uart) {
        add(c, "-chardev");
        add_escaped(c, "file,id=uart,path=", run->uart);
        add(c, "-serial");
        add(c, "chardev:uart");
    } else {
        add(c, "-serial");
        add(c, "stdio");
    }
    if (run->icount >= 0) {
        char shift[32];
        snprintf(shift, sizeof shift, "%d", run->icount);
        add(c, "-icount");
        add_joined(c, "shift=", shift);
    }
    if (run->plugin) {
        char *both = NULL;
        if (asprintf(&both, "file=%s,%s", plugin, run->plugin) >= 0) {
            c->owned[c->owned_count++] = both;
            add(c, "-plugin");
            add(c, both);
        }
    }
    if (by_debugger(run)) {
        add(c, "-S");
        add(c, "-chardev");
        char *debugger = NULL;
        if (asprintf(&debugger, "socket,id=gdb,server=on,wait=off,path=%s", socket) >= 0) {
            c->owned[c->owned_count++] = debugger;
            add(c, debugger);
        }
        add(c, "-gdb");
        add(c, "chardev:gdb");
    }
    c->words[c->count] = NULL;
}

/* Runs in the child. Its standard output joins our standard error. */
static void become(const command *c, guard *guarded, int report)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0)
        dup2(null, 0);
    dup2(2, 1);
    int error = guarded ? guard_enter(guarded) : 0;
    if (!error) {
        execvp(c->words[0], (char *const *)c->words);
        error = errno;
    } else {
        error = -error;
    }
    if (write(report, &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

/* The child, or -1 and errno: also when the program cannot be run at all. errno is below 0 where the guard cannot be
 * set up. */
static pid_t spawn(const command *c, guard *guarded)
{
    int ends[2], error = 0;
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    pid_t child = fork();
    if (child == 0)
        become(c, guarded, ends[1]);
    close(ends[1]);
    if (child > 0 && guarded)
        guard_serve(guarded);
    ssize_t got = child > 0 ? read(ends[0], &error, sizeof error) : 0;
    close(ends[0]);
    if (got == sizeof error) {
        waitpid(child, NULL, 0);
        errno = error;
        return -1;
    }
    return child;
}

static void note_status(int status, emulator_end *end)
{
    end->status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* True: the child ended before `until` (0: whenever). */
static bool wait_until(pid_t child, double until, emulator_end *end)
{
    int status;
    for (;;) {
        pid_t got = waitpid(child, &status, until > 0 ? WNOHANG : 0);
        if (got == child) {
            note_status(status, end);
            return true;
        }
        if (got < 0 && errno != EINTR)
            return true;
        if (interrupted || (until > 0 && clock_seconds() >= until))
            return false;
        if (until > 0)
            rest();
    }
}

/* Whether no byte can be added to a file on a disk. Nothing is written to find out: the emulator writes there. */
static bool is_full(const char *path)
{
    struct stat file;
    struct statvfs disk;
    struct rlimit limit;
    if (!path || stat(path, &file) || !S_ISREG(file.st_mode))
        return false;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (uint64_t)file.st_size >= limit.rlim_cur)
        return true;
    return statvfs(path, &disk) == 0 && disk.f_blocks && (geteuid() ? disk.f_bavail : disk.f_bfree) == 0;
}

/* wait_until for the whole run. False, too: the disk is full. */
static bool wait_for_end(const emulator_run *run, pid_t child, double until, emulator_end *end)
{
    const char *path = run->uart ? run->uart : run->file_path;
    if (!path)
        return wait_until(child, until, end);
    for (;;) {
        double next = clock_seconds() + LOOK_SECONDS;
        if (wait_until(child, until > 0 && until < next ? until : next, end))
            return true;
        end->full = is_full(path);
        if (end->full || interrupted || (until > 0 && clock_seconds() >= until))
            return false;
    }
}

/* Asks the emulator to end, so that the plugin can finish its file. After the grace period it is killed; at once, where
 * all that is wanted is out. */
static void end_child(pid_t child, bool all_out, emulator_end *end)
{
    end->interrupted = interrupted;
    interrupted = 0;
    if (!all_out)
        kill(child, SIGTERM);
    if (!all_out && wait_until(child, clock_seconds() + GRACE_SECONDS, end))
        return;
    kill(child, SIGKILL);
    wait_until(child, 0, end);
}

/* When the run is to end; 0: never. */
static double end_of(const emulator_run *run)
{
    return run->timeout > 0 ? clock_seconds() + run->timeout : 0;
}

/* Below 0: as long as it takes. */
static double seconds_left(double until)
{
    double left = until - clock_seconds();
    return until <= 0 ? -1 : left > 0 ? left : 0;
}

/* Whether it has ended; it can still be waited for. */
static bool has_ended(pid_t child)
{
    siginfo_t about = {0};
    return waitid(P_PID, (id_t)child, &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_pid == child;
}

/* Whether it ends now: it closed the connection since it could not start, and printed why. */
static bool ended_by_itself(pid_t child)
{
    for (int tries = 0; tries < 500; tries++) {
        if (has_ended(child))
            return true;
        rest();
    }
    return false;
}

/* NULL: the emulator could not start (*ended: it printed why), or does not answer. */
static gdb *connect_to(const char *socket, pid_t child, bool *ended)
{
    for (int tries = 0; tries < 2500; tries++) {
        *ended = has_ended(child);
        gdb *g = *ended ? NULL : gdb_connect(socket);
        if (g || *ended)
            return g;
        rest();
    }
    return NULL;
}

static unsigned saved_number(unsigned i)
{
    return i <= PC ? i : XPSR;
}

/* The stopped program continues in `catch`, outside of any IT block. */
static bool enter_catch(const emulator_run *run, gdb *g, uint32_t saved[SAVED])
{
    const uint32_t it_bits = 0x0600fc00u;
    for (unsigned i = 0; i < SAVED; i++)
        if (!gdb_get(g, saved_number(i), &saved[i]))
            return false;
    return gdb_set(g, XPSR, saved[SAVED - 1] & ~it_bits) && gdb_set(g, SP, saved[SP] & ~7u) &&
           gdb_set(g, LR, run->stop | 1) && gdb_set(g, PC, run->catch) && gdb_continue(g);
}

/* Ends the recording of an endless program that is stopped anywhere. False: it could not. */
static bool catch_program(const emulator_run *run, gdb *g)
{
    uint32_t saved[SAVED], pc = 0;
    if (!gdb_ask_registers(g) || !gdb_break(g, run->busy, true))
        return false;
    for (int tries = 0; tries < CATCHES; tries++) {
        if (!enter_catch(run, g, saved) || gdb_wait(g, GRACE_SECONDS) != GDB_STOPPED || !gdb_get(g, PC, &pc))
            return false;
        if ((pc & ~1u) == run->stop)
            return true;
        if ((pc & ~1u) != run->busy)
            return false;
        for (unsigned i = 0; i < SAVED; i++)
            gdb_set(g, saved_number(i), saved[i]);
        gdb_continue(g);
        rest();
        gdb_interrupt(g);
        if (gdb_wait(g, GRACE_SECONDS) != GDB_STOPPED)
            return false;
    }
    return false;
}

/* Runs to the stop, or to the timeout, calls back, and lets the program go on. False: the debugger interface fails. */
static bool visit(const emulator_run *run, gdb *g, double until, emulator_end *end)
{
    struct emulator_memory memory = {g};
    bool works = (!run->stop || gdb_break(g, run->stop, true)) && gdb_continue(g);
    if (!works)
        return false;
    gdb_event event = gdb_wait(g, seconds_left(until));
    if (event == GDB_TIMEOUT) {
        end->timed_out = true;
        gdb_interrupt(g);
        event = gdb_wait(g, GRACE_SECONDS);
        end->finished = event == GDB_STOPPED && run->catch && catch_program(run, g);
    }
    if (event != GDB_STOPPED)
        return true;
    works = !run->stopped || run->stopped(run->context, &memory);
    if (run->endless)
        return works;
    works = works && gdb_break(g, run->stop, false) && gdb_continue(g);
    if (works && !end->timed_out)
        gdb_wait(g, seconds_left(until));
    return works;
}

/* The emulator waits before the program's first instruction: lets it go, and does with it what the run wants. */
static bool run_from_start(const emulator_run *run, const char *socket, pid_t child, guard *guarded, double *until,
                           emulator_end *end)
{
    bool ended;
    gdb *g = connect_to(socket, child, &ended);
    if (ended)
        return true;
    if (!g || !gdb_ready(g)) {
        gdb_close(g);
        return g && ended_by_itself(child);
    }
    if (guarded)
        guard_start(guarded);
    *until = end_of(run); /* the program's own time begins */
    bool works = (run->has_stop ? visit(run, g, *until, end) : gdb_detach(g));
    gdb_close(g);
    return works;
}

bool emulator_read(struct emulator_memory *memory, uint32_t address, void *bytes, size_t size)
{
    return gdb_read(memory->connection, address, bytes, size);
}

static void say_why(int error, char *message, size_t size)
{
    if (error < 0)
        snprintf(message, size, "this machine cannot confine the emulator (%s); --trust runs it as it is",
                 strerror(-error));
    else
        snprintf(message, size, "cannot run %s: %s", PROGRAM,
                 error == ENOENT ? "it is not installed (package qemu-system-arm)" : strerror(error));
}

/* Runs the command to its end. */
static bool run_command(const emulator_run *run, const command *c, const char *socket, guard *guarded,
                        emulator_end *end, char *message, size_t message_size)
{
    double until = end_of(run);
    pid_t child = spawn(c, guarded);
    bool works = child > 0;
    if (!works)
        say_why(errno, message, message_size);
    if (works && by_debugger(run) && !run_from_start(run, socket, child, guarded, &until, end)) {
        snprintf(message, message_size, "the emulator's debugger interface does not answer");
        works = false;
    }
    bool stopped = works && run->endless && !end->timed_out && !has_ended(child);
    if (child > 0 && (!works || stopped || end->timed_out || !wait_for_end(run, child, until, end))) {
        end->timed_out = works && !stopped && !end->full;
        end_child(child, stopped || (end->finished && !run->plugin), end);
        if (stopped)
            end->status = 0;
    }
    return works;
}

bool emulator_start_and_wait(const emulator_run *run, emulator_end *end, char *message, size_t message_size)
{
    char plugin[4096] = "", folder[] = "/tmp/weft-XXXXXX", socket[64];
    command c = {.count = 0};
    *end = (emulator_end){.status = 0};
    catch_signals();
    if (run->plugin && !find_plugin(plugin, sizeof plugin)) {
        snprintf(message, message_size, "the emulator plugin weft_qemu.so is not beside the weft command");
        return false;
    }
    guard *guarded = run->trust ? NULL : guard_new(run->file, run->file_path, socket);
    if ((!run->trust && !guarded) || (by_debugger(run) && !mkdtemp(folder))) {
        snprintf(message, message_size, "cannot make a folder in /tmp: %s", strerror(errno));
        return false;
    }
    snprintf(socket, sizeof socket, "%s/gdb", folder);
    build(&c, run, plugin, socket);
    bool works = run_command(run, &c, socket, guarded, end, message, message_size);
    if (guarded)
        end->refused = guard_end(guarded, end->first_refused, sizeof end->first_refused);
    if (by_debugger(run)) {
        unlink(socket);
        rmdir(folder);
    }
    free_command(&c);
    return works;
}

bool emulator_has_machine(const char *machine)
{
    FILE *list = popen(PROGRAM " -M help 2>/dev/null", "r");
    char line[256], name[64];
    bool found = false, any = false;
    while (list && fgets(line, sizeof line, list)) {
        any = true;
        found |= sscanf(line, "%63s", name) == 1 && !strcmp(name, machine);
    }
    if (list)
        pclose(list);
    return found || !any;
}
