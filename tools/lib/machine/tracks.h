/* SPDX-License-Identifier: MIT */
/* Where paths go in the machine code of their function: the instructions that each execution of a path takes, from the
 * ELF alone (walk.h). */
#ifndef WEFT_TOOLS_LIB_MACHINE_TRACKS_H
#define WEFT_TOOLS_LIB_MACHINE_TRACKS_H

#include "tools/lib/image/program.h"

typedef struct track_step {
    uint32_t pc;
    bool call;         /* of a function, not of a probe */
    bool probe;        /* of an access or a value */
    uint8_t condition; /* that an IT block gives it, else THUMB_ALWAYS */
} track_step;

typedef struct tracks tracks;

/* `app` outlives them. */
tracks *tracks_open(program *app);
void tracks_close(tracks *all);
/* By global path number: the steps in order, from malloc; the last one calls the probe that ends the path. Steps are
 * left out where the machine may go one way or another. Returns their number; 0: not known. */
size_t tracks_of(tracks *all, uint32_t path, track_step **steps);

#endif
