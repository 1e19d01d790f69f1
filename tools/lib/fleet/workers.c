/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/fleet/workers.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/recording/chosen.h"

/* What the processes share. */
typedef struct shared {
    atomic_size_t next, others; /* others: inputs of the other kind, which this round passes over */
    bool profiles;              /* which kind this round takes */
    atomic_uint_least64_t skipped;
    atomic_bool stop, full; /* full: more recordings than claims_max holds */
    atomic_size_t claimed;
    size_t claims_max;              /* a power of two */
    atomic_uint_least64_t claims[]; /* digests of recordings, by open addressing; 0: free */
} shared;

static bool claim(void *own, uint64_t digest)
{
    shared *s = own;
    if (s->full || atomic_fetch_add(&s->claimed, 1) > s->claims_max / 8 * 7) {
        s->full = true; /* the whole fails */
        return true;
    }
    for (size_t at = digest & (s->claims_max - 1);; at = (at + 1) & (s->claims_max - 1)) {
        uint_least64_t found = 0;
        if (atomic_compare_exchange_strong(&s->claims[at], &found, digest))
            return true;
        if (found == digest)
            return false;
    }
}

/* An input that is being taken. */
typedef struct one_input {
    const workers_job *job;
    shared *s;
    gather_input input;
} one_input;

static bool leave_out(void *own, const char *why)
{
    const one_input *one = own;
    if (!one->job->skip(one->job->own, one->input, why))
        return false;
    atomic_fetch_add(&one->s->skipped, 1);
    return true;
}

/* Takes inputs of the round's kind until there are none. */
static workers_end gather(merged *all, intake *in, const workers_job *job, shared *s, char *message,
                          size_t message_size)
{
    workers_end end = WORKERS_DONE;
    char why[400];
    for (size_t i; end == WORKERS_DONE && !s->stop && (i = atomic_fetch_add(&s->next, 1)) < job->count;) {
        one_input one = {job, s, job->input(job->own, i)};
        if (profile_is(one.input.path) != s->profiles) {
            atomic_fetch_add(&s->others, 1);
            continue;
        }
        progress_show(i, "inputs");
        gather_end ended = gather_add(all, in, one.input, &(intake_left){leave_out, &one}, why, sizeof why);
        if (ended == GATHER_BROKEN)
            snprintf(message, message_size, "%s: %s", one.input.path, why);
        end = ended == GATHER_ON ? WORKERS_DONE : ended == GATHER_STOP ? WORKERS_SKIP : WORKERS_BAD;
    }
    progress_end();
    s->stop = s->stop || end != WORKERS_DONE;
    return end;
}

/* ---- other processes ---- */

typedef struct worker {
    pid_t process;
    int file; /* where it leaves its profile, or its message */
} worker;

static bool write_all(int file, const void *bytes, size_t size)
{
    for (const char *at = bytes; size;) {
        ssize_t written = write(file, at, size < 1 << 30 ? size : 1 << 30);
        if (written < 0 && errno != EINTR)
            return false;
        at += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* What a process does; its exit status is the end. */
static int work(int file, intake *in, const workers_job *job, shared *s)
{
    char message[500] = "";
    const char *why = NULL;
    size_t size = 0;
    threads_choose(1); /* the processes are as many as there are cores */
    merged *all = merged_new();
    workers_end end = gather(all, in, job, s, message, sizeof message);
    uint8_t *bytes = end == WORKERS_DONE ? profile_write(all, &size, &why) : NULL;
    if (end == WORKERS_DONE && !bytes) {
        end = WORKERS_BAD;
        snprintf(message, sizeof message, "%s", why);
    }
    if (!(bytes ? write_all(file, bytes, size) : write_all(file, message, strlen(message))))
        end = WORKERS_HOST;
    fflush(stderr);
    return end;
}

static bool start(worker *w, intake *in, const workers_job *job, shared *s)
{
    w->file = memfd_create("weft-profile", MFD_CLOEXEC);
    if (w->file < 0)
        return false;
    fflush(stdout);
    fflush(stderr);
    (void)recording_chosen(); /* which the process asks for */
    w->process = fork();
    if (w->process == 0)
        _exit(work(w->file, in, job, s));
    return w->process > 0;
}

/* Waits for a process and adds what it gathered. */
static workers_end finish(const worker *w, merged *all, char *message, size_t message_size)
{
    int status = 0;
    char path[40];
    whole_file file;
    while (waitpid(w->process, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) > WORKERS_HOST) {
        snprintf(message, message_size, "a process of it ended with %s %d", WIFEXITED(status) ? "status" : "signal",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        return WORKERS_HOST;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", w->file);
    if (WEXITSTATUS(status) == WORKERS_SKIP)
        return WORKERS_SKIP;
    if (!whole_file_open(&file, path)) {
        snprintf(message, message_size, "cannot read what a process left: %s", strerror(errno));
        return WORKERS_HOST;
    }
    workers_end end = WEXITSTATUS(status);
    if (end != WORKERS_DONE) {
        snprintf(message, message_size, "%.*s", (int)(file.size < 400 ? file.size : 400), (const char *)file.bytes);
    } else {
        size_t used;
        const char *why = profile_read(all, file.bytes, file.size, &used);
        end = why ? WORKERS_BAD : WORKERS_DONE;
        if (why)
            snprintf(message, message_size, "%s", why);
    }
    whole_file_close(&file);
    return end;
}

static workers_end gather_apart(merged *all, intake *in, const workers_job *job, unsigned processes, shared *s,
                                char *message, size_t message_size)
{
    worker *w = memory_zero(processes, sizeof *w);
    workers_end end = WORKERS_DONE;
    unsigned started = 0;
    while (started < processes && start(&w[started], in, job, s))
        started++;
    if (started < processes) { /* those that run do the work */
        if (w[started].file > 0)
            close(w[started].file);
        if (!started) {
            snprintf(message, message_size, "cannot start a process: %s", strerror(errno));
            end = WORKERS_HOST;
        }
    }
    for (unsigned i = 0; i < started; i++) {
        char own[500] = "";
        workers_end one = finish(&w[i], all, own, sizeof own);
        close(w[i].file);
        if (end == WORKERS_DONE && one != WORKERS_DONE) {
            end = one;
            s->stop = true;
            snprintf(message, message_size, "%s", own);
        }
    }
    free(w);
    return end;
}

/* One round: gathers all inputs of one kind. */
typedef struct kind_round {
    bool profiles;
    uint64_t skipped;
    size_t others; /* how many are of the other kind */
} kind_round;

static workers_end gather_kind(merged *all, intake *in, const workers_job *job, unsigned processes, kind_round *round,
                               char *message, size_t message_size)
{
    size_t claims = 1 << 20; /* files may hold several recordings; what is not used takes no memory */
    while (claims < 2 * (job->count + all->recordings.count))
        claims *= 2;
    size_t size = sizeof(shared) + claims * sizeof(uint64_t);
    shared *s = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED) {
        snprintf(message, message_size, "%s", strerror(errno));
        return WORKERS_HOST;
    }
    s->claims_max = claims;
    s->profiles = round->profiles;
    for (size_t i = 0; i < all->recordings.max; i++)
        if (all->recordings.slots[i])
            (void)claim(s, all->recordings.slots[i]);
    if (processes > 1)
        intake_on_claim(in, claim, s);
    workers_end end = processes < 2 ? gather(all, in, job, s, message, message_size)
                                    : gather_apart(all, in, job, processes, s, message, message_size);
    intake_on_claim(in, NULL, NULL);
    if (end == WORKERS_DONE && s->full) {
        snprintf(message, message_size, "the files hold more than %zu recordings: with --jobs 1 they are taken",
                 claims / 8 * 7);
        end = WORKERS_BAD;
    }
    round->skipped = s->skipped;
    round->others = s->others;
    munmap(s, size);
    return end;
}

/* Profiles first: so a recording that one of them holds is left out wherever it stands. */
workers_end workers_gather(merged *all, intake *in, const workers_job *job, unsigned processes, uint64_t *skipped,
                           char *message, size_t message_size)
{
    kind_round first = {.profiles = true}, second = {.profiles = false};
    workers_end end = gather_kind(all, in, job, processes, &first, message, message_size);
    if (end == WORKERS_DONE && first.others)
        end = gather_kind(all, in, job, processes, &second, message, message_size);
    *skipped = first.skipped + second.skipped;
    return end;
}
