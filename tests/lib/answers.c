/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tests/lib/answers.h"

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "tools/lib/emulator/visit.h"
#include "tools/weft/capturing.h"

static const char *input;
static int connection = -1;

int __wrap_connect(int fd, const struct sockaddr *address, socklen_t size);
ssize_t __wrap_send(int fd, const void *bytes, size_t size, int flags);
int __wrap_poll(struct pollfd *all, nfds_t count, int timeout);
ssize_t __wrap_read(int fd, void *bytes, size_t size);
bool __wrap_child_has_ended(pid_t child);
void __wrap_child_rest(void);
int __real_connect(int fd, const struct sockaddr *address, socklen_t size);
ssize_t __real_send(int fd, const void *bytes, size_t size, int flags);
int __real_poll(struct pollfd *all, nfds_t count, int timeout);
ssize_t __real_read(int fd, void *bytes, size_t size);

int __wrap_connect(int fd, const struct sockaddr *address, socklen_t size)
{
    if (!input)
        return __real_connect(fd, address, size);
    int file = open(input, O_RDONLY | O_CLOEXEC), result = file >= 0 && dup2(file, fd) == fd ? 0 : -1;
    if (file >= 0)
        close(file);
    connection = fd;
    return result;
}

ssize_t __wrap_send(int fd, const void *bytes, size_t size, int flags)
{
    return fd == connection ? (ssize_t)size : __real_send(fd, bytes, size, flags);
}

int __wrap_poll(struct pollfd *all, nfds_t count, int timeout)
{
    uint8_t next;
    if (count != 1 || all->fd != connection || connection < 0)
        return __real_poll(all, count, timeout);
    off_t at = lseek(connection, 0, SEEK_CUR);
    if (pread(connection, &next, 1, at) != 1 || next != ANSWERS_SILENCE)
        return 1;
    lseek(connection, at + 1, SEEK_SET);
    return 0;
}

/* Up to the next silence. */
ssize_t __wrap_read(int fd, void *bytes, size_t size)
{
    ssize_t got = __real_read(fd, bytes, size);
    if (fd != connection || got <= 0)
        return got;
    uint8_t *silence = memchr(bytes, ANSWERS_SILENCE, (size_t)got);
    if (!silence)
        return got;
    ssize_t used = silence - (uint8_t *)bytes;
    lseek(fd, used - got, SEEK_CUR);
    return used ? used : got; /* poll takes it */
}

bool __wrap_child_has_ended(pid_t child)
{
    (void)child;
    return true;
}

void __wrap_child_rest(void)
{
}

static void look(emulator_run *run)
{
    emulator_end end = {.status = 0};
    double until = 0;
    run->catch = 0x100;
    run->busy = 0x200;
    run->leave = 0x300;
    run->stop = run->stop ? run->stop : 0x400;
    (void)visit_from_start(run, "there is none", 0, NULL, &until, &end);
    connection = -1;
}

int command_answers(int argc, char **argv)
{
    char message[400];
    if (argc != 5)
        return EXIT_USAGE;
    capture c = {.name = "capture", .elf = argv[3], .sink = argv[2], .foreign = true};
    emulator_run run = {.stopped = capture_health, .context = &c, .has_stop = true};
    c.firmware = firmware_open(c.elf, message, sizeof message);
    c.trace = c.firmware ? output_open(argv[4], message, sizeof message) : NULL;
    int status = c.trace ? EXIT_DONE : command_fail(argv[0], EXIT_HOST, "%s", message);
    if (c.trace && strcmp(c.sink, "none"))
        status = capture_memory_prepare(&c, &run);
    input = argv[1];
    if (status == EXIT_DONE)
        look(&run);
    input = NULL;
    output_discard(c.trace);
    firmware_close(c.firmware);
    return status;
}
