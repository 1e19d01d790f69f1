/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/base/leftover.h"
#include "tools/lib/base/memory.h"

#define TRIES 100 /* names beside the file, where some are taken */
#define BUFFER_SIZE (1u << 16)

struct output {
    FILE *file;
    int fd;
    uint64_t size; /* bytes written */
    int error;     /* errno of the first write that failed, or 0 */
    char *shown;   /* the path as it was given */
    char *path;    /* the file that is replaced: absolute, no link; NULL where it is written directly */
    char *beside;  /* the name until then; NULL: it has none yet */
    leftover made; /* that name, while it is on the disk */
};

static char *join(const char *before, size_t before_size, const char *after)
{
    size_t size = strlen(after) + 1;
    char *text = memory_grow(NULL, before_size + size, 1);
    memcpy(text, before, before_size);
    memcpy(text + before_size, after, size);
    return text;
}

static size_t folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The absolute path without links in its folder; the file itself need not be there. NULL and errno. */
static char *resolve(const char *path)
{
    char *whole = realpath(path, NULL);
    if (whole || errno != ENOENT)
        return whole;
    char *folder = folder_size(path) ? join(path, folder_size(path), ".") : join("", 0, "."), *there;
    there = realpath(folder, NULL);
    free(folder);
    if (!there)
        return NULL;
    char *with_slash = join(there, strlen(there), there[1] ? "/" : "");
    free(there);
    whole = join(with_slash, strlen(with_slash), path + folder_size(path));
    free(with_slash);
    struct stat about;
    if (!path[folder_size(path)] || lstat(whole, &about) == 0) { /* a folder's name, or a link that leads to nothing */
        errno = path[folder_size(path)] ? ENOENT : EISDIR;
        free(whole);
        return NULL;
    }
    return whole;
}

/* A name beside the file that is not taken; `n` tells tries apart. */
static char *name_beside(const char *path, int n)
{
    char name[64];
    size_t folder = folder_size(path);
    snprintf(name, sizeof name, ".weft-%ld-%d.part", (long)getpid(), n);
    return join(path, folder, name);
}

/* The permissions that the file had, or those of a new one. */
static void set_mode(int fd, const char *path)
{
    struct stat about;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, stat(path, &about) == 0 ? about.st_mode & 07777 : 0666 & ~mask);
}

static int open_nameless(const char *path)
{
    char *folder = join(path, folder_size(path), ".");
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    free(folder);
    return fd;
}

static int open_beside(output *out)
{
    int fd = -1;
    for (int n = 0; n < TRIES && fd < 0; n++) {
        free(out->beside);
        out->beside = name_beside(out->path, n);
        fd = open(out->beside, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd >= 0) {
        leftover_add(&out->made, out->beside);
        return fd;
    }
    free(out->beside);
    out->beside = NULL;
    return fd;
}

bool output_is_standard(const char *path)
{
    return !strcmp(path, "-") || !strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/fd/1") ||
           !strcmp(path, "/proc/self/fd/1");
}

/* The stream has its own buffer, and closes its descriptor; the place in the file is shared. */
static int open_standard(void)
{
    fflush(stdout);
    return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
}

/* What is written directly: a path that exists and is not a file on a disk, and one that only names an open file. */
static bool is_direct(const char *path)
{
    struct stat about;
    if (output_is_standard(path) || !strncmp(path, "/dev/std", 8) || !strncmp(path, "/dev/fd/", 8) ||
        !strncmp(path, "/proc/", 6))
        return true;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

/* ---- the stream: it keeps the reason of the first failure, which stdio does not ---- */

static ssize_t stream_write(void *cookie, const char *bytes, size_t size)
{
    output *out = cookie;
    size_t done = 0;
    while (done < size) {
        ssize_t part = write(out->fd, bytes + done, size - done);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0) {
            out->error = out->error ? out->error : part ? errno : EIO;
            return 0;
        }
        done += (size_t)part;
        out->size += (size_t)part;
    }
    return (ssize_t)size;
}

static int stream_seek(void *cookie, off64_t *at, int whence)
{
    off64_t to = lseek64(((output *)cookie)->fd, *at, whence);
    if (to < 0)
        return -1;
    *at = to;
    return 0;
}

static int stream_close(void *cookie)
{
    output *out = cookie;
    if (close(out->fd) == 0)
        return 0;
    out->error = out->error ? out->error : errno;
    return -1;
}

static FILE *stream_open(output *out)
{
    cookie_io_functions_t calls = {NULL, stream_write, stream_seek, stream_close};
    FILE *file = fopencookie(out, "w", calls);
    if (file)
        setvbuf(file, NULL, _IOFBF, BUFFER_SIZE);
    return file;
}

/* Removes the file that was made, if it has not got its final name. */
static void release(output *out)
{
    leftover_remove(&out->made);
    free(out->shown);
    free(out->path);
    free(out->beside);
    free(out);
}

static output *fail(output *out, char *message, size_t message_size, const char *reason)
{
    snprintf(message, message_size, "cannot write '%s': %s", out->shown, reason);
    release(out);
    return NULL;
}

static bool open_file(output *out, bool named)
{
    out->path = resolve(out->shown);
    if (!out->path || (access(out->path, F_OK) == 0 && access(out->path, W_OK)))
        return false;
    out->fd = named ? -1 : open_nameless(out->path);
    if (out->fd < 0)
        out->fd = open_beside(out);
    if (out->fd >= 0)
        set_mode(out->fd, out->path);
    return out->fd >= 0;
}

static output *open_output(const char *path, bool named, char *message, size_t message_size)
{
    output *out = memory_zero(1, sizeof *out);
    bool direct = is_direct(path);
    out->shown = join("", 0, path);
    if (direct && named)
        return fail(out, message, message_size, "it is not a file on a disk");
    if (direct)
        out->fd = output_is_standard(path) ? open_standard() : open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (direct ? out->fd < 0 : !open_file(out, named))
        return fail(out, message, message_size, strerror(errno));
    out->file = stream_open(out);
    if (out->file)
        return out;
    close(out->fd);
    return fail(out, message, message_size, "out of memory");
}

output *output_open(const char *path, char *message, size_t message_size)
{
    return open_output(path, false, message, message_size);
}

output *output_open_named(const char *path, char *message, size_t message_size)
{
    return open_output(path, true, message, message_size);
}

FILE *output_stream(output *out)
{
    return out->file;
}

const char *output_path(const output *out)
{
    return out->beside;
}

uint64_t output_size(output *out)
{
    fflush(out->file);
    return out->size;
}

bool output_readable(const output *out, char path[64])
{
    struct stat about;
    fflush(out->file);
    snprintf(path, 64, "/proc/self/fd/%d", out->fd);
    return fstat(out->fd, &about) == 0 && S_ISREG(about.st_mode);
}

/* Gives a file without a name one beside its later one: a name that exists cannot be given directly. */
static bool give_name(output *out)
{
    char own[64];
    snprintf(own, sizeof own, "/proc/self/fd/%d", out->fd);
    for (int n = 0; n < TRIES; n++) {
        free(out->beside);
        out->beside = name_beside(out->path, n);
        if (linkat(AT_FDCWD, own, AT_FDCWD, out->beside, AT_SYMLINK_FOLLOW) == 0) {
            leftover_add(&out->made, out->beside);
            return true;
        }
        if (errno != EEXIST)
            break;
    }
    free(out->beside);
    out->beside = NULL;
    return false;
}

bool output_commit(output *out, char *message, size_t message_size)
{
    bool good = fflush(out->file) == 0 && !out->error;
    if (good && out->path && !out->beside && !give_name(out)) {
        out->error = errno;
        good = false;
    }
    good = fclose(out->file) == 0 && good;
    if (good && out->path && rename(out->beside, out->path)) {
        out->error = errno;
        good = false;
    }
    if (good)
        leftover_keep(&out->made);
    else
        snprintf(message, message_size, "cannot write '%s': %s", out->shown, strerror(out->error ? out->error : EIO));
    release(out);
    return good;
}

void output_discard(output *out)
{
    if (!out)
        return;
    fclose(out->file);
    release(out);
}
