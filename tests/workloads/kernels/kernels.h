/* SPDX-License-Identifier: MIT */
/* Small kernels. Each works on deterministic data and returns a checksum that does not depend on the compiler's
 * options: the floating-point ones use operations in a fixed order, no fused ones, and are rounded before they are
 * summed. */
#ifndef WEFT_WORKLOADS_KERNELS_H
#define WEFT_WORKLOADS_KERNELS_H

#include <stdint.h>

#ifdef SMALL
#define SIZE 8
#define SIGNAL 64
#else
#define SIZE 16
#define SIGNAL 256
#endif

/* FNV-1a over words. */
static inline uint32_t mix(uint32_t sum, uint32_t value)
{
    return (sum ^ value) * 16777619u;
}

static inline uint32_t next_random(uint32_t *random)
{
    return *random = *random * 1664525u + 1013904223u;
}

uint32_t matrix_product(void);
uint32_t cholesky(void);
uint32_t fir(void);
uint32_t fft(void);
uint32_t stencil(void);
uint32_t sort(void);
uint32_t linked_list(void);
uint32_t recursion(void);
uint32_t jumps(void);
uint32_t state_machine(void);

#endif
