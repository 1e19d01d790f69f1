/* SPDX-License-Identifier: MIT */
/* The models section of a TRACE frame whose bus coder is TRE: which sites hold engines, and their addresses one by one. */
#ifndef WEFT_TOOLS_LIB_LEASES_H
#define WEFT_TOOLS_LIB_LEASES_H

#include "core/bytes.h"

typedef struct leases leases;

leases *leases_open(void);
void leases_close(leases *all);
/* Reads a section, whose bytes must stay valid. An empty one lends nothing. False: corrupt. */
bool leases_start(leases *all, const uint8_t *bytes, size_t size);
/* True if the site holds an engine; *address is then its next one. False too when there are no more (leases_left tells). */
bool leases_next(leases *all, uint32_t site, uint32_t *address);
/* True if the site holds an engine. */
bool leases_held(const leases *all, uint32_t site);
/* Accesses that were not asked for yet. */
uint64_t leases_left(const leases *all);

#endif
