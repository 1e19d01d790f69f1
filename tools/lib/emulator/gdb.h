/* SPDX-License-Identifier: MIT */
/* As much of GDB's remote protocol as stopping at a function and reading memory takes, over a Unix socket. */
#ifndef WEFT_TOOLS_LIB_EMULATOR_GDB_H
#define WEFT_TOOLS_LIB_EMULATOR_GDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gdb gdb;

typedef enum gdb_event {
    GDB_STOPPED, /* at a breakpoint, or interrupted */
    GDB_ENDED,   /* the program ended, or the connection did */
    GDB_TIMEOUT,
} gdb_event;

/* NULL: there is no server at that path. */
gdb *gdb_connect(const char *path);
void gdb_close(gdb *g);
bool gdb_break(gdb *g, uint32_t address, bool set);
/* Lets the program run. */
bool gdb_continue(gdb *g);
/* Stops it; gdb_wait tells when it did. */
void gdb_interrupt(gdb *g);
/* What happened within `seconds` (below 0: as long as it takes). */
gdb_event gdb_wait(gdb *g, double seconds);
bool gdb_read(gdb *g, uint32_t address, void *bytes, size_t size);

#endif
