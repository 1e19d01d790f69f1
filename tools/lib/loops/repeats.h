/* SPDX-License-Identifier: MIT */
/* All maximal repetitions (runs) of a string of 32-bit symbols.
 *
 *     abaababaabaab      period 1: aa at 2, 7, 10        period 3: abaaba at 0, abaabaab at 5
 *                        period 2: ababa at 3            period 5: abaababaaba at 0
 *
 * Bannai, I, Inenaga, Nakashima, Takeda, Tsuruta: "The runs theorem" (2017): each run contains a Lyndon root, the
 * longest Lyndon word that starts at its place, under the order of the symbols or under the reverse order. Ellert &
 * Fischer, "Linear time runs over general ordered alphabets" (2021), find these words by comparing neighbours only; no
 * suffix array is needed.
 *
 * Time O(n log n) for any string, in practice a few compares per symbol. Memory 8 bytes per symbol while it works, and
 * 12 per run. There are fewer than n runs. */
#ifndef WEFT_TOOLS_LIB_LOOPS_REPEATS_H
#define WEFT_TOOLS_LIB_LOOPS_REPEATS_H

#include <stddef.h>
#include <stdint.h>

/* text[start..end) has the smallest period `period`, end - start >= 2 * period, and cannot be made longer. */
typedef struct run {
    uint32_t start, end, period;
} run;

/* A list that grows; zero it to begin, runs_free it at the end. */
typedef struct run_list {
    run *all;
    size_t count, max;
} run_list;

/* The longest string that is taken, in symbols. */
#define RUNS_SIZE_MAX ((size_t)1 << 31)

/* The memory that runs_find works in: size + 1 elements each. */
typedef struct runs_work {
    uint32_t *next;  /* of each position the next smaller suffix */
    uint32_t *match; /* how many symbols the two suffixes share */
} runs_work;

/* Appends all runs of period at most `period_max` to `list`, in no useful order but this: those of one period are two
 * sequences, each by falling start. `size` is at most RUNS_SIZE_MAX. */
void runs_find(const uint32_t *text, size_t size, uint32_t period_max, const runs_work *work, run_list *list);

/* As runs_find, with memory of its own. */
void runs_find_all(const uint32_t *text, size_t size, run_list *list);

void runs_free(run_list *list);

#endif
