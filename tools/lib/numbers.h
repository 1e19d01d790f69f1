/* SPDX-License-Identifier: MIT */
/* The numbers of a section of a TRACE frame, addresses (the bus section) or values, of either coder: plain or bfcm (core/FORMAT.md,
 * sections 6 and 7). */
#ifndef WEFT_TOOLS_LIB_NUMBERS_H
#define WEFT_TOOLS_LIB_NUMBERS_H

#include "core/bfcm_sites.h"
#include "core/bytes.h"

typedef struct number_slot {
    uint64_t value;
    uint32_t epoch;
} number_slot;

/* All zero at first. */
typedef struct numbers {
    bool addresses, predicted;
    weft_reader reader;
    number_slot *slots; /* of the plain coder */
    size_t slots_max;
    uint32_t mask, epoch;
    uint64_t last;
    weft_bfcm_sites all; /* of the other one */
    uint8_t flags, flags_left;
} numbers;

/* A section of a frame, whose bytes must stay valid. False: so many slots cannot be. */
bool numbers_start(numbers *n, bool addresses, bool predicted, uint8_t slots_log2, const uint8_t *bytes, size_t size);
/* An epoch begins. */
void numbers_restart(numbers *n);
/* The next number. `address`: of the access before, for a value. Past the end, reader.status is not WEFT_OK. */
uint64_t numbers_next(numbers *n, uint32_t site, uint32_t address);
/* Passes over numbers whose sites are not known; a restart must follow. Returns how many of them were predicted. */
uint32_t numbers_skip(numbers *n, uint32_t count);
/* Whether the section was read to its end, and no further. */
bool numbers_done(const numbers *n);
void numbers_free(numbers *n);

#endif
