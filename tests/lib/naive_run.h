/* SPDX-License-Identifier: MIT */
/* A full recording, with every event of it kept. */
#ifndef WEFT_TESTS_LIB_NAIVE_RUN_H
#define WEFT_TESTS_LIB_NAIVE_RUN_H

#include "tests/lib/naive_text.h"
#include "tools/lib/recording/full.h"

typedef struct naive_event {
    full_event e;
    naive_line *t;
    uint32_t first_part, part_count;
} naive_event;

extern naive_event *naive_events;
extern size_t naive_event_count;

/* Keeps the recording. False: it cannot be read; the reason was printed. */
bool naive_run_read(const char *full_path);

#endif
