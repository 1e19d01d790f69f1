/* SPDX-License-Identifier: MIT */
/* The events of a recording as expected.h compares them; no other file includes it. */
#ifndef WEFT_TOOLS_LIB_RERUN_EXPECTED_ITEMS_H
#define WEFT_TOOLS_LIB_RERUN_EXPECTED_ITEMS_H

#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/recording/unpack.h"
#include "tools/lib/rerun/expected.h"

typedef enum item_kind { PATH, VALUE, ACCESS, LAPS, INPUT, START, STOP } item_kind;
#define OWN (1u << PATH | 1u << VALUE | 1u << ACCESS | 1u << LAPS | 1u << INPUT)

/* An event that was read. */
typedef struct item {
    item_kind kind;
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
} item;

struct rerun_expected {
    const program *app;
    scripts *scripts;
    replay *events;
    unpack *packs;
    item *items; /* in order: [first .. count) are left, but for those that were taken */
    size_t first, count, max;
    uint32_t place; /* half of one, whose other half comes */
    bool counted;   /* and whose counter this is: */
    uint32_t laps;
    bool breaks_off;
    uint64_t compared, counts;
    char error[300];
};

/* The event after `at` others that were read. NULL: there is none, or it is too far ahead. */
item *rerun_expected_look(rerun_expected *e, size_t at);

#endif
