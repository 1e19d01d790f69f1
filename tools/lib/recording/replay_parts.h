/* SPDX-License-Identifier: MIT */
/* What the parts of a replay share. For replay.c, replay_tail.c and replay_all.c only. */
#ifndef WEFT_TOOLS_LIB_RECORDING_REPLAY_PARTS_H
#define WEFT_TOOLS_LIB_RECORDING_REPLAY_PARTS_H

#include "tools/lib/recording/report.h"
#include "tools/lib/recording/scout.h"

typedef struct replay replay;

struct replay {
    const container *file;
    replay_model model;
    frame_window frames[2], *current; /* the one in replay; the other is the scout's */
    scout scout;
    place at;
    size_t next_frame, end; /* frames `end` and on are not replayed */
    bool open;              /* a frame is being replayed */
    bool ended;             /* the gap at the end was reported */
    uint32_t recording, restarts;
    uint32_t accesses_taken, values_taken; /* of the stretch */
    uint64_t paths_taken;                  /* of the frame */
    uint64_t stamp;                        /* ticks of its last stamp, or when its interval began */
    trace_mark mark;                       /* the last one */
    bool left_over; /* the tail of the frame's last stretch is not known, and was not passed over */
    context_list contexts;
    report report; /* its state is that of the current stretch */
    uint32_t context_reported;
    bool context_any;
    uint64_t unresolved;
    weft_counts expected; /* events up to here, to size gaps */
    char error[400];
};

/* Notes why the recording does not fit the program, and ends the frame. Returns false. */
bool replay_misfit(replay *r, const char *what);
/* At the start of a path: what was made of it in a gap, if the gap began in an earlier path of its record. */
void replay_take_missed(context_state *state, const replay_script *script);
/* Finds the script of the path that the current context is in, once per path. A context that is unknown becomes known;
 * that happens at the start of a stretch. False: it does not fit. */
bool replay_resolve(replay *r);
/* Reports items of a script that happened before its record. False: it does not fit. */
bool replay_part(replay *r, const replay_script *script, uint32_t accesses, uint32_t values);
/* Step 4: reports the tail of a stretch, which may go on over several paths of one record. False: it does not fit. */
bool replay_tail(replay *r, uint32_t accesses, uint32_t values);

#endif
