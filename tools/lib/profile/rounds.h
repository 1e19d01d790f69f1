/* SPDX-License-Identifier: MIT */
/* How often loops go round, as histograms, from the recorded paths and the descriptors. A loop is a natural loop of the
 * function's graph: the blocks from which a back edge into its head can be reached without passing the head. Each time
 * that control enters a loop and leaves it again it counts once, with its rounds: how often its head was executed. What
 * began before the recording or before a gap, or did not end in it, is not counted. A computed goto leaves the loops
 * that do not hold its target, and makes no round.
 *
 *     void f(int n) { for (int i = 0; i < n; i++) g(i); }        the head is `i < n`
 *
 *     f(3)    the head is executed 4 times: 4 rounds        f(0)    once: 1 round        f(5)    6 rounds
 *
 *     entries 3, sum 11, min 1, max 6; bin[0] (1 round) 1, bin[2] (4 to 7 rounds) 2
 *
 * That is at -O0. At -O2 GCC compares before the loop, too, and the head is the body: f(3) has 3 rounds, f(5) has 5,
 * and f(0) does not enter the loop.
 *
 * Memory grows with the program and its distinct paths. */
#ifndef WEFT_TOOLS_LIB_PROFILE_ROUNDS_H
#define WEFT_TOOLS_LIB_PROFILE_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/image/descriptor.h"

#define ROUNDS_BINS 64

typedef struct rounds_loop {
    uint32_t head; /* global number of its head block */
    uint64_t entries, sum;
    uint64_t min, max;         /* rounds of one entry; 0 if there is none */
    uint64_t bin[ROUNDS_BINS]; /* entries of 2^i .. 2^(i+1) - 1 rounds */
} rounds_loop;

typedef struct rounds rounds;

/* The loops that control is in, of all activations of a context, the innermost last. All zero at first. */
typedef struct rounds_open {
    uint32_t loop;
    bool whole; /* its entry was seen */
    uint64_t rounds;
} rounds_open;
typedef struct rounds_stack {
    rounds_open *open; /* from malloc */
    size_t count, max;
} rounds_stack;

/* `known` outlives it. */
rounds *rounds_new(const descriptors *known);
void rounds_free(rounds *all);
/* Sets all counters to 0. */
void rounds_clear(rounds *all);
/* One path of the activation on top, whose loops are those from `base` on. The program has the path. */
void rounds_path(rounds *all, rounds_stack *stack, size_t base, uint32_t path);
/* The loops that were found so far, in no order. */
const rounds_loop *rounds_loops(const rounds *all, size_t *count);

#endif
