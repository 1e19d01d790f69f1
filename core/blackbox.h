/* SPDX-License-Identifier: MIT */
/* A black box: the last paths of a program in a ring in RAM, with no recorder and no sink. The ring lives in memory
 * that start-up does not clear, so it can be read after a reset, or out of a memory dump (core/FORMAT.md, "Black
 * box").
 *
 * The plain form is a ring of path numbers, of 16 or 32 bits. Its push is in the port (port/cortex-m/blackbox.h),
 * since it masks interrupts: a path is stored first and counted second, so at every instant the ring holds whole
 * paths only. The oldest entry is not read, since a path that is not counted yet may stand there. This file has the
 * head of the ring, which says what it holds, and what does not run per path. */
#ifndef WEFT_CORE_BLACKBOX_H
#define WEFT_CORE_BLACKBOX_H

#include "core/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_BLACKBOX_MAGIC "WEFT_BOX"
#define WEFT_BLACKBOX_VERSION 2u

typedef enum weft_blackbox_form {
    WEFT_BLACKBOX_PLAIN16 = 1, /* entries of 16 bits */
    WEFT_BLACKBOX_PLAIN32 = 2, /* entries of 32 bits */
    WEFT_BLACKBOX_PACKED = 3,  /* compressed: core/blackbox_packed.h */
} weft_blackbox_form;

/* Entries that are not paths, as entries of 32 bits; of 16 bits, their low halves. */
#define WEFT_BLACKBOX_EMPTY 0xffffffffu       /* never written */
#define WEFT_BLACKBOX_RESET (0xffffffffu - 1) /* the program was reset, and the ring went on */
#define WEFT_BLACKBOX_PAUSE (0xffffffffu - 2) /* the ring was held, and went on */
/* Path numbers must be below this. */
#define WEFT_BLACKBOX_PATHS16 0xfffdu

/* The bytes as they lie in RAM, little-endian, without gaps; the entries follow. */
typedef struct weft_blackbox {
    uint8_t magic[8];
    uint8_t version, form, unused[2];
    uint32_t size;     /* bytes of the entries: a power of two */
    uint32_t identity; /* of the image (core/FORMAT.md); 0: not known */
    uint32_t run;      /* what the newest paths belong to: 1 more with each reset or clear, from 1 */
    uint32_t check;    /* CRC-32 of all before: tells a box from what RAM holds at power-up */
    /* What changes. A path goes to entry count & mask, whatever the words hold, so a push never leaves the ring. */
    uint32_t mask;       /* number of entries - 1; 0: the ring is held, and only entry 0 is written */
    uint32_t held_count; /* while it is held: count, and entry 0, when that began */
    uint32_t held_first;
    uint32_t held_sum; /* and what weft_blackbox_sum gave since; 0: that is not known */
    uint32_t count;    /* paths so far, modulo 2^32; the entries follow */
} weft_blackbox;

/* What weft_blackbox_begin found. */
typedef enum weft_blackbox_found {
    WEFT_BLACKBOX_NOTHING, /* no box: RAM after power-up, or another image's. It is empty now */
    WEFT_BLACKBOX_WENT_ON, /* a box of the run before. It goes on, after a mark */
    WEFT_BLACKBOX_HELD,    /* a held one. It stays held, until weft_blackbox_resume or weft_blackbox_clear */
} weft_blackbox_found;

/* Called once after reset, before weft_blackbox_open. `bytes` of memory at `box`, word-aligned, the head included: the
 * entries take the largest power of two that fits. WEFT_CONFIG: there is no room for 16 bytes of entries. */
weft_status weft_blackbox_begin(weft_blackbox *box, size_t bytes, weft_blackbox_form form, uint32_t identity,
                                weft_blackbox_found *found);
/* Empties the ring, whether it was held or not; weft_blackbox_open with WEFT_BLACKBOX_NOTHING follows. `run` grows by
 * 1. All entries are written. Paths may be pushed meanwhile, and are not kept; if the power goes, the box is none. */
void weft_blackbox_empty(weft_blackbox *box);
/* The sum of all that the ring holds: a CRC-32, but 0 is none. It must be held. Reads all entries. Paths may be pushed
 * meanwhile. */
uint32_t weft_blackbox_sum(const weft_blackbox *box);

/* Call the following four while no path is pushed: with interrupts masked, on one processor. None can fail, or takes
 * longer for a larger ring. */

/* Records from now on: what `begin` found, after a mark, or an empty ring. Nothing if it is held. */
void weft_blackbox_open(weft_blackbox *box, weft_blackbox_found found);
/* Keeps what the ring holds: paths that end from now on are not recorded, after a reset either. Does nothing if the
 * ring is held already. */
void weft_blackbox_hold(weft_blackbox *box);
/* Leaves the sum in the head, so that a reader knows whether memory has changed since. Nothing unless the ring is held,
 * with this `held_count`, and has no sum: what it holds may be something else by now. */
void weft_blackbox_keep_sum(weft_blackbox *box, uint32_t held_count, uint32_t sum);
/* Records again. A mark, WEFT_BLACKBOX_PAUSE, stands between what was held and what follows. Does nothing if the ring
 * is not held. */
void weft_blackbox_resume(weft_blackbox *box);

#ifdef __cplusplus
}
#endif

#endif
