/* SPDX-License-Identifier: MIT */
/* What the parts of weft export share: the command (export.c), and what each format needs to know of a run
 * (export_formats.c). */
#ifndef WEFT_TOOLS_WEFT_EXPORTING_H
#define WEFT_TOOLS_WEFT_EXPORTING_H

#include <stdio.h>

#include "tools/lib/base/output.h"
#include "tools/lib/export/loss.h"
#include "tools/lib/recording/filter.h"
#include "tools/weft/clocked.h"
#include "tools/weft/options.h"

typedef struct export_options {
    const char *elf, *as, *out, *unit;
    event_choice choice;
    bool clocks; /* the format can show time */
    clocked_unit in;
    bool json;
} export_options;

/* What was written. */
typedef struct export_result {
    uint64_t events, total; /* total: of time, nanoseconds */
    bool clocked;           /* it is time */
    export_loss loss;
    uint64_t estimated; /* of the total */
    const char *unit;
    output *metadata;  /* of a folder: committed after the stream */
    char message[400]; /* why it could not be written */
} export_result;

typedef struct export_format {
    const char *name;
    /* Writes IN... to the file. */
    int (*write)(const export_options *o, const char *name, char **in, FILE *file, export_result *r);
    bool several; /* takes several recordings */
    bool named;   /* the file is opened by its name */
    bool folder;
    bool binary; /* not text */
    bool clocks; /* can show time */
} export_format;

/* NULL: there is no such format. */
const export_format *export_format_of(const char *name);

#endif
