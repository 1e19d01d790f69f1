/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/base/sources.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"

#define SIZE_LIMIT (64 << 20) /* bytes of a source file; a larger one is not shown */

typedef struct folder {
    int fd;
    char *path; /* absolute, without links */
} folder;

struct sources {
    folder all[2]; /* the folder that was named, if any; then the current one */
    unsigned count;
    bool named; /* all[0] is the folder that was named */
};

/* As the memory limit, a choice of the command line that holds for the whole process. */
static const char *named_folder;

bool sources_name(const char *path)
{
    int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    close(fd);
    named_folder = path;
    return true;
}

static bool folder_open(sources *s, const char *path)
{
    folder f = {open(path, O_PATH | O_DIRECTORY | O_CLOEXEC), realpath(path, NULL)};
    if (f.fd >= 0 && f.path) {
        s->all[s->count++] = f;
        return true;
    }
    if (f.fd >= 0)
        close(f.fd);
    free(f.path);
    return false;
}

sources *sources_open(void)
{
    sources *s = memory_zero(1, sizeof *s);
    s->named = named_folder && folder_open(s, named_folder);
    folder_open(s, "."); /* where there is none, nothing below it is found */
    return s;
}

void sources_close(sources *s)
{
    for (unsigned i = 0; i < s->count; i++) {
        close(s->all[i].fd);
        free(s->all[i].path);
    }
    free(s);
}

/* Opens for reading what `at` (opened with O_PATH) is, if that is a regular file; closes `at`. A device that is opened
 * may act on it, and a FIFO may wait: so that is asked first. */
static int open_regular(int at)
{
    struct stat about;
    char own[64];
    int fd = -1;
    snprintf(own, sizeof own, "/proc/self/fd/%d", at);
    if (fstat(at, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= SIZE_LIMIT)
        fd = open(own, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    close(at);
    return fd;
}

/* The part of an absolute path without links that is below the folder; NULL: it is elsewhere. */
static const char *below(const folder *f, const char *real)
{
    size_t size = strlen(f->path);
    if (size == 1)
        return real + 1;
    return !strncmp(real, f->path, size) && real[size] == '/' ? real + size + 1 : NULL;
}

/* A file below the folder; -1: none, or its path leads out. The kernel holds to the folder in each step, so no one can
 * swap a link in between; one that cannot (before Linux 5.6) is helped by asking for the real path first. */
static int open_below(const folder *f, const char *path)
{
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    long at = syscall(SYS_openat2, f->fd, path, &how, sizeof how);
    if (at >= 0)
        return open_regular((int)at);
    if (errno != ENOSYS && errno != EPERM)
        return -1;
    char *whole = NULL, *real = asprintf(&whole, "%s/%s", f->path, path) < 0 ? NULL : realpath(whole, NULL);
    at = real && below(f, real) ? open(real, O_PATH | O_NOFOLLOW | O_CLOEXEC) : -1;
    free(whole);
    free(real);
    return at >= 0 ? open_regular((int)at) : -1;
}

/* The file itself, where it stands below a folder. */
static int open_itself(const folder *f, const char *path)
{
    if (*path != '/')
        return open_below(f, path);
    char *real = realpath(path, NULL);
    const char *rest = real ? below(f, real) : NULL;
    int fd = rest ? open_below(f, rest) : -1;
    free(real);
    return fd;
}

/* The longest end of the path that names a file below the folder. */
static int open_end(const folder *f, const char *path)
{
    int fd = -1;
    for (const char *end = path; fd < 0 && end;) {
        while (*end == '/' || !strncmp(end, "./", 2) || !strncmp(end, "../", 3))
            end += strcspn(end, "/") + 1;
        fd = *end ? open_below(f, end) : -1;
        end = strchr(end, '/');
    }
    return fd;
}

static FILE *open_source(const sources *s, const char *path)
{
    int fd = -1;
    for (unsigned i = 0; i < s->count && fd < 0; i++) {
        fd = open_itself(&s->all[i], path);
        if (fd < 0 && s->named && i == 0)
            fd = open_end(&s->all[i], path);
    }
    return fd >= 0 ? fdopen(fd, "r") : NULL;
}

bool sources_line(sources *s, const char *path, uint32_t line, char *text, size_t room)
{
    FILE *in = *path && line ? open_source(s, path) : NULL;
    uint32_t at = 0;
    char *whole = NULL;
    size_t size = 0;
    while (in && at < line && getline(&whole, &size, in) > 0)
        at++;
    bool found = in && at == line;
    if (found) {
        const char *start = whole + strspn(whole, " \t");
        snprintf(text, room, "%.*s", (int)strcspn(start, "\n"), start);
        for (char *tab = text; (tab = strchr(tab, '\t'));)
            *tab = ' ';
    }
    free(whole);
    if (in)
        fclose(in);
    return found;
}
