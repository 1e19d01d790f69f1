/* SPDX-License-Identifier: MIT */
/* What an event of the firmware's own says, where its name is a format: "level %u of %u". The numbers stay numbers on
 * the target; they become text here. */
#ifndef WEFT_TOOLS_LIB_RECORDING_EVENT_TEXT_H
#define WEFT_TOOLS_LIB_RECORDING_EVENT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/image/symbols.h"

enum { EVENT_TEXT_MAX = 512 };

/* Conversions are those of printf for numbers: d i u x X o c, with flags, a width and a precision below 100; %% is a
 * percent sign; h and hh take the low 16 and 8 bits, l z j t change nothing: a number has 32 bits. A %c that cannot
 * be printed is a question mark. %p is an address: the object or function that holds it, as `queue` or `pool+12`; in
 * hexadecimal where there is none, or no `symbols` (NULL). False, and `text` is not set: the name has no conversion,
 * another one, or not one for each value. Longer texts are cut. */
bool event_text(char text[EVENT_TEXT_MAX], const char *name, const uint32_t *values, uint32_t count,
                const image_symbols *symbols);

#endif
