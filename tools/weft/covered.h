/* SPDX-License-Identifier: MIT */
/* Recordings as coverage (tools/lib/profile/coverage.h), for the subcommands that print or export it. */
#ifndef WEFT_TOOLS_WEFT_COVERED_H
#define WEFT_TOOLS_WEFT_COVERED_H

#include "tools/lib/export/loss.h"
#include "tools/lib/profile/coverage.h"
#include "tools/lib/recording/filter.h"
#include "tools/weft/executed.h"

typedef struct covered {
    executed_kind kind; /* all recordings are of paths, or none is */
    program *app;       /* of recordings of paths */
    image *im;          /* of the others */
    execution *run;
    coverage *all;
    event_choice choice;
    export_loss loss;
} covered;

/* Reads what is chosen of all recordings (ends with NULL). The exit status: EXIT_DONE, EXIT_GAPS (which are named on
 * standard error), or an error. covered_close in any case. */
int covered_read(covered *run, const char *name, const char *elf, char **paths, event_choice choice);
void covered_close(covered *run);

#endif
