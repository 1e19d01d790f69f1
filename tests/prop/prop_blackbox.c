/* SPDX-License-Identifier: MIT */
/* The plain black box. Every interleaving of a push with interrupts is tried: they push in their turn, and may be
 * the last thing that happens. Random streams are compared with a plain list. The code is that of the target. The
 * power may go at each of its steps. Where interrupts are not masked, one may come there. What is read is what a
 * debugger would find then. */
#define WEFT_PORT_EXCLUSIVE_H
#define WEFT_PORT_CORTEXM_H
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/recording/blackbox.h"

static uint32_t weft_mask_interrupts(void);
static void weft_restore_interrupts(uint32_t primask);
static void weft_shared_set(uint32_t *word, uint32_t value);

#include "port/cortex-m/probes_last.c"

#include "tests/lib/check.h"

enum { ENTRIES = 8, NEST = 2, CHOICES_MAX = 64, STREAM_MAX = 200, STREAMS = 20000 };

uint32_t weft_blackbox_ram[(sizeof(weft_blackbox) + 4 * 64) / 4];

/* ---- what should be in the ring ---- */

static uint32_t pushed[STREAM_MAX + CHOICES_MAX];
static uint32_t pushed_count, next_path;

/* What is read is what was pushed. *silent: nothing says that memory has changed. */
static bool reads(bool *silent)
{
    blackbox box;
    char message[200];
    const uint8_t *bytes = (const uint8_t *)weft_blackbox_ram;
    *silent = false;
    if (blackbox_find(&box, bytes, sizeof weft_blackbox_ram, 0) != 0 ||
        !blackbox_read(&box, bytes, sizeof weft_blackbox_ram, message, sizeof message))
        return false;
    bool good = box.count + box.overwritten == pushed_count;
    for (size_t i = 0; good && i < box.count; i++)
        good = box.path[i] == pushed[pushed_count - box.count + i];
    *silent = box.sum == BLACKBOX_UNCHANGED;
    blackbox_free(&box);
    return good;
}

static bool reads_back(void)
{
    bool silent;
    return reads(&silent);
}

static bool wrong_in_silence(void)
{
    bool silent;
    return !reads(&silent) && silent;
}

/* ---- every interleaving ---- */

static uint8_t choice[CHOICES_MAX]; /* 1: an interrupt comes at this point */
static unsigned points, depth;      /* points of this run so far; interrupts that are nested */
static bool masked, wrong, watched;
static uint64_t checked;

/* A point between two instructions. */
static void point(void)
{
    if (!watched)
        return;
    wrong |= !reads_back();
    checked++;
    if (masked || depth == NEST || points == CHOICES_MAX || !choice[points++])
        return;
    depth++;
    __weft_last(next_path++);
    depth--;
}

static uint32_t weft_mask_interrupts(void)
{
    uint32_t primask = masked;
    point();
    masked = true;
    point();
    return primask;
}

static void weft_restore_interrupts(uint32_t primask)
{
    point();
    masked = primask;
    point();
}

/* The count: the path has been stored. */
static void weft_shared_set(uint32_t *word, uint32_t value)
{
    const weft_blackbox *box = (const weft_blackbox *)weft_blackbox_ram;
    point();
    pushed[pushed_count++] = ((const cell *)(box + 1))[(value - 1) & box->mask];
    *word = value;
    point();
}

static void start(size_t entries)
{
    weft_blackbox_found found;
    memset(weft_blackbox_ram, 0xa5, sizeof weft_blackbox_ram);
    (void)weft_blackbox_begin((weft_blackbox *)weft_blackbox_ram, sizeof(weft_blackbox) + entries * sizeof(cell), FORM,
                              7, &found);
    weft_blackbox_open((weft_blackbox *)weft_blackbox_ram, found);
    pushed_count = 0;
    next_path = 1;
}

/* Chooses the next run: sets the last choice that was 0, and clears all after it. False: there is none. */
static bool next_choices(void)
{
    unsigned last = points < CHOICES_MAX ? points : CHOICES_MAX;
    while (last > 0 && choice[last - 1])
        choice[--last] = 0;
    if (last == 0)
        return false;
    choice[last - 1] = 1;
    return true;
}

/* First `before` undisturbed pushes, so that the wrap comes at each place; then a push with interrupts. */
static void try_all(unsigned before)
{
    memset(choice, 0, sizeof choice);
    do {
        start(ENTRIES);
        for (unsigned i = 0; i < before; i++)
            __weft_last(next_path++);
        points = 0;
        watched = true;
        __weft_last(next_path++);
        watched = false;
        wrong |= !reads_back();
    } while (next_choices());
}

/* ---- random streams ---- */

static check_random random_numbers = {1};

static uint32_t random_below(uint32_t n)
{
    return check_random_below(&random_numbers, n);
}

static void note(uint32_t path)
{
    pushed[pushed_count++] = path;
}

/* Any number of paths, with resets, holds and clears among them. */
static bool stream(void)
{
    weft_blackbox *box = (weft_blackbox *)weft_blackbox_ram;
    weft_blackbox_found found;
    size_t entries = (size_t)8 << random_below(4), count = random_below(STREAM_MAX);
    start(entries);
    for (size_t i = 0; i < count; i++) {
        uint32_t what = random_below(64);
        if (what == 0) {
            (void)weft_blackbox_begin(box, sizeof *box + entries * sizeof(cell), FORM, 7, &found);
            weft_blackbox_open(box, found);
            note(WEFT_BLACKBOX_RESET);
        } else if (what == 1) {
            weft_blackbox_hold(box);
            for (uint32_t left = random_below(4); left; left--) {
                uint32_t before = pushed_count;
                __weft_last(random_below(100));
                pushed_count = before;
            }
            if (!reads_back())
                return false;
            weft_blackbox_resume(box);
            note(WEFT_BLACKBOX_PAUSE);
        } else if (what == 2 && random_below(8) == 0) {
            weft_blackbox_empty(box);
            __weft_last(random_below(100)); /* an interrupt meanwhile */
            weft_blackbox_open(box, WEFT_BLACKBOX_NOTHING);
            pushed_count = 0;
        } else {
            uint32_t path = random_below(WEFT_BLACKBOX_PATHS16), before = pushed_count;
            __weft_last(path);
            pushed_count = before;
            note(path);
        }
    }
    return reads_back();
}

/* Each bit of memory, and any two of them, after the box was held. Where the ring seems to run, it has no sum. */
static void what_changes_in_a_held_box_is_noticed(void)
{
    weft_blackbox *box = (weft_blackbox *)weft_blackbox_ram;
    uint8_t *bytes = (uint8_t *)box;
    for (unsigned round = 0; round < 40; round++) {
        size_t entries = (size_t)8 << random_below(3), bits = 8 * (sizeof *box + entries * sizeof(cell));
        start(entries);
        for (uint32_t i = random_below(50); i; i--)
            __weft_last(random_below(WEFT_BLACKBOX_PATHS16));
        weft_blackbox_hold(box);
        weft_blackbox_keep_sum(box, box->held_count, weft_blackbox_sum(box));
        uint32_t before = pushed_count;
        __weft_last(5); /* is not kept */
        pushed_count = before;
        CHECK(reads_back());
        bool missed = false;
        for (size_t bit = 0; bit < bits; bit++) {
            size_t other = random_below((uint32_t)bits);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            missed |= wrong_in_silence();
            bytes[other / 8] ^= (uint8_t)(1u << other % 8);
            missed |= wrong_in_silence();
            bytes[other / 8] ^= (uint8_t)(1u << other % 8);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        CHECK(!missed);
    }
}

static void every_interleaving_reads_back(void)
{
    for (unsigned before = 0; before < 2 * ENTRIES + 2; before++)
        try_all(before);
    CHECK(!wrong);
    CHECK(checked > 1000);
}

static void random_streams_read_back(void)
{
    for (size_t i = check_quick() ? STREAMS / 10 : STREAMS; i; i--)
        CHECK(stream());
}

int main(void)
{
    RUN(what_changes_in_a_held_box_is_noticed);
    RUN(every_interleaving_reads_back);
    RUN(random_streams_read_back);
    return check_failed();
}
