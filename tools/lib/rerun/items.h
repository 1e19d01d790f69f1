/* SPDX-License-Identifier: MIT */
/* The events of a recording that an execution is compared with, read ahead. */
#ifndef WEFT_TOOLS_LIB_RERUN_ITEMS_H
#define WEFT_TOOLS_LIB_RERUN_ITEMS_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/container.h"

typedef enum rerun_item_kind {
    RERUN_ITEM_PATH,
    RERUN_ITEM_VALUE,
    RERUN_ITEM_ACCESS,
    RERUN_ITEM_LAPS,
    RERUN_ITEM_INPUT,
    RERUN_ITEM_START,
    RERUN_ITEM_STOP
} rerun_item_kind;

typedef struct rerun_value {
    uint32_t site, size; /* bytes */
    uint64_t value;      /* its low bytes */
} rerun_value;

/* Where a handler started (port/cortex-m/places.h). */
typedef struct rerun_place {
    uint32_t handler;     /* its exception number */
    uint32_t interrupted; /* that of what it interrupted; 0: a thread */
    uint32_t pc, frame;
    bool floats;    /* registers of the FPU were stacked, too */
    bool under_way; /* the probe that it interrupted has an event under way, which comes later in the recording */
    bool in_worker; /* it interrupted Weft's own interrupt, which a thread's probe has asked for */
    bool counted;   /* the program counts, and had counted so far: */
    uint32_t laps;
    uint8_t hashes[7]; /* weft_stacked_hash of r0 to r3, r12, lr and xPSR */
} rerun_place;

/* An event that was read. */
typedef struct rerun_item {
    rerun_item_kind kind;
    bool taken;
    uint32_t exception, context; /* context: as recorded */
    union {
        uint32_t path, laps;
        rerun_value value;
        struct {
            uint32_t site, address;
        } access;
        struct {
            uint32_t value, left; /* left: of those in a row */
            uint8_t hash;
        } input;
        rerun_place start;
        bool unresolved; /* of a path whose record is lost, or, at the end, was not made any more */
    };
} rerun_item;

typedef struct rerun_items rerun_items;
rerun_items *rerun_items_open(const program *app, const container *file);
void rerun_items_close(rerun_items *items);
/* The event after `at` others that were read and not taken. NULL: there is none, or it is too far ahead. */
rerun_item *rerun_items_look(rerun_items *items, size_t at);
/* Why the recording cannot be read on. NULL: it can, or has ended. */
const char *rerun_items_error(const rerun_items *items);
/* The recording has no end. */
bool rerun_items_break_off(const rerun_items *items);

#endif
