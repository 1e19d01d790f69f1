/* SPDX-License-Identifier: MIT */
/* Lines of source files that debug information names. A name in a file is hostile: only regular files below one of
 * these folders are opened: the current folder, and those that the user names. A symbolic link that leads out of its
 * folder is refused, and nothing that is not a regular file (a device, a FIFO) is ever opened. */
#ifndef WEFT_TOOLS_LIB_BASE_SOURCES_H
#define WEFT_TOOLS_LIB_BASE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sources sources;

/* From now on the folder `path` is searched before the current one: `--source-dir DIR` of every command. A path that is
 * not found below it as it stands is looked for by its last parts: DIR/a/b/c.c, DIR/b/c.c, DIR/c.c. The text outlives
 * all sources. False, and errno: there is no such folder. */
bool sources_name(const char *path);

sources *sources_open(void);
void sources_close(sources *all);

/* The text of a line (1, 2, ...) without indentation and newline, cut to `room` bytes; tabs are spaces. False: it is
 * not to be had. */
bool sources_line(sources *all, const char *path, uint32_t line, char *text, size_t room);

#endif
