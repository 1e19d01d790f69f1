/* SPDX-License-Identifier: MIT */
/* What makes one run of a workload differ from the next: a number that the run gets, where it is built with SEEDED=1
 * (tests/workloads/seeded.mk). Else it is always the same. */
#ifndef WEFT_WORKLOADS_SEEDED_H
#define WEFT_WORKLOADS_SEEDED_H

#include <stdint.h>

#ifdef WORKLOAD_SEEDED
extern uint32_t workload_seed;
#else
enum { workload_seed = 12345 };
#endif

#endif
