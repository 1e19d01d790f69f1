/* SPDX-License-Identifier: MIT */
/* What a run lacks, as the files that are made of it say it. */
#ifndef WEFT_TOOLS_LIB_EXPORT_LOSS_H
#define WEFT_TOOLS_LIB_EXPORT_LOSS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct export_loss {
    uint64_t paths, gaps; /* paths that are missing, as far as they are counted; places where something is */
    bool at_least;        /* more paths may be missing */
    bool cut;             /* the end of a recording is missing; its size is not known */
} export_loss;

#define EXPORT_END_LOST "the end of the recording is lost"
enum { EXPORT_LOSS_MAX = 80 };

/* "0 paths lost", "at least 12 paths lost", or what else is missing. Returns `text`. */
const char *export_loss_text(char text[EXPORT_LOSS_MAX], export_loss loss);

#endif
