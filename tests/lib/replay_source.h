/* SPDX-License-Identifier: MIT */
/* Events from a text file, one per line. Blank lines and lines that start with # are skipped.
 *
 *     path CONTEXT NUMBER
 *     access CONTEXT SITE ADDRESS
 *     value CONTEXT SITE VALUE
 *     event CONTEXT NUMBER VALUE      of the firmware's own, with one value
 *     stamp CONTEXT 0 TIME
 *     place CONTEXT 0 ADDRESS         and after it
 *     frame CONTEXT ADDRESS CHECK     (no longer written), or
 *     stacked CONTEXT FRAME HASHES    FRAME: its address, + 1 if an event is under way, + 2 if with floats; HASHES: the
 *                                     two words of them, and what was interrupted in the upper byte
 *
 * Numbers are decimal, or hexadecimal with 0x. */
#ifndef WEFT_TESTS_LIB_REPLAY_SOURCE_H
#define WEFT_TESTS_LIB_REPLAY_SOURCE_H

#include <stdio.h>

#include "core/base.h"

typedef enum source_kind {
    SOURCE_PATH,
    SOURCE_ACCESS,
    SOURCE_VALUE,
    SOURCE_EVENT,
    SOURCE_STAMP,
    SOURCE_PLACE,
    SOURCE_FRAME,
    SOURCE_STACKED
} source_kind;

typedef struct source_event {
    source_kind kind;
    uint32_t context; /* 0: thread mode; 1 to 511: exception number; above: an RTOS thread */
    uint32_t id;      /* of the path, of the site, or of the event; the address of a frame */
    uint64_t data;    /* the address, the value, the time, or the check */
} source_event;

typedef struct replay_source {
    FILE *file;    /* the caller's */
    uint64_t line; /* of the last event, from 1: for messages */
} replay_source;

/* Reads the next event. WEFT_OK: it is in `event`. WEFT_FULL: the file has ended. WEFT_CORRUPT: the line has no
 * known form. */
weft_status replay_source_next(replay_source *source, source_event *event);

#endif
