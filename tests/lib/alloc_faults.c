/* SPDX-License-Identifier: MIT */
/* Loaded before a program (LD_PRELOAD), makes its allocations fail: number WEFT_FAIL_ALLOC, from 1, and all after
 * it, as on a host without memory. Without that variable, it writes the number of allocations to the file
 * WEFT_COUNT_ALLOCS. With WEFT_FAIL_THREADS no thread can be started, and each attempt takes a while to fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static atomic_ulong calls;
static unsigned long fail_from; /* 0: none */

/* yajl never checks whether an allocation failed, so its allocations do not fail. */
static bool is_spared(void *caller)
{
    Dl_info from;
    return dladdr(caller, &from) && from.dli_fname && strstr(from.dli_fname, "libyajl");
}

static bool fails(void *caller)
{
    unsigned long call = atomic_fetch_add(&calls, 1) + 1;
    if (!fail_from || call < fail_from || is_spared(caller))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context)
{
    typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    create *other;
    *(void **)&other = dlsym(RTLD_NEXT, "pthread_create");
    if (!getenv("WEFT_FAIL_THREADS"))
        return other(thread, attributes, run, context);
    nanosleep(&(struct timespec){0, 300000000}, NULL);
    return EAGAIN;
}

/* Allocations before main belong to the C library, and are not counted. */
__attribute__((constructor)) static void begin(void)
{
    const char *from = getenv("WEFT_FAIL_ALLOC");
    calls = 0;
    fail_from = from ? strtoul(from, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("WEFT_COUNT_ALLOCS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%lu\n", (unsigned long)calls);
    fclose(file);
}
