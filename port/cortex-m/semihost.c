/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/semihost.h"
#include "core/own.h"

#include <string.h>

enum {
    SYS_OPEN = 0x01,
    SYS_CLOSE = 0x02,
    SYS_WRITE0 = 0x04,
    SYS_WRITE = 0x05,
    SYS_READ = 0x06,
    SYS_SEEK = 0x0a,
    SYS_FLEN = 0x0c,
    SYS_REMOVE = 0x0e,
    SYS_RENAME = 0x0f,
    SYS_CLOCK = 0x10,
    SYS_TIME = 0x11,
    SYS_GET_CMDLINE = 0x15,
    SYS_EXIT = 0x18,
    SYS_EXIT_EXTENDED = 0x20,
    ADP_STOPPED_APPLICATION_EXIT = 0x20026,
};

static int call(int operation, const void *argument)
{
    register int r0 __asm("r0") = operation;
    register const void *r1 __asm("r1") = argument;
    __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory", "cc");
    return r0;
}

int weft_semihost_open(const char *name, int mode)
{
    uint32_t block[] = {(uintptr_t)name, (uint32_t)mode, strlen(name)};
    return call(SYS_OPEN, block);
}

int weft_semihost_close(int handle)
{
    uint32_t block[] = {(uint32_t)handle};
    return call(SYS_CLOSE, block);
}

size_t weft_semihost_write(int handle, const void *bytes, size_t size)
{
    uint32_t block[] = {(uint32_t)handle, (uintptr_t)bytes, size};
    return (size_t)call(SYS_WRITE, block);
}

size_t weft_semihost_read(int handle, void *bytes, size_t size)
{
    uint32_t block[] = {(uint32_t)handle, (uintptr_t)bytes, size};
    return (size_t)call(SYS_READ, block);
}

int weft_semihost_seek(int handle, uint32_t offset)
{
    uint32_t block[] = {(uint32_t)handle, offset};
    return call(SYS_SEEK, block);
}

int32_t weft_semihost_size(int handle)
{
    uint32_t block[] = {(uint32_t)handle};
    return call(SYS_FLEN, block);
}

int weft_semihost_remove(const char *name)
{
    uint32_t block[] = {(uintptr_t)name, strlen(name)};
    return call(SYS_REMOVE, block);
}

int weft_semihost_rename(const char *from, const char *to)
{
    uint32_t block[] = {(uintptr_t)from, strlen(from), (uintptr_t)to, strlen(to)};
    return call(SYS_RENAME, block);
}

void weft_semihost_print(const char *text)
{
    call(SYS_WRITE0, text);
}

void weft_semihost_print_hex(uint32_t value)
{
    char text[11] = "0x";
    for (int digit = 0; digit < 8; digit++)
        text[2 + digit] = "0123456789abcdef"[value >> (28 - 4 * digit) & 15];
    text[10] = 0;
    weft_semihost_print(text);
}

int weft_semihost_command_line(char *text, size_t size)
{
    uint32_t block[] = {(uintptr_t)text, size};
    text[0] = 0;
    return call(SYS_GET_CMDLINE, block);
}

uint32_t weft_semihost_centiseconds(void)
{
    return (uint32_t)call(SYS_CLOCK, NULL);
}

uint32_t weft_semihost_time(void)
{
    return (uint32_t)call(SYS_TIME, NULL);
}

void weft_semihost_exit(int code)
{
    uint32_t block[] = {ADP_STOPPED_APPLICATION_EXIT, (uint32_t)code};
    call(SYS_EXIT_EXTENDED, block);
    /* Without the extended call, a debugger sees success or failure only. */
    call(SYS_EXIT, (const void *)(uintptr_t)(code ? 0 : ADP_STOPPED_APPLICATION_EXIT));
    for (;;)
        ;
}
