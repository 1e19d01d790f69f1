/* SPDX-License-Identifier: MIT */
/* Files installed with the running program, found relative to its executable: PREFIX/bin/weft has PREFIX/lib/weft and
 * PREFIX/share/weft. In a build folder, files lie beside it. */
#ifndef WEFT_TOOLS_LIB_BASE_INSTALLED_H
#define WEFT_TOOLS_LIB_BASE_INSTALLED_H

#include <stdbool.h>
#include <stddef.h>

/* The running program's file, with no link in its path. Where there is no /proc, as in a chroot without mounts: as it
 * was started. False: it cannot be told, errno says why, or the path is too long. */
bool installed_self(char *path, size_t size);
/* A plugin: beside the executable, in a folder above that (tests run from below), or in PREFIX/lib/weft. False: it is
 * in none of them. */
bool installed_plugin(const char *name, char *path, size_t size);
/* PREFIX/share/weft. False: the program is not installed. */
bool installed_share(char *path, size_t size);

#endif
