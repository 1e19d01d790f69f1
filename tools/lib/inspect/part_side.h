/* SPDX-License-Identifier: MIT */
/* One side of a comparison of two recordings (part.h): what is read of it. */
#ifndef WEFT_TOOLS_LIB_INSPECT_PART_SIDE_H
#define WEFT_TOOLS_LIB_INSPECT_PART_SIDE_H

#include "tools/lib/image/program.h"
#include "tools/lib/inspect/trail.h"
#include "tools/lib/recording/container.h"

typedef enum part_kind { PART_FUNCTION, PART_PATH, PART_LOOP, PART_LATENCY, PART_ACCESS, PART_KINDS } part_kind;

/* A figure of one recording. What the values are:
 *   FUNCTION   calls, own instructions            PATH     times, instructions of all of them
 *   LOOP       times entered, turns               LATENCY  activations of a handler, mean and longest time
 *   ACCESS     loads, stores */
typedef struct part_row {
    part_kind kind;
    uint64_t key; /* the same for the same thing in both */
    char *name;
    const char *file;
    uint32_t line;
    double value[3];
} part_row;

typedef struct part_step {
    uint64_t element;
    uint32_t id;    /* path; address of an instruction */
    uint64_t time;  /* paths or instructions of the run before it */
    uint32_t r[17]; /* full recordings: r0..r14 and, as r[15], the flags, before it */
} part_step;

typedef struct part_window {
    uint32_t context;
    uint64_t from, to; /* elements that are wanted */
    part_step *step;
    size_t count, max;
} part_window;

/* One recording: what is read, and what was found. */
typedef struct part_side {
    const char *path;
    const image *im;
    program *app;    /* of a recording with probes, else NULL */
    container *file; /* likewise */
    bool by_lines;   /* two builds: elements are source lines */
    bool one_context;
    uint32_t context;
    const char *function; /* only what is of this one, latencies left out; NULL: all */
    trails trails;
    part_row *row;
    size_t row_count, row_max;
    uint64_t elements, lost; /* lost: places where something is missing; trails end at the first */
    bool late;               /* what came first is missing */
    bool cut;                /* the trails end before the run does, since something is missing */
    uint64_t unread;         /* frames whose paths cannot be read */
    uint64_t estimated;      /* instructions, of those of all functions: costs.h */
    bool shown;              /* while it is read, progress is */
    const char *failed;      /* what part_read_both found wrong; NULL: nothing */
    char error[300];
} part_side;

/* Adds a row; `name` is copied. */
void part_add_row(part_side *s, part_row row);
/* A step of a context's element `index`, to the windows that need it. The step to fill in; NULL: none needs it. */
part_step *part_collect(part_window **windows, size_t count, uint32_t context, uint64_t index);
/* A hash of a text, of a number, going on from another hash. */
uint64_t part_hash(uint64_t hash, const char *text);
uint64_t part_hash_number(uint64_t hash, uint64_t number);
/* The same of a function's name. Two builds: without what GCC appends to copies of it (image_copied_name). */
uint64_t part_hash_function(const part_side *s, uint64_t hash, const char *name);
/* Whether that function is s->function, or any is wanted. */
bool part_wants(const part_side *s, const char *name);

#endif
