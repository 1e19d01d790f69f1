/* SPDX-License-Identifier: MIT */
/* How values of a whole execution trace came about (tools/lib/wet/why.h), as trees on the page: for each place that is
 * asked for, its last WHYS_HITS instances. */
#ifndef WEFT_TOOLS_LIB_REPORT_WHY_H
#define WEFT_TOOLS_LIB_REPORT_WHY_H

#include "tools/lib/base/json.h"
#include "tools/lib/base/sources.h"
#include "tools/lib/wet/why.h"

enum { WHYS_HITS = 6 };

typedef struct why_line {
    uint8_t kind; /* wet_why_kind */
    uint16_t depth;
    uint32_t time, instruction;
    uint64_t at; /* instructions of the run before that time */
    char *text;
} why_line;

typedef struct why_tree {
    char *place;
    uint64_t nth, of; /* which instance of the place, and how many there are */
    why_line *line;
    size_t count, max;
    bool cut; /* there is more */
} why_tree;

typedef struct whys {
    wet_file *f;     /* the caller's */
    const image *im; /* the caller's: for places that its debug information names. NULL: there is none */
    why_tree *all;
    size_t count, max;
} whys;

/* Adds the trees of a place, or of several with commas between. False, and a message: there is no such place. */
bool whys_add(whys *w, const char *places, char *message, size_t message_size);
/* Finds when all lines were, in instructions. */
void whys_times(whys *w);
void whys_free(whys *w);
/* A member of the object that is open. */
void whys_put(const whys *w, sources *lines, json *j);

#endif
