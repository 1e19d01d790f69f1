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

/* Opens a file of the host, by a name that ends with a zero byte and a mode from above. Returns its handle; -1: the
 * host cannot open it. */
int weft_semihost_open(const char *name, int mode);
/* Closes the handle. Returns 0; -1: the host cannot. */
int weft_semihost_close(int handle);
/* Writes `size` bytes at the file's position, which moves on. Returns how many were NOT written; 0: all were. */
size_t weft_semihost_write(int handle, const void *bytes, size_t size);
/* Reads up to `size` bytes from the file's position, which moves on. Returns how many were NOT read; 0: all were;
 * `size`: the file ends there. */
size_t weft_semihost_read(int handle, void *bytes, size_t size);
/* Sets the file's position: `offset` bytes from its start. Returns 0; negative: the host cannot. */
int weft_semihost_seek(int handle, uint32_t offset);
/* The file's size in bytes; -1: not known. */
int32_t weft_semihost_size(int handle);
/* Deletes the file of that name. Returns 0, or another number, the host's: it cannot. */
int weft_semihost_remove(const char *name);
/* Gives the file `from` the name `to`. Returns 0, or another number, the host's: it cannot. */
int weft_semihost_rename(const char *from, const char *to);
/* Prints text that ends with a zero byte on the console, at once. It needs no handle and reports no error. */
void weft_semihost_print(const char *text);
/* The same for a number, as 0x and eight digits. */
void weft_semihost_print_hex(uint32_t value);
/* Copies the program's command line to `text`, with a zero byte at the end: `size` bytes at most, 1 or more. Returns 0;
 * -1: it does not fit, or there is none. */
int weft_semihost_command_line(char *text, size_t size);
/* Hundredths of a second since the program started; UINT32_MAX: the host does not know. */
uint32_t weft_semihost_centiseconds(void);
/* Seconds since the start of 1970, by the host's clock. */
uint32_t weft_semihost_time(void);
/* Ends the program with an exit status: the emulator leaves. A host that knows no statuses sees 0, or a failure. */
void weft_semihost_exit(int code) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
