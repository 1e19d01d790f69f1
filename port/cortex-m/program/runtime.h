/* SPDX-License-Identifier: MIT */
/* How start-up, faults and exit fit together, and the two hooks that a traced program fills in. */
#ifndef WEFT_PORT_RUNTIME_H
#define WEFT_PORT_RUNTIME_H

#ifdef __cplusplus
extern "C" {
#endif

/* Called before the constructors and main, and once at exit or at a fault. Weak and empty in the port: a program that
 * starts the recorder itself leaves them alone, port/cortex-m/program/autostart.c defines them for `make firmware`. */
void weft_target_begin(void);
void weft_target_end(void);

/* Ends the trace and leaves the emulator; called by exit and by the fault handler. Calls of it never nest: a fault
 * while it runs leaves at once. */
void weft_target_exit(int code) __attribute__((noreturn));

/* Does nothing. Called last before the program leaves, when the trace is complete in memory: a debugger puts its
 * breakpoint here to read a RAM ring. */
void weft_target_done(void);

#ifdef __cplusplus
}
#endif

#endif
