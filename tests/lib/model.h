/* SPDX-License-Identifier: MIT */
/* A made-up program for tests of the recorder and its readers: paths with random lists of accesses and values. It runs
 * through nested interrupts and threads, and the real recorder records it. The truth is kept event by event. */
#ifndef WEFT_TESTS_LIB_MODEL_H
#define WEFT_TESTS_LIB_MODEL_H

#include "core/recorder.h"
#include "tests/lib/check.h"
#include "tools/lib/recording/replay.h"

enum { MODEL_PATHS = 24, MODEL_ITEMS = 12 };

typedef struct model {
    replay_script script[MODEL_PATHS];
    replay_item item[MODEL_PATHS][MODEL_ITEMS];
} model;

/* An event as it really happened. */
typedef struct truth {
    replay_kind kind; /* REPLAY_PATH, ACCESS, VALUE, or MARK: an event of its own */
    uint32_t context, id, address;
    uint64_t value;
    uint32_t instance; /* of the path execution that it belongs to */
    bool lost;         /* the recorder could not take it */
} truth;

/* A sink in memory that refuses on demand. */
typedef struct model_sink {
    uint8_t *bytes;
    size_t size, size_max;
    uint64_t writes;
    uint64_t refuse_nth;     /* this write (from 1) is refused; 0: none */
    uint32_t refuse_percent; /* of all writes, at random */
    check_random random;
} model_sink;

typedef struct run {
    model *program;
    model_sink sink;
    weft_recorder recorder;
    truth *events;
    size_t count, count_max;
    uint32_t instances;
    check_random random;
    uint32_t values; /* percent of accesses whose value is recorded, in making the program */
    uint32_t steps;  /* path executions left */
    /* Events before the first one: the recorder lost them, or as many frames held them, which are not there. */
    weft_counts earlier;
    uint32_t earlier_frames;
    bool calm; /* loops of regular accesses, few switches of context: every second seed */
} run;

void model_make(model *program, check_random *random, uint32_t accesses, uint32_t values);
const replay_script *model_script(void *program, uint32_t path);
weft_status model_write(void *sink, const uint8_t *frame, size_t size);

/* Executes about `steps` paths; contexts 0 and 512.. are threads, 16.. handlers. Calls finish until the sink took it
 * all, unless the sink refuses everything. */
void run_program(run *r, const weft_recorder_config *config, uint32_t steps, uint32_t seed);
void run_free(run *r);

/* Decodes `bytes` and compares them with the truth. `damaged`: frames were removed, so gaps may also hold recorded
 * events. False: a check failed. *unresolved gets the number of events whose sites are not known. */
bool run_check(const run *r, const uint8_t *bytes, size_t size, bool damaged, uint64_t *unresolved);

#endif
