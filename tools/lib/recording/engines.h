/* SPDX-License-Identifier: MIT */
/* The models section of a TRACE frame whose bus coder is TRE: which sites hold engines, and their addresses one by
 * one. */
#ifndef WEFT_TOOLS_LIB_RECORDING_ENGINES_H
#define WEFT_TOOLS_LIB_RECORDING_ENGINES_H

#include "core/bytes.h"

typedef struct leases leases;

leases *leases_open(void);
void leases_close(leases *all);
/* Reads a section, whose bytes must stay valid. In an empty one no site holds an engine. False: corrupt. */
bool leases_start(leases *all, const uint8_t *bytes, size_t size);
typedef enum lease_answer {
    LEASE_PLAIN,   /* the address is in the bus section */
    LEASE_ADDRESS, /* the address is in *address */
    LEASE_MISSING, /* the site holds an engine that has no addresses left */
} lease_answer;

/* To be asked for each access of the frame, in order. */
lease_answer leases_next(leases *all, uint32_t site, uint32_t *address);
/* Addresses that were not asked for yet. */
uint64_t leases_left(const leases *all);

#endif
