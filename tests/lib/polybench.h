/* SPDX-License-Identifier: MIT */
/* The address streams of the 30 kernels of PolyBench/C 4.2.1, written from their mathematical definitions, and of
 * tiled and time-skewed versions. Each array reference in the source is a site of its own; elements are
 * 8 bytes, rows are contiguous, arrays lie far apart. Nothing is computed: only the addresses are made. */
#ifndef WEFT_TESTS_LIB_POLYBENCH_H
#define WEFT_TESTS_LIB_POLYBENCH_H

#include <stdbool.h>
#include <stdint.h>

enum { POLYBENCH_SITES_MAX = 64 };
enum { POLYBENCH_MINI, POLYBENCH_SMALL, POLYBENCH_MEDIUM };

/* One access: site 0..POLYBENCH_SITES_MAX-1 within the kernel, the reference as in the source, the address. */
typedef void polybench_visit(void *context, unsigned site, const char *reference, int64_t address);

/* Kernels 0..count-1: first the 30, then the tiled ones. */
unsigned polybench_count(void);
const char *polybench_name(unsigned kernel);
bool polybench_tiled(unsigned kernel);
void polybench_run(unsigned kernel, unsigned size, polybench_visit *visit, void *context);

#endif
