/* SPDX-License-Identifier: MIT */
/* The addresses and values of a TRACE frame in the order of its accesses, whichever sections they are in. */
#ifndef WEFT_TOOLS_LIB_RECORDING_FRAME_NUMBERS_H
#define WEFT_TOOLS_LIB_RECORDING_FRAME_NUMBERS_H

#include "tools/lib/recording/engines.h"
#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/numbers.h"

typedef struct frame_numbers {
    numbers bus, values;
    leases *leases;
    bool engines;     /* the frame may have some: addresses of unknown sites cannot be passed over */
    uint32_t address; /* the last one of the epoch, 0 at its start */
    bool missing;     /* an address was not there */
} frame_numbers;

void frame_numbers_open(frame_numbers *n);
void frame_numbers_close(frame_numbers *n);
/* Starts on the sections of a frame, which must stay valid. NULL, or what is wrong with them. */
const char *frame_numbers_start(frame_numbers *n, const trace_body *body);
/* An epoch begins. */
void frame_numbers_restart(frame_numbers *n);
/* The next address of an access, and the next value. */
uint32_t frame_numbers_address(frame_numbers *n, uint32_t site);
uint64_t frame_numbers_value(frame_numbers *n, uint32_t site);
/* Passes over numbers of unknown sites. frame_numbers_restart must follow. False: not over the addresses. */
bool frame_numbers_skip(frame_numbers *n, uint32_t accesses, uint32_t values);
/* NULL if exactly all numbers of the frame were read, else what is wrong. */
const char *frame_numbers_end(const frame_numbers *n);

#endif
