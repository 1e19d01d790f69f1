/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/leftover.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static leftover *first; /* of the process: the one that was added last */

static void remove_all(void)
{
    for (; first; first = first->next)
        if (first->process == getpid() && unlink(first->path))
            rmdir(first->path);
}

/* A library ends the process so where it has no memory. It ends after that. */
static void on_abort(int number)
{
    (void)number;
    remove_all();
}

void leftover_add(leftover *l, const char *path)
{
    static bool registered;
    if (!registered)
        registered = atexit(remove_all) == 0 && signal(SIGABRT, on_abort) != SIG_ERR;
    *l = (leftover){path, first, getpid()};
    first = l;
}

void leftover_keep(leftover *l)
{
    leftover **link = &first;
    while (*link && *link != l)
        link = &(*link)->next;
    if (*link)
        *link = l->next;
    l->path = NULL;
}

void leftover_remove(leftover *l)
{
    if (l->path)
        remove(l->path);
    leftover_keep(l);
}
