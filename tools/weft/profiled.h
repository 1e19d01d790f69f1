/* SPDX-License-Identifier: MIT */
/* A recording as tables of functions (tools/lib/profile/functions.h), for the subcommands that print or export them.
 *
 *     profiled run;
 *     int status = profiled_open(&run, name, elf, path, choice);
 *     if (status == EXIT_DONE) status = profiled_read(&run);             run.all is filled
 *     if (status == EXIT_DONE) { ...; status = profiled_warn(&run); }
 *     profiled_close(&run);                                              in any case */
#ifndef WEFT_TOOLS_WEFT_PROFILED_H
#define WEFT_TOOLS_WEFT_PROFILED_H

#include "tools/lib/export/loss.h"
#include "tools/lib/fleet/merged.h"
#include "tools/lib/image/program.h"
#include "tools/lib/profile/execution.h"
#include "tools/lib/profile/functions.h"
#include "tools/lib/profile/functions_probes.h"
#include "tools/lib/recording/container.h"
#include "tools/weft/clocked.h"
#include "tools/weft/executed.h"

typedef struct profiled_choice {
    const char *context;  /* only this one, by name or number; NULL: all */
    const char *function; /* only what this one does itself; NULL: all */
    bool with_probes;     /* as in functions_choice */
    clocked_unit unit;
} profiled_choice;

typedef struct profiled {
    const char *name, *path; /* of the subcommand and of the recording */
    executed_kind kind;
    program *app; /* of a recording with probes */
    container *file;
    merged *merged; /* instead of the file: a merged profile; `number` is the image's */
    uint32_t number;
    image *im; /* of the others */
    execution *run;
    functions *all;
    functions_choice choice;
    functions_seen seen;
    export_loss loss;
} profiled;

/* Opens both; the tables have the functions and no costs yet, so that a listener can be set. The exit status. */
int profiled_open(profiled *run, const char *name, const char *elf, const char *path, profiled_choice choice);
int profiled_read(profiled *run);
/* The same; `watch` gets the events of a recording with probes. */
int profiled_read_watched(profiled *run, const functions_watch *watch);
/* Costs are nanoseconds. */
bool profiled_clocked(const profiled *run);
/* The image; NULL if it could not be opened. */
const image *profiled_image(const profiled *run);
/* How many of the instructions are estimated. */
uint64_t profiled_estimated(const profiled *run);
/* Says on standard error what is missing and what is not exact. EXIT_DONE or EXIT_GAPS. */
int profiled_warn(const profiled *run);
/* For an answer about accesses, besides: says what is not known of them (announced.h), before --json is ended. Whether
 * there is anything: EXIT_GAPS. Accesses of paths that the recording's end cut off do not count: with threads it ends
 * so. The answer itself has their number. */
bool profiled_lacks_accesses(const profiled *run);
void profiled_close(profiled *run);

/* The numbers of all functions, the costliest (self, then inclusive, then name) first; from malloc. */
uint32_t *profiled_order(const functions *all);

/* The tree of calls in depth-first order, in each node the costliest child first. depth: of the node that was given
 * last; contexts have 1. */
typedef struct profiled_walk {
    const functions *all;
    uint32_t *waiting; /* nodes to come */
    uint32_t *level;   /* their depths */
    size_t count, max, level_max;
    unsigned depth;
} profiled_walk;
profiled_walk profiled_walk_begin(const functions *all);
/* 0: the end. */
uint32_t profiled_walk_next(profiled_walk *walk);
void profiled_walk_end(profiled_walk *walk);

#endif
