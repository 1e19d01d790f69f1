/* SPDX-License-Identifier: MIT */
/* The progress line of long work: on standard error, if that is a terminal, after the first second. */
#ifndef WEFT_TOOLS_LIB_PROGRESS_H
#define WEFT_TOOLS_LIB_PROGRESS_H

#include <stdint.h>

/* "weft COMMAND: N THINGS"; cheap enough for every block of a few thousand. */
void progress_show(const char *command, uint64_t done, const char *things);
/* Takes the line away. */
void progress_end(void);

#endif
