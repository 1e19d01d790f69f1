/* SPDX-License-Identifier: MIT */
/* The input of `stack`, `irq`, `io` and `race`: a full recording or one with probes, with its image.
 *
 *     inspected in;
 *     int status = inspected_open(&in, name, elf, path);
 *     if (status == EXIT_DONE) ...                       in.reader of a full recording, else in.file and in.app
 *     status = inspected_warn(&in, error);               what is missing, on standard error; EXIT_DONE or EXIT_GAPS
 *     inspected_close(&in);                              in any case */
#ifndef WEFT_TOOLS_WEFT_INSPECTED_H
#define WEFT_TOOLS_WEFT_INSPECTED_H

#include "tools/lib/base/json.h"
#include "tools/lib/image/program.h"
#include "tools/lib/profile/functions_probes.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/full.h"

typedef struct inspected {
    const char *name, *path;
    full_reader *reader; /* of a full recording; else NULL */
    image *own;          /* likewise */
    program *app;        /* of a recording with probes */
    container *file;
    const image *im;
    functions_seen seen;
} inspected;

/* The exit status; a message was printed. `elf` may be NULL: the image beside the recording (beside.h). */
int inspected_open(inspected *in, const char *name, const char *elf, const char *path);
/* The number of a context by its name or number, -1 for NULL. The exit status; a message was printed. */
int inspected_context(const inspected *in, const char *text, long long *number);
/* A full recording from its start again. False, and a message: the file is no longer what it was. */
bool inspected_again(inspected *in);
/* The keys of all: `lost` paths, and `identity` if the image could not be compared with the recording's. */
void inspected_put(json *j, const inspected *in);
/* Whether a function of a recording with probes announces its loads and stores. */
bool inspected_has_memory(const inspected *in);
/* `error`: of reading a full recording, where it is a gap; NULL: none. */
int inspected_warn(const inspected *in, const char *error);
void inspected_close(inspected *in);
/* The last part of a path of a source file. */
const char *inspected_base(const char *file);

#endif
