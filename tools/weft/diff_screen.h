/* SPDX-License-Identifier: MIT */
/* The tables of `weft diff` for a screen: names first, changes in percent. */
#ifndef WEFT_TOOLS_WEFT_DIFF_SCREEN_H
#define WEFT_TOOLS_WEFT_DIFF_SCREEN_H

#include "tools/lib/inspect/part.h"

extern const char *const diff_keys[PART_KINDS];
extern const char *const diff_values[PART_KINDS][3]; /* of each kind two or three */

/* Digits after the point: means have one. */
int diff_digits(part_kind kind, unsigned value);

/* The first `top` rows of a kind, in lines of at most `columns` bytes. */
void diff_screen(const part_result *r, part_kind kind, size_t top, unsigned columns);

#endif
