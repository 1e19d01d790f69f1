/* SPDX-License-Identifier: MIT */
/* weft dump of a full recording. */
#ifndef WEFT_TOOLS_WEFT_DUMP_FULL_H
#define WEFT_TOOLS_WEFT_DUMP_FULL_H

#include "tools/lib/recording/filter.h"
#include <stdbool.h>

/* Kinds of events that dump prints. */
enum { EVENTS_CONTROL = 1, EVENTS_BUS = 2, EVENTS_VALUES = 4 };

/* `elf` may be NULL. The exit status. */
int dump_full(const char *path, const char *elf, event_choice choice, unsigned events, bool json);

#endif
