/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/weft/follow_source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"

static const struct speed {
    unsigned baud;
    speed_t code;
} speeds[] = {{1200, B1200},       {2400, B2400},       {4800, B4800},       {9600, B9600},       {19200, B19200},
              {38400, B38400},     {57600, B57600},     {115200, B115200},   {230400, B230400},   {460800, B460800},
              {500000, B500000},   {576000, B576000},   {921600, B921600},   {1000000, B1000000}, {1152000, B1152000},
              {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000}, {3000000, B3000000}, {4000000, B4000000}};

static const struct speed *speed_of(unsigned baud)
{
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (speeds[i].baud == baud)
            return &speeds[i];
    return NULL;
}

bool follow_source_has_baud(unsigned baud)
{
    return speed_of(baud);
}

/* Bytes as they are, eight bits, no handshake. */
static bool set_up(const follow_source *s)
{
    struct termios t;
    if (tcgetattr(s->fd, &t))
        return false;
    cfmakeraw(&t);
    t.c_cflag |= CLOCAL | CREAD;
    t.c_cflag &= ~(tcflag_t)(CRTSCTS | CSTOPB);
    t.c_cc[VMIN] = 1;
    t.c_cc[VTIME] = 0;
    if (s->baud && cfsetspeed(&t, speed_of(s->baud)->code))
        return false;
    return tcsetattr(s->fd, TCSANOW, &t) == 0;
}

static bool fail(follow_source *s, char *message, size_t message_size)
{
    snprintf(message, message_size, "cannot read '%s': %s", s->path, strerror(errno));
    follow_source_close(s);
    return false;
}

/* A pipe that is read once waits for its writer here, as for any reader: its next end is then the stream's. */
static int open_path(const follow_source *s)
{
    struct stat about;
    bool waits = s->whole && stat(s->path, &about) == 0 && S_ISFIFO(about.st_mode);
    return open(s->path, O_RDONLY | O_NOCTTY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK));
}

bool follow_source_open(follow_source *s, char *message, size_t message_size)
{
    struct stat about;
    bool input = strcmp(s->path, "-") == 0;
    s->fd = input ? dup(STDIN_FILENO) : open_path(s);
    if (s->fd < 0 || fstat(s->fd, &about))
        return fail(s, message, message_size);
    bool endless = s->whole && memory_is_endless(s->fd);
    if (S_ISDIR(about.st_mode) || endless) {
        errno = endless ? ENOTSUP : EISDIR;
        return fail(s, message, message_size);
    }
    bool again = !s->whole && !input;
    s->kind = isatty(s->fd)                      ? FOLLOW_TERMINAL
              : S_ISREG(about.st_mode) && again  ? FOLLOW_FILE
              : S_ISFIFO(about.st_mode) && again ? FOLLOW_FIFO
                                                 : FOLLOW_STREAM;
    s->again = again;
    s->came = false;
    s->at = 0;
    s->device = about.st_dev;
    s->inode = about.st_ino;
    return s->kind != FOLLOW_TERMINAL || set_up(s) || fail(s, message, message_size);
}

void follow_source_close(follow_source *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

/* A file that was cut short, or replaced by another. */
static bool began_anew(const follow_source *s)
{
    struct stat here, there;
    if (fstat(s->fd, &here) || (uint64_t)here.st_size < s->at)
        return true;
    return stat(s->path, &there) == 0 && (there.st_dev != s->device || there.st_ino != s->inode);
}

static ssize_t cut(follow_source *s)
{
    follow_source_close(s);
    return FOLLOW_CUT;
}

/* Nothing can be read now. */
static ssize_t nothing(follow_source *s, int timeout)
{
    enum { LOOK_AGAIN = 50 }; /* ms: nothing announces that a file grows */
    if (s->kind == FOLLOW_FILE && began_anew(s))
        return cut(s);
    poll(NULL, 0, timeout < LOOK_AGAIN ? timeout : LOOK_AGAIN);
    return 0;
}

/* A device that went, or a pipe's last writer, may come back under its name. */
static ssize_t ended(follow_source *s)
{
    return s->again && s->kind != FOLLOW_STREAM ? cut(s) : FOLLOW_OVER;
}

/* Terminals report a hang-up as an error. Of others it is one, and trying again would not mend it. */
static ssize_t failed(follow_source *s)
{
    if (errno == EAGAIN || errno == EINTR)
        return 0;
    return s->kind == FOLLOW_TERMINAL ? ended(s) : errno == ESTALE && s->kind == FOLLOW_FILE ? cut(s) : FOLLOW_FAILED;
}

ssize_t follow_source_read(follow_source *s, void *bytes, size_t size, int timeout)
{
    struct pollfd ready = {.fd = s->fd, .events = POLLIN};
    if (s->kind != FOLLOW_FILE && poll(&ready, 1, timeout) <= 0)
        return 0;
    ssize_t got = read(s->fd, bytes, size);
    if (got < 0)
        return failed(s);
    if (got == 0 && (s->kind == FOLLOW_FILE || (s->kind == FOLLOW_FIFO && !s->came)))
        return nothing(s, timeout);
    if (got == 0)
        return ended(s);
    s->came = true;
    s->at += (uint64_t)got;
    return got;
}
