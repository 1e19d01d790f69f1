/* SPDX-License-Identifier: MIT */
/* Where events come from when they are not probes of this program: a replayed file, the emulator. */
#ifndef WEFT_HAL_SOURCE_H
#define WEFT_HAL_SOURCE_H

#include "core/base.h"

typedef enum weft_event_kind {
    WEFT_EVENT_PATH,   /* a path ended: id is its number */
    WEFT_EVENT_ACCESS, /* a load or store is about to happen: id is the site, data the address */
    WEFT_EVENT_VALUE,  /* the value it moved: id is the site, data the value */
} weft_event_kind;

typedef struct weft_event {
    weft_event_kind kind;
    uint32_t context; /* 0: thread mode; 1..511: exception number; above: an RTOS thread */
    uint32_t id;
    uint64_t data;
} weft_event;

/* The contract of next: WEFT_OK gives the next event; WEFT_AGAIN: none now, ask again; WEFT_FULL: no more, ever;
 * WEFT_CORRUPT: the source cannot be read on. The event is written on WEFT_OK only. */
typedef struct weft_source {
    void *context;
    weft_status (*next)(void *context, weft_event *event);
} weft_source;

#endif
