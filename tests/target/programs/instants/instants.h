/* SPDX-License-Identifier: MIT */
/* What the program and its model share. */
#ifndef WEFT_TESTS_INSTANTS_H
#define WEFT_TESTS_INSTANTS_H

#include "core/recorder.h"

/* A coder of each part, and whether frames have two buffers. */
typedef struct way {
    const char *name;
    uint8_t control, bus; /* weft_control_coder_id, weft_bus_coder_id */
    bool value_bfcm, spare;
    bool alone; /* paths alone: no accesses or values, and packs for them */
    enum forest { NO_FOREST, FOREST_ONLY, FOREST_BESIDE } forest; /* in place of the records of paths, or beside them */
} way;
extern const way ways[];
extern const unsigned ways_count;

/* What a sink got. */
typedef struct tally {
    uint32_t size, crc;
} tally;

/* Recorders with all that they work with; the last one is the model's. */
enum { FIRST, OTHER, MODEL, RECORDERS };
extern weft_recorder recorders[RECORDERS];
extern tally tallies[RECORDERS];
/* The configuration of a recorder, with fresh coders, and its tally at nothing. An activation may live on from FIRST
 * to OTHER, whose forest begins with a later generation. */
enum { LATER_GENERATION = 1000 };
const weft_recorder_config *configured(unsigned recorder, const way *of);

/* A probe, or what else a context does. */
typedef enum deed {
    PATH,
    ACCESS,
    VALUE,
    EVENT,
    LOOP, /* `count` passes */
    PACK,
    KPATH, /* `value`: the first of an activation */
    PROBES,
    POLL = PROBES,
    STOP,
    START,
    START_OTHER,
    STOP_AND_START,
    PAUSE_AND_RESUME,
    DEEDS
} deed;

typedef struct step {
    deed what;
    uint32_t id, count;
    uint64_t value;
} step;

/* The i-th probe of the main program. */
step step_of(const way *of, uint32_t i);

/* The interrupt's deed, and the places where it may have come. */
typedef struct happened {
    unsigned first; /* the recorder of the main program's recording */
    step interrupt;
    uint32_t made;     /* probes of the main program; each pass of a loop counts */
    uint32_t from, to; /* fewest and most probes before the deed */
    uint32_t likely;   /* probes recorded by then: the first guess */
    bool effective;    /* the deed may have had its effect */
    bool lost;         /* it may have been counted as a lost path */
    bool without;      /* it may have had none */
} happened;

/* Whether the recordings are those of recorders that are called one event after the other, with the deed at one of
 * the places where it may have come. Anything else is wrong. */
bool as_the_model(const way *of, const happened *h);

#endif
