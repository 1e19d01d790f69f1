/* SPDX-License-Identifier: MIT */
/* Keeps what the emulator may do on this machine to what its run needs. Firmware is hostile, and by semihosting it asks
 * the emulator to open any file, to remove and rename files, and to run commands. So from the program's first
 * instruction on, each of these system calls of the emulator comes to us (seccomp's user notification, Linux 5.14) and
 * is refused, except for one file: the program may open it under a name that is agreed upon, and gets the file that is
 * meant.
 *
 *     guard *g = guard_new(name, path);
 *     fork: in the child  guard_enter(g), then exec
 *           in the parent guard_serve(g)
 *     guard_start(g)                            the program's first instruction comes now
 *     guard_end(g, ...) */
#ifndef WEFT_TOOLS_LIB_EMULATOR_GUARD_H
#define WEFT_TOOLS_LIB_EMULATOR_GUARD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct guard guard;

/* `name` as the program gives it, and the file, which is there already. `own` is a file that the emulator itself
 * removes at its end. The texts stay the caller's. NULL and errno: the host has no means. */
guard *guard_new(const char *name, const char *path, const char *own);
/* In the child: from here on we are asked. Threads and children are, too. 0, or errno. */
int guard_enter(guard *g);
/* In the parent: answers, in a thread of its own, until the child and its children are gone. False, and errno: there is
 * no such thread; then the child must be killed, for its next call waits for an answer. */
bool guard_serve(guard *g);
/* The emulator is ready. What it opens from now on the program asked for. */
void guard_start(guard *g);
/* After the child has ended: returns how many requests were refused; `first` says which was the first. Frees. */
unsigned guard_end(guard *g, char *first, size_t room);

#endif
