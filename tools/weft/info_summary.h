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
    uint64_t ticks;                   /* from the first frame to the last, of each recording */
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

/* Fills a summary that is all zero, but for what is derived. On all cores. */
void info_summarize(const container *file, info_summary *sum);

#endif
