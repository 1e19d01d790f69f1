/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"

static bool map_file(whole_file *file, const char *path)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return false;
    struct stat status;
    void *map = MAP_FAILED;
    if (fstat(fd, &status) == 0)
        map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (map == MAP_FAILED)
        return false;
    *file = (whole_file){map, (size_t)status.st_size, true};
    return true;
}

bool whole_file_open(whole_file *file, const char *path)
{
    struct stat status;
    if (strcmp(path, "-") && stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        return map_file(file, path);
    file->mapped = false;
    file->bytes = memory_read(path, &file->size);
    return file->bytes != NULL;
}

void whole_file_close(whole_file *file)
{
    if (file->mapped)
        munmap((void *)(uintptr_t)file->bytes, file->size);
    else
        free((void *)(uintptr_t)file->bytes);
    *file = (whole_file){0};
}

bool whole_file_is_of_host(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO;
}

void whole_file_host_failed(const char *path)
{
    enum { HOST_FAILED = 4 };
    if (!whole_file_is_of_host(errno))
        return;
    fprintf(stderr, "weft: cannot read '%s': %s\n", path, strerror(errno));
    exit(HOST_FAILED);
}
