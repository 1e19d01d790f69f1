/* SPDX-License-Identifier: MIT */
/* The progress line of long work: on standard error, if that is a terminal, after the first second. */
#ifndef WEFT_TOOLS_LIB_BASE_PROGRESS_H
#define WEFT_TOOLS_LIB_BASE_PROGRESS_H

#include <stdint.h>

/* The command that works. */
void progress_command(const char *name);
/* "weft COMMAND: N THINGS"; cheap enough for every block of a few thousand. */
void progress_show(uint64_t done, const char *things);
/* The same while results are printed: not if they go to a terminal. Cheap enough for each of them. */
void progress_printed(uint64_t done, const char *things);
/* Takes the line away. */
void progress_end(void);

#endif
