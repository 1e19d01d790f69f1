/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/weft/capturing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool make_link(const char *to, const char *link, leftover *made)
{
    bool good = symlink(to, link) == 0;
    if (good)
        leftover_add(made, link);
    return good;
}

/* Creates an output, which must be a file on a disk, for it is read again. And a symbolic link to it. */
static int make_file(const capture *c, const char *path, output **out, char link[64], const char *name, leftover *made)
{
    char message[300];
    *out = output_open_named(path, message, sizeof message);
    if (!*out)
        return command_fail(c->name, EXIT_HOST, "%s", message);
    snprintf(link, 64, "%s/%s", c->folder, name);
    if (!make_link(output_path(*out), link, made))
        return command_fail(c->name, EXIT_HOST, "cannot make a file in /tmp: %s", strerror(errno));
    return EXIT_DONE;
}

/* Standard output takes the recording through a pipe, which a symbolic link names. */
static int make_stream(capture *c)
{
    char path[64];
    c->stream = capture_stream_open(path);
    snprintf(c->link, sizeof c->link, "%s/out", c->folder);
    if (!c->stream || !make_link(path, c->link, &c->made.link))
        return command_fail(c->name, EXIT_HOST, "cannot make a pipe: %s", strerror(errno));
    return EXIT_DONE;
}

static int make_trace(capture *c)
{
    if (c->out && c->full && output_is_standard(c->out))
        return make_stream(c);
    return c->out ? make_file(c, c->out, &c->trace, c->link, "out", &c->made.link) : EXIT_DONE;
}

int capture_outputs_open(capture *c)
{
    const char *seen = c->watch ? c->watch : c->count;
    strcpy(c->folder, "/tmp/weft-XXXXXX");
    if (!mkdtemp(c->folder))
        return command_fail(c->name, EXIT_HOST, "cannot make a folder in /tmp: %s", strerror(errno));
    leftover_add(&c->made.folder, c->folder);
    int status = make_trace(c);
    return status == EXIT_DONE && seen ? make_file(c, seen, &c->beside, c->seen, "seen", &c->made.seen) : status;
}

/* Removes the files that were not kept. */
void capture_outputs_close(capture *c)
{
    output_discard(c->trace);
    output_discard(c->beside);
    leftover_remove(&c->made.link);
    leftover_remove(&c->made.seen);
    leftover_remove(&c->made.folder);
}

/* The emulator does not say that it could not write. Of a recording that is not whole: whether its file can grow. */
int capture_outputs_can_grow(const capture *c, const char *path)
{
    static const uint8_t more[4096];
    struct stat before;
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &before) || !S_ISREG(before.st_mode)) {
        if (fd >= 0)
            close(fd);
        return EXIT_DONE; /* not a file on a disk: nothing is known */
    }
    errno = EFBIG; /* a short write says nothing */
    bool room = write(fd, more, sizeof more) == sizeof more;
    int error = errno;
    if (ftruncate(fd, before.st_size) || close(fd))
        room = false;
    return room ? EXIT_DONE
                : command_fail(c->name, EXIT_HOST, "'%s' cannot grow: %s; the end of the recording is missing", c->out,
                               strerror(error));
}

/* Whether so few bytes of a recording came out that it has not one frame. */
static bool is_stub(const char *path, off_t size)
{
    enum { LOOKED_AT = 4096 }; /* larger files have frames, or something for the user to look at */
    char message[300];
    container *file = size < LOOKED_AT ? container_open(path, message, sizeof message) : NULL;
    container_close(file);
    return size < LOOKED_AT && !file;
}

/* Gives an output its name, unless nothing came out: then the file that has the name stays. */
static int keep(const capture *c, output **out)
{
    char message[300];
    struct stat about;
    output *kept = *out;
    if (!kept)
        return EXIT_DONE;
    fflush(output_stream(kept));
    if (stat(output_path(kept), &about) == 0 &&
        (about.st_size == 0 || (kept == c->trace && is_stub(output_path(kept), about.st_size))))
        return EXIT_DONE;
    *out = NULL;
    return output_commit(kept, message, sizeof message) ? EXIT_DONE : command_fail(c->name, EXIT_HOST, "%s", message);
}

/* After a run: EXIT_HOST if an output could not be given its name. */
int capture_outputs_keep(capture *c)
{
    int trace = keep(c, &c->trace), beside = keep(c, &c->beside);
    return trace != EXIT_DONE ? trace : beside;
}
