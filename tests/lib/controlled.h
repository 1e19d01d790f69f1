/* SPDX-License-Identifier: MIT */
/* A program that records itself by the port, on a simulated core (tests/lib/simulated_core.h), and does what a test
 * says: events and control calls in any order, with an interrupt at a step, and a sink that refuses. All is logged.
 *
 *     controlled_begin(&room);
 *     controlled_act(START); controlled_act(EVENTS); ...
 *     if (!controlled_end("name", deeds, count)) it has printed what is wrong
 */
#ifndef WEFT_TESTS_LIB_CONTROLLED_H
#define WEFT_TESTS_LIB_CONTROLLED_H

#include <stdbool.h>
#include <stddef.h>

/* What the program does next. */
typedef enum deed {
    EVENTS,
    MANY, /* more than a frame holds */
    FROM_HANDLER,
    SAMPLED,
    START,
    STOP,
    PAUSE,
    RESUME,
    POLL,
    FLUSH,
    ONLY_THREAD,
    ONLY_HANDLER,
    OUT_HANDLER,
    ALL,
    ARM_BEFORE,
    ARM,
    ARM_AT_PATH,
    ARM_AT_PATH_BEFORE,
    TRIGGER,
    KEEP_THIRD,
    DEEDS
} deed;
/* Sizes of a case. `frame` is WEFT_RECORDER_BYTES_MIN and CONTROLLED_FRAME_MORE at most, `hold` CONTROLLED_HOLD
 * words. */
enum { CONTROLLED_FRAME_MORE = 100, CONTROLLED_HOLD = 4096 };
typedef struct room {
    size_t frame, hold; /* bytes; words */
    bool spare;
} room;

/* Forgets all but what the port itself keeps. No interrupt comes, and the sink takes everything. */
void controlled_begin(const room *r);
/* In the middle of what follows, a handler does that, at step number `step` of the core, from 1. */
void controlled_interrupt(unsigned step, deed in_handler);
/* The interrupt has come. */
bool controlled_came(void);
/* The sink refuses N writes, from that one on. */
void controlled_refuse(unsigned from, unsigned count);
void controlled_act(deed what);
/* The last events, and the end of the recording. False: something is wrong, and has been printed with the deeds.
 * WEFT_SHOW=FILE: with the log too, and the recordings are in FILE0, FILE1... */
bool controlled_end(const char *name, const deed *deeds, size_t count);

#endif
