/* SPDX-License-Identifier: MIT */
/* The numbers of a section of a TRACE frame, addresses (the bus section) or values, whatever the coder (core/FORMAT.md,
 * sections 6 and 7). */
#ifndef WEFT_TOOLS_LIB_RECORDING_NUMBERS_H
#define WEFT_TOOLS_LIB_RECORDING_NUMBERS_H

#include "core/bfcm_sites.h"
#include "core/bytes.h"

typedef enum numbers_coding { NUMBERS_VARINTS, NUMBERS_STRIDES, NUMBERS_BFCM } numbers_coding;

/* How the bus section of a weft_bus_coder_id is coded. False: it is not known. */
bool numbers_bus_coding(uint8_t bus_coder, numbers_coding *coding);

typedef struct number_slot {
    uint64_t value;
    int16_t stride;
    uint32_t epoch;
} number_slot;

/* All zero at first. */
typedef struct numbers {
    bool addresses;
    numbers_coding coding;
    weft_reader reader;
    number_slot *slots; /* of varints and strides */
    size_t slots_max;
    uint32_t mask, epoch;
    uint64_t last;
    uint32_t run;        /* of strides: predicted numbers to come */
    weft_bfcm_sites all; /* of bfcm */
    uint8_t flags, flags_left;
} numbers;

/* Starts on a section of a frame, whose bytes must stay valid. Only addresses are coded as strides. False: no recorder
 * has that many slots. */
bool numbers_start(numbers *n, bool addresses, numbers_coding coding, uint8_t slots_log2, const uint8_t *bytes,
                   size_t size);
/* An epoch begins. */
void numbers_restart(numbers *n);
/* The next number. `address`, for a value: of the last access that was recorded before it. Past the end, reader.status
 * is not WEFT_OK. */
uint64_t numbers_next(numbers *n, uint32_t site, uint32_t address);
/* Passes over numbers whose sites are not known. numbers_restart must follow. Returns how many of them were
 * predicted. */
uint32_t numbers_skip(numbers *n, uint32_t count);
/* Whether the section was read to its end, and no further. */
bool numbers_done(const numbers *n);
void numbers_free(numbers *n);

#endif
