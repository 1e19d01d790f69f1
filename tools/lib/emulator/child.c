/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/emulator/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/lib/base/clock.h"

#define LOOK_SECONDS 0.5 /* between looks at the room on the disk */

/* Set by the first signal: the run then ends as at the timeout, and what was recorded is kept. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

void child_catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}; /* calls are interrupted, not restarted */
    interrupted = 0;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

bool child_interrupted(void)
{
    return interrupted;
}

void child_rest(void)
{
    nanosleep(&(struct timespec){0, 2000000}, NULL);
}

/* Runs in the child. */
static void become(const char *const *words, const char *input, guard *guarded, int report)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int in = open(input ? input : "/dev/null", O_RDONLY);
    int error = in < 0 && input ? errno : 0;
    if (in >= 0)
        dup2(in, 0);
    dup2(2, 1);
    if (!error && guarded)
        error = -guard_enter(guarded);
    if (!error) {
        execvp(words[0], (char *const *)words);
        error = errno;
    }
    if (write(report, &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

/* 0: the child runs the program. Else the error that it reported. */
static int reported(int from)
{
    int error = 0;
    ssize_t got;
    do
        got = read(from, &error, sizeof error);
    while (got < 0 && errno == EINTR);
    return got == sizeof error ? error : 0;
}

pid_t child_start(const char *const *words, const char *input, guard *guarded)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    pid_t child = fork();
    int error = child < 0 ? errno : 0;
    if (child == 0)
        become(words, input, guarded, ends[1]);
    close(ends[1]);
    if (child > 0 && guarded && !guard_serve(guarded)) {
        error = errno;
        kill(child, SIGKILL); /* nothing would answer it: it would wait for ever */
    } else if (child > 0) {
        error = reported(ends[0]);
    }
    close(ends[0]);
    if (!error)
        return child;
    if (child > 0)
        waitpid(child, NULL, 0);
    errno = error;
    return -1;
}

static void note_status(int status, emulator_end *end)
{
    end->status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* True: the child ended before the time `until` (0: whenever), and how is in `end`. */
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
            child_rest();
    }
}

/* Whether the disk has no room for another byte of the file. It is not found out by writing, since the emulator writes
 * to that file. */
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

bool child_wait_for_run(const emulator_run *run, pid_t child, double until, emulator_end *end)
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

bool child_has_ended(pid_t child)
{
    siginfo_t about = {0};
    return waitid(P_PID, (id_t)child, &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_pid == child;
}

/* A second signal kills it at once. */
void child_end(pid_t child, bool all_out, emulator_end *end)
{
    end->interrupted = interrupted;
    interrupted = 0;
    if (!all_out)
        kill(child, SIGTERM);
    if (!all_out && wait_until(child, clock_seconds() + CHILD_PATIENCE, end))
        return;
    kill(child, SIGKILL);
    interrupted = 0;
    wait_until(child, 0, end);
}
