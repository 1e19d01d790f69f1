/* SPDX-License-Identifier: MIT */
/* The part of GDB's remote protocol that stops a program at a function and reads its memory, over a Unix socket. */
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

/* Not connected yet. */
gdb *gdb_new(void);
/* False: there is no server at that path, yet. */
bool gdb_connect(gdb *g, const char *path);
/* Frees. */
void gdb_close(gdb *g);
/* Waits until the server answers, which it does once the machine is made. False: the connection ended, a signal came,
 * or there was no answer within two minutes. */
bool gdb_ready(gdb *g);
bool gdb_break(gdb *g, uint32_t address, bool set);
/* Lets the program run. */
bool gdb_continue(gdb *g);
/* Lets the program run, and leaves it alone from then on. */
bool gdb_detach(gdb *g);
/* Asks it to stop; gdb_wait then waits until it did. */
void gdb_interrupt(gdb *g);
/* Waits for what happens, `seconds` at most; below 0: without limit. */
gdb_event gdb_wait(gdb *g, double seconds);
/* Before the first gdb_get: the emulator gives single registers only to those who asked what there is. */
bool gdb_ask_registers(gdb *g);
/* A core register by its number in the protocol: r0 to r15 are 0 to 15, xPSR is 25. */
bool gdb_get(gdb *g, unsigned number, uint32_t *value);
bool gdb_set(gdb *g, unsigned number, uint32_t value);
bool gdb_read(gdb *g, uint32_t address, void *bytes, size_t size);

#endif
