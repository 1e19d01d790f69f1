/* SPDX-License-Identifier: MIT */
/* Functions as comma-separated values (RFC 4180, lines end with a newline alone), with a head line. */
#ifndef WEFT_TOOLS_LIB_EXPORT_CSV_H
#define WEFT_TOOLS_LIB_EXPORT_CSV_H

#include <stdio.h>

#include "tools/lib/profile/functions.h"

/* Functions that ran. Returns the rows. The format has no place for losses. */
uint64_t export_csv(const functions *all, FILE *file);

#endif
