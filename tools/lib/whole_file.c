/* SPDX-License-Identifier: MIT */
#include "tools/lib/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_pipe(whole_file *file, int fd)
{
    size_t max = 0, size = 0;
    uint8_t *bytes = NULL;
    ssize_t got;
    do {
        if (max - size < 65536) {
            uint8_t *more = realloc(bytes, max = max * 2 + 65536);
            if (!more) {
                free(bytes);
                errno = ENOMEM;
                return false;
            }
            bytes = more;
        }
        got = read(fd, bytes + size, max - size);
        size += got > 0 ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    if (got < 0) {
        free(bytes);
        return false;
    }
    *file = (whole_file){bytes, size, false};
    return true;
}

static bool read_all(whole_file *file, int fd)
{
    struct stat status;
    if (fstat(fd, &status))
        return false;
    if (!S_ISREG(status.st_mode) || status.st_size == 0 || lseek(fd, 0, SEEK_CUR) != 0)
        return read_pipe(file, fd);
    void *map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED)
        return false;
    *file = (whole_file){map, (size_t)status.st_size, true};
    return true;
}

bool whole_file_open(whole_file *file, const char *path)
{
    if (!strcmp(path, "-"))
        return read_all(file, STDIN_FILENO);
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return false;
    bool good = read_all(file, fd);
    int error = errno;
    close(fd);
    errno = error;
    return good;
}

void whole_file_close(whole_file *file)
{
    if (file->mapped)
        munmap((void *)(uintptr_t)file->bytes, file->size);
    else
        free((void *)(uintptr_t)file->bytes);
    *file = (whole_file){0};
}
