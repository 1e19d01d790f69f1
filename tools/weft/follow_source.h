/* SPDX-License-Identifier: MIT */
/* Where `weft capture --follow` reads: a serial device, a pseudo-terminal, a FIFO, a file that grows, or standard input
 * ("-"). Reading never blocks for longer than it is asked to. */
#ifndef WEFT_TOOLS_WEFT_FOLLOW_SOURCE_H
#define WEFT_TOOLS_WEFT_FOLLOW_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum follow_kind { FOLLOW_STREAM, FOLLOW_TERMINAL, FOLLOW_FIFO, FOLLOW_FILE } follow_kind;

typedef struct follow_source {
    const char *path;
    unsigned baud; /* of a terminal; 0: as it is set */
    bool whole;    /* a file grows no more, a pipe has one writer: its end is the stream's */
    int fd;        /* -1: not connected */
    follow_kind kind;
    bool again;  /* it may be opened again after its end */
    bool came;   /* bytes, since it was opened */
    uint64_t at; /* of a file: bytes read of it */
    dev_t device;
    ino_t inode;
} follow_source;

enum { FOLLOW_CUT = -1, FOLLOW_OVER = -2, FOLLOW_FAILED = -3 };

/* False, and a message: it cannot be opened now. */
bool follow_source_open(follow_source *s, char *message, size_t message_size);
/* Bytes that came within `timeout` ms; 0: none. FOLLOW_CUT: the connection ended (the device went, the writer closed,
 * the file began again), and the source is closed: it may be opened again. FOLLOW_OVER: the stream is over for
 * good. FOLLOW_FAILED: it cannot be read, and errno says why. */
ssize_t follow_source_read(follow_source *s, void *bytes, size_t size, int timeout);
void follow_source_close(follow_source *s);
/* Whether a serial line has such a speed. */
bool follow_source_has_baud(unsigned baud);

#endif
