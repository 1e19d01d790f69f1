/* SPDX-License-Identifier: MIT */
/* The functions of Weft in an image that are not executed: probes, and what works on the recorder. */
#ifndef WEFT_TOOLS_LIB_RERUN_ENTRIES_H
#define WEFT_TOOLS_LIB_RERUN_ENTRIES_H

#include <stddef.h>

#include "tools/lib/image/image.h"

typedef enum rerun_entry {
    RERUN_NO_ENTRY,
    RERUN_PATH,
    RERUN_LOOP,
    RERUN_LOOP_PATH,
    RERUN_PACK,
    RERUN_VALUE,   /* of one word */
    RERUN_VALUE64, /* of two */
    RERUN_HANDLER, /* a handler starts */
    RERUN_INPUT,   /* what a device answered */
    RERUN_CHECK,   /* the counter is recorded */
    RERUN_MEMORY,  /* bytes of memory that something else wrote */
    RERUN_SUM,     /* the check sum of memory */
    RERUN_ACCESS,  /* of an access, or of a base that addresses follow from */
    RERUN_PROBE,   /* another probe, whose call means nothing here */
    RERUN_CALL,    /* a function of Weft's interface: what it returns is unknown */
    RERUN_FORGET,  /* bytes of memory that something else wrote, and that are not recorded */
    RERUN_BEGIN,   /* likewise, and recording begins */
    RERUN_END,     /* and ends */
} rerun_entry;

typedef struct rerun_entries rerun_entries;
rerun_entries *rerun_entries_find(const image *im);
void rerun_entries_free(rerun_entries *entries);
/* Whether a probe that stands at `pc` has not recorded its event yet, as far as the address tells: it is the probe's
 * store or mask, or before that. r: a byte of hash for each of r0 to r3 (weft_stacked_hash). */
bool rerun_entries_before_event(const rerun_entries *entries, uint32_t pc, const uint8_t r[4]);
/* Whether code at `pc` may be executed within a call of the function at `entry`, as its direct calls say; entry 0: of
 * any probe that records an event. */
bool rerun_entries_reach(const rerun_entries *entries, uint32_t entry, uint32_t pc);
/* Whether the function there leaves lr as it was, in all of its code: it calls nothing. */
bool rerun_entries_keeps_link(const rerun_entries *entries, uint32_t pc);
/* Whether the function at `function` calls one of that kind itself. */
bool rerun_entries_calls(const rerun_entries *entries, uint32_t function, rerun_entry kind);
/* Whether one of these functions returns there, of which only that is executed. */
bool rerun_entries_return(const rerun_entries *entries, uint32_t pc);
/* *back: where such a function returns by `bx lr`, or one like it; 0: nowhere. */
rerun_entry rerun_entries_at(const rerun_entries *entries, uint32_t pc, uint32_t *back);

#endif
