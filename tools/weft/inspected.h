/* SPDX-License-Identifier: MIT */
/* What `stack`, `irq`, `io` and `race` share: one recording, full or with probes, with its image, and the options
 * --elf, --context, --function, --summary and --json.
 *
 *     static int give(inspected *in, void *own)     in->reader of a full recording, else in->file and in->app
 *     {
 *         const char *error = ...                   reads the recording, and prints unless inspected_failed(in, error)
 *         return inspected_end(in, error);
 *     }
 *     int command_NAME(int argc, char **argv)
 *     {
 *         return inspected_run(argc, argv, &(inspection){help, NULL, give}, NULL);
 *     } */
#ifndef WEFT_TOOLS_WEFT_INSPECTED_H
#define WEFT_TOOLS_WEFT_INSPECTED_H

#include "tools/lib/base/json.h"
#include "tools/lib/image/program.h"
#include "tools/lib/profile/functions_probes.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/full.h"
#include "tools/weft/options.h"

typedef struct inspected {
    const char *name, *path;
    bool json;
    bool summary;         /* for people: lines are broken at the terminal's width */
    bool clocked;         /* irq: times are nanoseconds */
    long long context;    /* the only one that is wanted; -1: all */
    const char *function; /* likewise; NULL: all */
    full_reader *reader;  /* of a full recording; else NULL */
    image *own;           /* likewise */
    program *app;         /* of a recording with probes */
    container *file;
    const image *im;
    functions_seen seen;
} inspected;

/* One subcommand. */
typedef struct inspection {
    const char *help;
    const command_option *more;            /* options besides those of all, ended by a name of NULL; NULL: none */
    int (*give)(inspected *in, void *own); /* reads and prints; the exit status */
} inspection;

/* A whole subcommand: reads its command line, opens what is named, gives, closes. `own` goes to `give`. The exit
 * status; what is wrong was printed. */
int inspected_run(int argc, char **argv, const inspection *what, void *own);

/* Whether --context, if given, names this one. */
bool inspected_wants(const inspected *in, uint32_t context);
/* Whether --function, if given, names this one (NULL: not known). */
bool inspected_wants_function(const inspected *in, const char *function);
/* Whether `error`, of reading, leaves nothing to print. Of a full recording it is a gap: what came before is good. */
/* For --json: a full recording breaks off, if `error` says so. Before the last object ends. */
void inspected_note_cut(const inspected *in, const char *error);
bool inspected_failed(const inspected *in, const char *error);
/* The exit status after reading ended with `error` (NULL: none); what is wrong or missing was printed. */
int inspected_end(const inspected *in, const char *error);
/* The steps, for what is not one recording and a printed result. Before: `name` and `path` are set, all else is zero.
 * `elf` may be NULL: the image beside the recording (beside.h). The exit status; a message was printed. */
int inspected_open(inspected *in, const char *elf);
void inspected_close(inspected *in); /* in any case */
/* A full recording from its start again. False, and a message: the file is no longer what it was. */
bool inspected_again(inspected *in);
/* The keys of all: `lost` paths, `estimated` instructions if there are any, and `identity` if the image could not be
 * compared with the recording's. */
void inspected_put(json *j, const inspected *in);
/* Writes lines for people that stand in `lines`, which it frees: broken at the terminal's width in a summary. */
void inspected_print(const inspected *in, char *lines);
/* Whether a function of a recording with probes announces its loads and stores. */
bool inspected_has_memory(const inspected *in);
/* Says whether functions of an image announce none. Returns whether it is some of them, not all. */
bool inspected_say_silent(const char *command, const program *app);

#endif
