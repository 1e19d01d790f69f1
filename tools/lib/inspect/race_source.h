/* SPDX-License-Identifier: MIT */
/* What races are found in: the events of a full recording, or those that a recording with probes stands for
 * (retrace.h). It is read twice. */
#ifndef WEFT_TOOLS_LIB_INSPECT_RACE_SOURCE_H
#define WEFT_TOOLS_LIB_INSPECT_RACE_SOURCE_H

#include "tools/lib/inspect/processor.h"

typedef struct race_source {
    void *own;
    /* From the start; `p` will be fed with each event before the next one is asked for. False: it cannot be read. */
    bool (*begin)(void *own, const processor *p);
    int (*next)(void *own, full_event *event); /* as full_next */
    /* The decoded form of the last event's instruction. */
    const thumb_insn *(*insn)(void *own, processor *p, const full_event *event);
    const char *(*error)(void *own); /* as full_error */
    bool probes; /* only objects that have names are looked at, and what no store enabled may come at any time */
} race_source;

#endif
