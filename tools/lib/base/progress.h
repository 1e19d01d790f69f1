/* SPDX-License-Identifier: MIT */
/* The progress line of long work. It is shown on standard error, if that is a terminal, after the first second. */
#ifndef WEFT_TOOLS_LIB_BASE_PROGRESS_H
#define WEFT_TOOLS_LIB_BASE_PROGRESS_H

#include <stdint.h>

/* Names the command that works. */
void progress_command(const char *name);
/* Shows "weft COMMAND: N THINGS". Cheap enough to call per block of a few thousand things. */
void progress_show(uint64_t done, const char *things);
/* The same while results are printed, unless they go to a terminal. Cheap enough to call per result. */
void progress_printed(uint64_t done, const char *things);
/* Removes the line. */
void progress_end(void);

#endif
