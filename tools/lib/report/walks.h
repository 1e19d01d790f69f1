/* SPDX-License-Identifier: MIT */
/* How each memory site walks: the first addresses of each, and their affine models. Memory grows with the sites of the
 * program, not with the run: only the first WALKS_KEPT addresses of a site are kept, and of the first WALKS_SITES
 * sites. */
#ifndef WEFT_TOOLS_LIB_REPORT_WALKS_H
#define WEFT_TOOLS_LIB_REPORT_WALKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/affine/model.h"

enum { WALKS_KEPT = 512, WALKS_SITES = 8192 };

typedef struct walk {
    uint32_t site, size;
    bool store;
    uint64_t count; /* accesses */
    uint32_t low, high;
    uint32_t kept;
    int64_t *address; /* the first `kept` */
    model model;      /* of these; after walks_model */
    bool modelled;
} walk;

typedef struct walks {
    walk *all;
    size_t count, max;
    uint32_t *slots;
    size_t slot_max;
    uint64_t left_out; /* accesses of sites beyond WALKS_SITES */
} walks;

void walks_free(walks *w);
void walks_access(walks *w, uint32_t site, uint32_t address, uint32_t size, bool store);
/* Sorts by accesses, the busiest first, and models the first `most`. */
void walks_model(walks *w, size_t most);

#endif
