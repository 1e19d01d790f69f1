/* SPDX-License-Identifier: MIT */
/* Semihosting: the debugger or emulator does the I/O (Arm's "Semihosting for AArch32 and AArch64", release 2.0).
 * Without a debugger the BKPT is a fault. Every call stops the program while the host works. */
#ifndef WEFT_PORT_SEMIHOST_H
#define WEFT_PORT_SEMIHOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* fopen modes by number: "r" 0, "r+" 2, "w" 4, "w+" 6, "a" 8, "a+" 10; one more is binary. The name ":tt" is the
 * console: mode 0 its input, 4 its output, 8 its error output. */
enum {
    WEFT_SEMIHOST_READ = 1,
    WEFT_SEMIHOST_UPDATE = 3,
    WEFT_SEMIHOST_WRITE = 5,
    WEFT_SEMIHOST_WRITE_UPDATE = 7,
    WEFT_SEMIHOST_APPEND = 9,
    WEFT_SEMIHOST_APPEND_UPDATE = 11,
};

/* A handle, or -1. */
int weft_semihost_open(const char *name, int mode);
int weft_semihost_close(int handle);
/* Bytes that were NOT moved: 0 is all. */
size_t weft_semihost_write(int handle, const void *bytes, size_t size);
size_t weft_semihost_read(int handle, void *bytes, size_t size);
/* 0 or negative. */
int weft_semihost_seek(int handle, uint32_t offset);
/* Size of the file, or -1. */
int32_t weft_semihost_size(int handle);
int weft_semihost_remove(const char *name);
int weft_semihost_rename(const char *from, const char *to);
/* To the console, at once, without a handle. */
void weft_semihost_print(const char *text);
void weft_semihost_print_hex(uint32_t value);
/* The command line, zero-terminated, or -1. */
int weft_semihost_command_line(char *text, size_t size);
/* Hundredths of a second since the start; seconds since 1970. */
uint32_t weft_semihost_centiseconds(void);
uint32_t weft_semihost_time(void);
/* Leaves the emulator. */
void weft_semihost_exit(int code) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
