/* SPDX-License-Identifier: MIT */
/* Names on the disk that exist only while the process runs: they are removed when it ends by exit() or abort(),
 * wherever that is called, also when there is no memory. Registering one takes no memory. A forked child that exits
 * leaves them alone.
 *
 *     leftover folder;                    lives until leftover_remove or leftover_keep, or the process's end
 *     mkdtemp(path); leftover_add(&folder, path);
 *     ...
 *     leftover_remove(&folder);
 *
 * Not for several threads. */
#ifndef WEFT_TOOLS_LIB_BASE_LEFTOVER_H
#define WEFT_TOOLS_LIB_BASE_LEFTOVER_H

#include <sys/types.h>

typedef struct leftover {
    const char *path; /* NULL: it is not registered */
    struct leftover *next;
    pid_t process;
} leftover;

/* A file, or a folder that is empty by then: the last one added goes first. `path` stays the caller's, and stays. */
void leftover_add(leftover *l, const char *path);
/* Forgets the name: the file stays. Does nothing for one that is not registered. */
void leftover_keep(leftover *l);
/* Removes the file now. Does nothing for one that is not registered. */
void leftover_remove(leftover *l);

#endif
