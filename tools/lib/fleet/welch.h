/* SPDX-License-Identifier: MIT */
/* Is a difference between two groups of recordings more than noise? For a cost per call: each recording i has a cost y
 * and a number of calls x. The cost per call of a group is the ratio estimator sum y / sum x. Its variance is that of
 * the residuals y - ratio * x over recordings (W. G. Cochran, "Sampling Techniques", section 6.4). So a recording is
 * one observation. Where sizes differ much, there are in effect fewer: (sum x)^2 / sum x^2, in the variance and in the
 * degrees of freedom. Two groups are compared by Welch's t test. Where no cost varies at all, the chance is that of a
 * permutation of the recordings. Only sums over recordings are needed, which merge exactly.
 *
 *     before: 10 calls cost 100, 10 cost 110       10.5 per call; residuals -5 and 5; variance 50 / 400 * 2 = 0.25
 *     after:  10 calls cost 150, 10 cost 160       15.5 per call; the same variance
 *     t = (15.5 - 10.5) / sqrt(0.25 + 0.25) = 7.07 with 2 degrees of freedom: p = 0.019 */
#ifndef WEFT_TOOLS_LIB_FLEET_WELCH_H
#define WEFT_TOOLS_LIB_FLEET_WELCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums over the recordings of a group that have calls. */
typedef struct welch_sums {
    uint64_t recordings, calls, cost;
    unsigned __int128 calls_squares, cost_squares, cross;
} welch_sums;

typedef struct welch_result {
    double before, after; /* cost per call */
    double t, freedom;
    double p;    /* two-sided; 1 if the two are equal; NAN if it cannot be known */
    bool tested; /* each group has two recordings or more */
} welch_result;

welch_result welch_compare(const welch_sums *a, const welch_sums *b);

/* Holm's correction of `count` probabilities, in place: which are true with a chance below the level that all of them
 * together are wrong. NAN stays. */
void welch_holm(double *p, size_t count);

/* The two-sided probability of Student's t. */
double welch_student(double t, double freedom);

#endif
