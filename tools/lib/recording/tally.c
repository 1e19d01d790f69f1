/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/tally.h"

#include <stdlib.h>

#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/symbols.h"

void tally_profile(tally *t, const weft_frame *frame)
{
    profile_body body;
    t->profiled = true;
    if (!profile_parse(frame, &body))
        return;
    uint64_t paths = profile_paths(&body);
    t->counted += paths;
    t->paths += body.only ? paths : 0;
}

tally tally_of(const container *file)
{
    tally t = {0};
    uint64_t packed;
    uint8_t *buffer = NULL;
    trace_symbols *symbols = trace_symbols_open(container_packs_of(file));
    for (size_t i = 0; i < container_frame_count(file); i++) {
        container_frame frame;
        trace_body body;
        uint8_t kind = container_kind(file, i);
        if (kind != WEFT_FRAME_TRACE && kind != WEFT_FRAME_PROFILE)
            continue;
        container_read(file, i, &frame, &buffer);
        if (kind == WEFT_FRAME_PROFILE)
            tally_profile(&t, &frame.frame);
        if (kind == WEFT_FRAME_PROFILE || !trace_parse(&frame.frame, &body))
            continue;
        t.paths += trace_symbols_paths(symbols, &body, &packed);
        t.accesses += body.counts.accesses;
        t.values += body.counts.values;
        t.marks += body.counts.marks;
    }
    trace_symbols_close(symbols);
    free(buffer);
    return t;
}

uint64_t tally_events(const tally *t)
{
    return t->paths + t->accesses + t->values + t->marks;
}
