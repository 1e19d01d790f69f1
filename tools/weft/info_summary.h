/* SPDX-License-Identifier: MIT */
/* What all frames of a container add up to, for `weft info`. */
#ifndef WEFT_TOOLS_WEFT_INFO_SUMMARY_H
#define WEFT_TOOLS_WEFT_INFO_SUMMARY_H

#include "tools/lib/recording/container.h"
#include "tools/lib/recording/numbers.h"
#include "tools/weft/derived.h"
#include "tools/weft/info_chosen.h"

typedef struct info_stream {
    const char *name;
    const char *coder;
    uint64_t events, bytes;
    bool predicts; /* then `predicted` of the events were predicted */
    uint64_t predicted;
    numbers reader; /* of what predicts */
} info_stream;

typedef struct info_summary {
    uint64_t frames[9]; /* by kind; 0: kinds that this build does not know */
    weft_counts recorded;
    uint64_t switches, marks; /* marks: entries of that stream that are not switches */
    info_stream streams[WEFT_REGIONS];
    uint64_t first_time, last_time;
    uint64_t ticks;                   /* from the first interval's begin to the last frame, of each recording */
    uint64_t profiled, profile_bytes; /* paths that the profile counted */
    uint64_t traced;                  /* paths in the control stream */
    uint64_t packs, packed;           /* records of several paths, and paths in these; 0: only the program says */
    uint64_t full_instructions, full_accesses, full_bytes;
    bool full;
    bool packed_program; /* the program records several paths at once */
    bool packs_known;    /* it, or the recording, says which */
    bool with_derived;
    derived_counts derived;
    info_chosen chosen;
} info_summary;

typedef struct info_pool {
    const char *name;
    uint32_t high, max; /* keys of the statistics */
} info_pool;
enum { INFO_POOLS = 5 };
extern const info_pool info_pools[INFO_POOLS];

/* Bytes per event; 0: there is none. */
double info_per(uint64_t bytes, uint64_t events);
/* Of all kinds. Counts that a damaged file gives may be anything: the sum stays at the most that can be said. */
uint64_t info_total(const weft_counts *counts);
/* What the recorder was told to say of the recording, cut to what fits; empty: nothing. */
void info_note(const container *file, char *text, size_t text_size);

/* Fills a summary that is all zero, but for what is derived. On all cores. */
void info_summarize(const container *file, info_summary *sum);

#endif
