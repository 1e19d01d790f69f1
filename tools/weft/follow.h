/* SPDX-License-Identifier: MIT */
/* `weft capture --follow`: a recording decoded while it arrives. */
#ifndef WEFT_TOOLS_WEFT_FOLLOW_H
#define WEFT_TOOLS_WEFT_FOLLOW_H

#include <stdbool.h>

typedef struct follow_request {
    const char *name; /* of the subcommand */
    const char *source, *out;
    const char *elf;   /* NULL: none */
    unsigned baud;     /* 0: as the line is set */
    long long timeout; /* seconds; 0: none */
    bool until_end, json;
    bool swo;              /* what comes is what a probe takes from the SWO pin (recording/swo.h) */
    bool whole;            /* the source is a file that grows no more */
    unsigned port, stream; /* with swo */
} follow_request;

/* The exit status. */
int follow_run(const follow_request *request);

#endif
