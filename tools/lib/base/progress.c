/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/lib/base/clock.h"

static const char *command = "";
static double begun, shown; /* seconds; 0: not yet */

void progress_command(const char *name)
{
    command = name;
}

void progress_show(uint64_t done, const char *things)
{
    static int terminal = -1;
    if (terminal < 0)
        terminal = isatty(STDERR_FILENO);
    if (!terminal)
        return;
    double time = clock_seconds() + 1; /* never 0 */
    if (begun == 0)
        begun = time;
    if (time - begun < 1 || time - shown < 0.25)
        return;
    shown = time;
    fprintf(stderr, "\rweft %s: %llu %s", command, (unsigned long long)done, things);
}

void progress_printed(uint64_t done, const char *things)
{
    static int terminal = -1;
    if (done % 4096)
        return;
    if (terminal < 0)
        terminal = isatty(STDOUT_FILENO);
    if (!terminal)
        progress_show(done, things);
}

void progress_end(void)
{
    if (shown != 0)
        fputs("\r\033[K", stderr);
    begun = shown = 0;
}
