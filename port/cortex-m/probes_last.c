/* SPDX-License-Identifier: MIT */
/* The plugin's entry point for probes=last, with entries of 16 bits; of 32 with WEFT_BLACKBOX_WIDE=1.
 *
 * The path is stored first, in the place of the oldest one, and counted second, so at every instant the ring holds
 * whole paths. Interrupts are masked for the few instructions of that: a handler that came between the two would lose
 * its first path. (An exclusive store of the count does not help, for the path's own store cannot be taken back; and
 * counting first leaves an old path in a place that counts, as long as a handler is at work in between.)
 * tests/prop/prop_blackbox.c tries every interleaving. */
#include "core/own.h"
#include "port/cortex-m/blackbox_ram.h"
#include "port/cortex-m/exclusive.h"

#ifndef WEFT_BLACKBOX_WIDE
#define WEFT_BLACKBOX_WIDE 0
#endif
#if WEFT_BLACKBOX_WIDE
typedef uint32_t __attribute__((may_alias)) cell;
#define FORM WEFT_BLACKBOX_PLAIN32
#else
typedef uint16_t __attribute__((may_alias)) cell;
#define FORM WEFT_BLACKBOX_PLAIN16
#endif

void __weft_last(uint32_t path)
{
    weft_blackbox *box = (weft_blackbox *)weft_blackbox_ram;
    uint32_t primask = weft_mask_interrupts(), count = box->count;
    cell *entry = (cell *)(box + 1) + (count & box->mask);
    *entry = (cell)path;
    weft_shared_set(&box->count, count + 1);
    weft_restore_interrupts(primask);
}

static weft_status begin(void *box, size_t bytes, uint32_t identity, weft_blackbox_found *found)
{
    return weft_blackbox_begin(box, bytes, FORM, identity, found);
}

static void empty(void *box)
{
    weft_blackbox_empty(box);
}

static uint32_t sum(const void *box)
{
    return weft_blackbox_sum(box);
}

static void open_box(void *box, weft_blackbox_found found)
{
    weft_blackbox_open(box, found);
}

static uint32_t hold(void *box)
{
    weft_blackbox_hold(box);
    return ((const weft_blackbox *)box)->held_count;
}

static void keep_sum(void *box, uint32_t count, uint32_t value)
{
    weft_blackbox_keep_sum(box, count, value);
}

static void resume(void *box)
{
    weft_blackbox_resume(box);
}

const weft_blackbox_choice weft_blackbox_chosen = {begin, empty, sum, open_box, hold, keep_sum, resume};
