/* SPDX-License-Identifier: MIT */
/* What a rerun has done, and what it does not know. */
#ifndef WEFT_TOOLS_LIB_RERUN_SUMMARY_H
#define WEFT_TOOLS_LIB_RERUN_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rerun_summary {
    uint64_t instructions, accesses, exceptions;
    uint64_t interrupts;   /* of the exceptions: those that came where the recording says */
    bool early;            /* interrupts were enabled before the recording began */
    uint64_t uncertain;    /* of the interrupts: they might have come at another moment, too */
    uint64_t paths;        /* records of paths that were compared, and equal */
    uint64_t counts;       /* of laps, at weft_stop and weft_check, that were compared, and equal */
    uint64_t inputs;       /* answers of devices that the recording has */
    uint64_t memory;       /* bytes that something else wrote, which the recording has (weft_input_memory) */
    uint64_t sums;         /* check sums of memory that were compared, and equal (weft_check_memory) */
    uint64_t unknown_sums; /* likewise: of memory that is not known in all */
    uint64_t unanswered;   /* of devices and semihosting requests: those that it does not have */
    uint64_t granted;      /* semihosting requests that were taken to succeed */
    uint64_t unknown;      /* values of registers and memory that are not known */
    const char *stopped;   /* NULL: the recording ended; else a sentence */
} rerun_summary;

#endif
