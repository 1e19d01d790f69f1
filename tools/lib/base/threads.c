/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

static size_t chosen;

void threads_choose(size_t count)
{
    chosen = count;
}

size_t threads_count(void)
{
    long cores = chosen ? (long)chosen : sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > THREADS_MAX ? THREADS_MAX : (size_t)cores;
}

size_t threads_parts(size_t pieces)
{
    size_t threads = threads_count();
    return pieces == 0 ? 1 : pieces < threads ? pieces : threads;
}

typedef struct task {
    threads_work *work;
    void *own;
    size_t parts;
    atomic_size_t next; /* part to take */
} task;

static void *take_parts(void *argument)
{
    task *t = argument;
    for (size_t part; (part = atomic_fetch_add(&t->next, 1)) < t->parts;)
        t->work(t->own, part);
    return NULL;
}

void threads_run(size_t parts, threads_work *work, void *own)
{
    task t = {.work = work, .own = own, .parts = parts};
    pthread_t thread[THREADS_MAX];
    size_t running = 0, most = threads_parts(parts);
    atomic_store(&t.next, 1);
    while (running + 1 < most && !pthread_create(&thread[running], NULL, take_parts, &t))
        running++;
    if (parts)
        work(own, 0);
    take_parts(&t);
    while (running)
        pthread_join(thread[--running], NULL);
}
