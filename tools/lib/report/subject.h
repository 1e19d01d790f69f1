/* SPDX-License-Identifier: MIT */
/* What a page is about: a run that was read and reduced. All of it is the caller's. */
#ifndef WEFT_TOOLS_LIB_REPORT_SUBJECT_H
#define WEFT_TOOLS_LIB_REPORT_SUBJECT_H

#include "tools/lib/base/sources.h"
#include "tools/lib/image/program.h"
#include "tools/lib/inspect/room.h"
#include "tools/lib/profile/functions.h"
#include "tools/lib/recording/filter.h"
#include "tools/lib/report/run.h"
#include "tools/lib/report/why.h"

/* The recording's clock. */
typedef struct report_clock {
    const char *text;       /* which it is, and how exact */
    const functions *timed; /* as `all`, costs in nanoseconds */
    uint64_t total;         /* nanoseconds of the run */
} report_clock;

typedef struct report_data {
    const char *program, *recording; /* names of the files */
    const functions *all;
    const uint32_t *order; /* of the functions: those that ran, the costliest first, `shown` of them */
    size_t shown;
    report_run *run;
    const image *im;
    program *app;              /* of a recording with probes; else NULL: then paths and sites are addresses of code */
    const container *file;     /* likewise */
    const report_clock *clock; /* NULL: there is none */
    const irqs *irqs;          /* NULL: not known; with a clock, times are nanoseconds */
    const stacks *stacks;      /* NULL: not known */
    const devices *devices;    /* NULL: no device register was accessed */
    const whys *whys;          /* NULL: none were asked for */
    event_choice only;         /* what the functions and pictures are of; NULL: of all */
    uint64_t lost;             /* paths, as far as they are counted */
    const char *at_least;      /* container_at_least */
    uint64_t gaps, unknown;
    bool mixed;       /* some functions do not announce their accesses, or values (announced.h) */
    bool cut;         /* the end of a full recording is missing */
    sources *sources; /* NULL: no lines of source */
} report_data;

#endif
