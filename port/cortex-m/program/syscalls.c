/* SPDX-License-Identifier: MIT */
/* What newlib asks of the system: console and files by semihosting, heap from the end of .bss to the end of RAM. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/program/runtime.h"
#include "port/cortex-m/semihost.h"

enum { FILES_MAX = 12 };

/* Semihosting knows no current position, so it is kept here. 0, 1 and 2 are the console, opened at first use. */
typedef struct file {
    int handle; /* of the host plus one; 0: closed */
    uint32_t at;
} file;

static file files[FILES_MAX];
extern char weft_heap_start, weft_heap_end; /* from the linker script */

/* Only the C library calls these: with -flto the compiler does not see it. */
#define LIBRARY_CALLS __attribute__((used))
LIBRARY_CALLS int _write(int fd, const void *bytes, size_t size);
LIBRARY_CALLS int _read(int fd, void *bytes, size_t size);
LIBRARY_CALLS int _open(const char *name, int flags, ...);
LIBRARY_CALLS int _close(int fd);
LIBRARY_CALLS int _lseek(int fd, int offset, int whence);
LIBRARY_CALLS int _fstat(int fd, struct stat *st);
LIBRARY_CALLS int _stat(const char *name, struct stat *st);
LIBRARY_CALLS int _isatty(int fd);
LIBRARY_CALLS int _unlink(const char *name);
LIBRARY_CALLS int _link(const char *from, const char *to);
LIBRARY_CALLS int _rename(const char *from, const char *to);
LIBRARY_CALLS int _kill(int pid, int signal);
LIBRARY_CALLS int _getpid(void);
LIBRARY_CALLS void *_sbrk(ptrdiff_t increment);
LIBRARY_CALLS void _exit(int code);
LIBRARY_CALLS int _gettimeofday(struct timeval *tv, void *zone);
LIBRARY_CALLS clock_t _times(struct tms *tms);

static file *file_of(int fd)
{
    static const uint8_t console_modes[] = {0, 4, 8};
    if (fd < 0 || fd >= FILES_MAX) {
        errno = EBADF;
        return NULL;
    }
    if (fd < 3 && !files[fd].handle)
        files[fd].handle = weft_semihost_open(":tt", console_modes[fd]) + 1;
    if (!files[fd].handle) {
        errno = EBADF;
        return NULL;
    }
    return &files[fd];
}

int _write(int fd, const void *bytes, size_t size)
{
    file *f = file_of(fd);
    if (!f)
        return -1;
    size_t done = size - weft_semihost_write(f->handle - 1, bytes, size);
    f->at += done;
    if (done == 0 && size) {
        errno = EIO;
        return -1;
    }
    return (int)done;
}

int _read(int fd, void *bytes, size_t size)
{
    file *f = file_of(fd);
    if (!f)
        return -1;
    size_t done = size - weft_semihost_read(f->handle - 1, bytes, size);
    f->at += done;
    return (int)done;
}

static int semihost_mode(int flags)
{
    bool update = (flags & O_ACCMODE) == O_RDWR;
    if (flags & O_APPEND)
        return update ? WEFT_SEMIHOST_APPEND_UPDATE : WEFT_SEMIHOST_APPEND;
    if (flags & O_TRUNC || (flags & O_ACCMODE) == O_WRONLY)
        return update ? WEFT_SEMIHOST_WRITE_UPDATE : WEFT_SEMIHOST_WRITE;
    return update ? WEFT_SEMIHOST_UPDATE : WEFT_SEMIHOST_READ;
}

int _open(const char *name, int flags, ...)
{
    int fd = 3;
    while (fd < FILES_MAX && files[fd].handle)
        fd++;
    if (fd == FILES_MAX) {
        errno = EMFILE;
        return -1;
    }
    int handle = weft_semihost_open(name, semihost_mode(flags));
    if (handle < 0) {
        errno = ENOENT;
        return -1;
    }
    files[fd] = (file){handle + 1, flags & O_APPEND ? (uint32_t)weft_semihost_size(handle) : 0};
    return fd;
}

int _close(int fd)
{
    file *f = file_of(fd);
    if (!f)
        return -1;
    int handle = f->handle - 1;
    f->handle = 0;
    return weft_semihost_close(handle);
}

int _lseek(int fd, int offset, int whence)
{
    file *f = file_of(fd);
    if (!f)
        return -1;
    if (fd < 3) {
        errno = ESPIPE;
        return -1;
    }
    uint32_t base = whence == SEEK_CUR ? f->at : whence == SEEK_END ? (uint32_t)weft_semihost_size(f->handle - 1) : 0;
    if (weft_semihost_seek(f->handle - 1, base + (uint32_t)offset) < 0) {
        errno = EINVAL;
        return -1;
    }
    f->at = base + (uint32_t)offset;
    return (int)f->at;
}

int _fstat(int fd, struct stat *st)
{
    file *f = file_of(fd);
    if (!f)
        return -1;
    memset(st, 0, sizeof *st);
    st->st_mode = fd < 3 ? S_IFCHR : S_IFREG;
    if (fd >= 3)
        st->st_size = weft_semihost_size(f->handle - 1);
    return 0;
}

int _stat(const char *name, struct stat *st)
{
    int fd = _open(name, O_RDONLY);
    if (fd < 0)
        return -1;
    int status = _fstat(fd, st);
    _close(fd);
    return status;
}

int _isatty(int fd)
{
    return fd >= 0 && fd < 3;
}

int _unlink(const char *name)
{
    return weft_semihost_remove(name) ? -1 : 0;
}

int _link(const char *from, const char *to)
{
    (void)from, (void)to;
    errno = EMLINK;
    return -1;
}

int _rename(const char *from, const char *to)
{
    return weft_semihost_rename(from, to) ? -1 : 0;
}

/* abort() comes here through raise(). */
int _kill(int pid, int signal)
{
    (void)pid;
    _exit(128 + signal);
}

int _getpid(void)
{
    return 1;
}

void *_sbrk(ptrdiff_t increment)
{
    static char *heap = &weft_heap_start;
    char *old = heap;
    if (increment > &weft_heap_end - heap || increment < &weft_heap_start - heap) {
        errno = ENOMEM;
        return (void *)-1;
    }
    heap += increment;
    return old;
}

void _exit(int code)
{
    weft_target_exit(code);
}

int _gettimeofday(struct timeval *tv, void *zone)
{
    (void)zone;
    uint32_t hundredths = weft_semihost_centiseconds();
    tv->tv_sec = weft_semihost_time();
    tv->tv_usec = (suseconds_t)(hundredths % 100 * 10000);
    return 0;
}

clock_t _times(struct tms *tms)
{
    clock_t now = (clock_t)weft_semihost_centiseconds() * (CLOCKS_PER_SEC / 100);
    *tms = (struct tms){.tms_utime = now};
    return now;
}
