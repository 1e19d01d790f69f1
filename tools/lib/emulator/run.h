/* SPDX-License-Identifier: MIT */
/* What a run of the emulator is given, and how it ended. */
#ifndef WEFT_TOOLS_LIB_EMULATOR_RUN_H
#define WEFT_TOOLS_LIB_EMULATOR_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emulator_memory;

typedef struct emulator_run {
    const char *elf;
    const char *machine;
    const char *argument;  /* the program's command line, for semihosting; NULL: none */
    bool trust;            /* the program may do on the host what we may: semihosting opens files and runs commands */
    const char *file;      /* without trust, the one file that the program may open, by this name; NULL: none */
    const char *file_path; /* and the file that is meant; it is there already */
    const char *input;     /* file that the program reads from its first UART; NULL: nothing comes */
    const char *uart;      /* file for the bytes of the first UART; NULL: they go to our standard error */
    const char *plugin;    /* arguments of weft_qemu.so, each `key=value`, with commas between; NULL: without it */
    bool plugin_writes;    /* at its end, which is to be waited for then; false: only where the program leaves */
    /* Virtual time: 2^icount ns per instruction; while the processor sleeps it jumps to what wakes it, so that a run
     * repeats exactly. Below 0: the host's time. */
    int icount;
    double timeout; /* seconds; 0: none */

    /* When the program reaches the address `stop`, or at the timeout, `stopped` is called and may read memory. Then the
     * program goes on to its end, or the emulator is ended, if it is `endless`. */
    bool has_stop;
    uint32_t stop;                                                  /* 0: only the timeout */
    bool (*stopped)(void *context, struct emulator_memory *memory); /* NULL: nothing is read */
    void *context;
    bool endless;
    /* Functions of an endless program. At the timeout `catch` is called, which ends the recording and comes to `stop`;
     * or to `busy`, since it can not be ended here: then the program goes on for a moment. `catch` takes masked
     * interrupts for a reason; where the program sleeps, `leave` is called instead. 0: there are none. */
    uint32_t catch, busy, leave;
} emulator_run;

typedef struct emulator_end {
    bool unready;     /* it ended before the program's first instruction, as its debugger interface shows */
    bool timed_out;   /* it was ended: at the timeout, or */
    bool interrupted; /* by a signal to us, */
    bool full;        /* or since the file of the trace cannot grow: program or emulator try for ever */
    bool finished;    /* and its recording was ended before that, by `catch` */
    bool asleep;      /* or could not be: it sleeps, and no interrupt wakes it */
    int status;       /* of the program, or of the emulator if it could not start (it printed why); below 0: it died of
                         that signal */
    unsigned refused; /* what the program asked of the host and did not get: requests, */
    char first_refused[200]; /* and the first of them */
} emulator_end;

#endif
