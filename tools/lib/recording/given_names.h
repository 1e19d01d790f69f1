/* SPDX-License-Identifier: MIT */
/* The names that a firmware gave to contexts (threads, interrupts) and to its own events: NAMES frames. Memory: the
 * names of the file. */
#ifndef WEFT_TOOLS_LIB_RECORDING_GIVEN_NAMES_H
#define WEFT_TOOLS_LIB_RECORDING_GIVEN_NAMES_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/container.h"

/* What the numbers of names stand for. */
#define NAMES_CONTEXT(context) (2 * (context))
#define NAMES_EVENT(id) (2 * (id) + 1)

typedef struct given_name {
    uint32_t recording, number;
    char *text; /* as it was given: perhaps not fit for a terminal (base/text.h) */
} given_name;

/* By recording, then number, each once. Where it was given several: "Rx, then Tx". */
typedef struct given_names {
    given_name *all;
    size_t count, max;
} given_names;

/* Fills a list that is all zero. */
void given_names_read(given_names *names, const container *file);
void given_names_free(given_names *names);
/* NULL: it has none. */
const char *given_names_text(const given_names *names, uint32_t recording, uint32_t number);

/* The context that a text means: a name that the firmware gave it, a name of the image's vector table, `thread`, or a
 * number. `file` and `im` may be NULL: then there are no names of theirs. False: there is none. */
bool given_names_find(const container *file, const char *text, const image *im, uint32_t *context);

/* The program's contexts have the names that the firmware gave (image/vectors.h); of several recordings the last's. */
void given_names_give(const container *file, program *app);

#endif
