/* SPDX-License-Identifier: MIT */
/* Models of many streams at once, on all cores. The result does not depend on how many there are. */
#ifndef WEFT_TOOLS_LIB_AFFINE_MANY_H
#define WEFT_TOOLS_LIB_AFFINE_MANY_H

#include "tools/lib/affine/model.h"

typedef struct many_stream {
    const int64_t *values;
    uint64_t count;
} many_stream;

typedef struct many_options {
    model_options model;                          /* of each stream; its threads and progress are not used */
    unsigned threads;                             /* streams modelled at once : 1 to 1000 : faster, up to the cores */
    void (*progress)(uint64_t done, uint64_t of); /* or NULL; called by one thread at a time */
} many_options;

enum { MANY_THREADS = 64 }; /* threads : 1 to 1024 : uses more cores; more memory, a memo each */
/* The number of cores, at most MANY_THREADS. */
unsigned many_threads(void);

/* Models stream i as out[i], as model_find would. Streams that are equal up to a constant are modelled once. */
void many_find(model *out, const many_stream *stream, size_t streams, const many_options *options);

#endif
