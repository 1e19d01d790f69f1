/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/installed.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, FOLDERS = 4 };

bool installed_self(char *path, size_t size)
{
    char real[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", real, sizeof real - 1);
    if (length >= 0) {
        real[length] = 0;
    } else {
        const char *started = (const char *)getauxval(AT_EXECFN);
        if (!started || !realpath(started, real))
            return false;
    }
    errno = ENAMETOOLONG;
    return (size_t)snprintf(path, size, "%s", real) < size;
}

/* The folder of the executable, or one `up` steps above it. */
static bool own_folder(char path[PATH_SIZE], unsigned up)
{
    if (!installed_self(path, PATH_SIZE))
        return false;
    for (unsigned i = 0; i <= up; i++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    return true;
}

static bool join(char *path, size_t size, const char *folder, const char *within, const char *name)
{
    int length = snprintf(path, size, "%s%s%s", folder, within, name);
    return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

bool installed_plugin(const char *name, char *path, size_t size)
{
    char folder[PATH_SIZE];
    if (own_folder(folder, 1) && join(path, size, folder, "/lib/weft/", name))
        return true;
    for (unsigned up = 0; up < FOLDERS; up++)
        if (own_folder(folder, up) && join(path, size, folder, "/", name))
            return true;
    return false;
}

bool installed_share(char *path, size_t size)
{
    char folder[PATH_SIZE];
    return own_folder(folder, 1) && join(path, size, folder, "/share/weft", "");
}
