/* SPDX-License-Identifier: MIT */
/* The reading of weft report: what functions, paths, accesses and blocks of a run mean to its page. */
#ifndef WEFT_TOOLS_WEFT_REPORT_READING_H
#define WEFT_TOOLS_WEFT_REPORT_READING_H

#include "tools/lib/profile/timeline.h"
#include "tools/lib/report/room.h"
#include "tools/weft/profiled.h"

typedef struct report_watcher {
    report_run *run;
    execution *execution; /* of what is not a recording with probes */
    uint64_t total, more; /* of the tables, before the event */
    bool devices;         /* a device register was accessed */
    const program *app;   /* of a recording with probes */
    path_costs *costs;    /* of a recording whose clock is used */
    timeline *time;       /* likewise; else NULL */
} report_watcher;

/* Reads the run that was opened into w->run; w->time and w->costs are the caller's to close. The exit status. */
int report_read(profiled *run, report_watcher *w);

#endif
