/* SPDX-License-Identifier: MIT */
/* The addresses that each site of a recording accessed, in order, from its replay. Memory: 8 bytes per access. */
#ifndef WEFT_TESTS_LIB_SITE_STREAMS_H
#define WEFT_TESTS_LIB_SITE_STREAMS_H

#include "tools/lib/recording/replay.h"

typedef struct site_stream {
    uint32_t site;
    size_t count;
    int64_t *address; /* zero-extended */
    size_t address_max;
} site_stream;

typedef struct site_streams {
    site_stream *stream; /* by site, ascending */
    size_t count;
} site_streams;

/* NULL, and a message: the container does not fit the model. */
site_streams *site_streams_load(const container *file, replay_model model, char *message, size_t message_size);
void site_streams_free(site_streams *all);

#endif
