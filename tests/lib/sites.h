/* SPDX-License-Identifier: MIT */
/* The streams of one PolyBench kernel, site by site, in memory. Host only. */
#ifndef WEFT_TESTS_LIB_SITES_H
#define WEFT_TESTS_LIB_SITES_H

#include <stddef.h>

#include "tests/lib/polybench.h"

typedef struct site {
    const char *reference;
    int64_t *address; /* malloc */
    size_t count, room;
} site;

typedef struct sites {
    unsigned count;
    site site[POLYBENCH_SITES_MAX];
} sites;

void sites_collect(sites *s, unsigned kernel, unsigned size);
void sites_free(sites *s);

#endif
