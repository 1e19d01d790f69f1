/* SPDX-License-Identifier: MIT */
/* What the clock of a recording says. Fixed points: the stamps, and when each frame began and was closed. */
#ifndef WEFT_TOOLS_LIB_RECORDING_TIMES_H
#define WEFT_TOOLS_LIB_RECORDING_TIMES_H

#include "tools/lib/recording/container.h"

/* Ticks as nanoseconds since the first frame began. A second recording of the file goes on where the first ended. */
typedef struct times_base {
    uint64_t hz; /* 0: there is no clock, or how fast it goes is not known */
    uint64_t origin, shift;
    uint32_t recording;
    bool begun;
} times_base;

times_base times_base_of(const container *file);
/* A frame of a recording began; `now`: the time so far, from which another recording goes on. */
void times_join(times_base *base, uint32_t recording, uint64_t begun, uint64_t now);
/* Stays at the ends of what fits. */
uint64_t times_of(const times_base *base, uint64_t ticks);

/* "cycles of the core", ...; NULL: the recording does not say. */
const char *times_kind(const container *file);
/* The firmware's author chose a clock: times are exact enough to be shown without being asked for. */
bool times_chosen(const container *file);

typedef struct times_points {
    uint64_t stamps;
    uint64_t spans;       /* between neighbouring fixed points of a frame */
    uint64_t widest, sum; /* of them, nanoseconds */
} times_points;

times_points times_scan(const container *file);

#endif
