/* SPDX-License-Identifier: MIT */
/* A source that reads events from a text file, one a line, blank lines and those that start with # aside:
 *
 *     path CONTEXT NUMBER
 *     access CONTEXT SITE ADDRESS
 *     value CONTEXT SITE VALUE
 *
 * Numbers are decimal, or hexadecimal with 0x. */
#ifndef WEFT_PORT_HOST_REPLAY_SOURCE_H
#define WEFT_PORT_HOST_REPLAY_SOURCE_H

#include <stdio.h>

#include "hal/source.h"

typedef struct weft_replay_source {
    FILE *file;    /* the caller's */
    uint64_t line; /* of the last event, from 1: for messages */
} weft_replay_source;

/* The next function of a weft_source whose context is a weft_replay_source. WEFT_FULL at the end of the file,
 * WEFT_CORRUPT at a line that is none of these. */
weft_status weft_replay_source_next(void *context, weft_event *event);

/* Writes an event in this form. */
void weft_replay_source_print(FILE *file, const weft_event *event);

#endif
