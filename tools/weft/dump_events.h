/* SPDX-License-Identifier: MIT */
/* Lines of weft dump about the events of a recording with probes. */
#ifndef WEFT_TOOLS_WEFT_DUMP_EVENTS_H
#define WEFT_TOOLS_WEFT_DUMP_EVENTS_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/given_names.h"
#include "tools/lib/recording/replay.h"
#include "tools/weft/lines.h"

/* When the path of an event ended, in nanoseconds since the first frame began. */
typedef struct dump_moment {
    uint64_t time;
    bool estimated; /* timeline.h */
} dump_moment;

/* `moment` NULL: not asked for. */
void dump_event(out *o, const program *app, const given_names *names, const replay_event *event,
                const dump_moment *moment);
/* Begins the line of a switch of context. `given`: the name that the recording gives, or NULL; else the image, if not
 * NULL, has one. */
void dump_context(out *o, uint32_t context, const char *given, const program *app);

#endif
