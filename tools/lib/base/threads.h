/* SPDX-License-Identifier: MIT */
/* Work in parts, on all cores. The parts share nothing that one of them changes, and their results are put together in
 * order, so the result is the same with any number of threads.
 *
 *     size_t parts = threads_parts(frames);
 *     threads_run(parts, work, own);          work(own, i) for each i < parts
 *     for (size_t i = 0; i < parts; i++) ... */
#ifndef WEFT_TOOLS_LIB_BASE_THREADS_H
#define WEFT_TOOLS_LIB_BASE_THREADS_H

#include <stddef.h>

enum { THREADS_MAX = 64 };

/* Threads of the whole process from now on, up to THREADS_MAX: `--threads N`. 0: as many as there are cores. */
void threads_choose(size_t count);
size_t threads_count(void);

/* The number of parts, one per thread, that `pieces` are divided into: 1 at least. No part is empty unless there are no
 * pieces. */
size_t threads_parts(size_t pieces);
/* The first piece of a part, and the end for part == parts. */
static inline size_t threads_first(size_t pieces, size_t parts, size_t part)
{
    return pieces / parts * part + (pieces % parts * part) / parts;
}

typedef void threads_work(void *own, size_t part);
/* Calls work for all parts and waits for them. There may be more parts than threads; they begin in their order. Part 0
 * is done by the calling thread, so it may show progress. Where the system gives no thread, there are fewer. */
void threads_run(size_t parts, threads_work *work, void *own);

#endif
