/* SPDX-License-Identifier: MIT */
/* What the raw control coder predicts, for its reader: core/recorder_history.h without contexts, as core/FORMAT.md,
 * section 4, says it. Numbers are paths. */
#ifndef WEFT_TOOLS_LIB_RECORDING_COPIES_H
#define WEFT_TOOLS_LIB_RECORDING_COPIES_H

#include <stdint.h>

#include "core/recorder_history.h"

typedef struct copies copies;

copies *copies_new(void);
void copies_free(copies *c);
/* A frame begins, with a ring of 2^log2 places: WEFT_HISTORY_PLACES_MIN to 2^16. */
void copies_start(copies *c, uint8_t log2);
/* The next path is the predicted one. */
uint32_t copies_predicted(copies *c);
/* The next path lies `difference` from the predicted one. */
uint32_t copies_other(copies *c, uint32_t difference);
/* The context changes. */
void copies_switch(copies *c);
/* The path before; 0 before the first. */
uint32_t copies_last(const copies *c);

#endif
