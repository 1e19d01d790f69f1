/* SPDX-License-Identifier: MIT */
/* The numbers of each site of a recording, in order: the addresses that it accessed, or the values that it moved. They
 * are collected from its replay, or are given. Memory: 8 bytes per number. */
#ifndef WEFT_TOOLS_LIB_RECORDING_STREAMS_H
#define WEFT_TOOLS_LIB_RECORDING_STREAMS_H

#include "tools/lib/recording/filter.h"
#include "tools/lib/recording/replay.h"

typedef struct site_stream {
    uint32_t site;
    bool store;
    uint32_t size; /* bytes of an access */
    size_t count;
    int64_t *number; /* addresses are zero-extended, values as recorded */
    size_t number_max;
} site_stream;

typedef struct site_streams {
    site_stream *stream; /* by site, ascending */
    size_t count;
    uint64_t total;      /* numbers in all */
    uint64_t unresolved; /* accesses and values without a known site */
    uint64_t unknown;    /* accesses without a known address; in no stream */
    bool gaps;
} site_streams;

/* Of the wanted events; `kind` is REPLAY_ACCESS or REPLAY_VALUE. NULL, and a message: the container does not fit the
 * model. */
site_streams *site_streams_load(const container *file, replay_model model, replay_kind kind, const event_filter *wanted,
                                char *message, size_t message_size);
void site_streams_free(site_streams *all);

/* For recordings that have no replay: what is one site there is the caller's choice. */
typedef struct site_gathering site_gathering;
site_gathering *site_gathering_begin(void);
/* A number of a site; `site` says what it is, the rest is as in site_stream. */
void site_gathering_add(site_gathering *g, site_stream site, int64_t number);
/* Numbers so far. */
uint64_t site_gathering_total(const site_gathering *g);
/* All of them; the gathering is used up. */
site_streams *site_gathering_end(site_gathering *g);

#endif
