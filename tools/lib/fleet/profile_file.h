/* SPDX-License-Identifier: MIT */
/* Merged profiles as bytes (docs/FORMATS.md, 12). The bytes depend on what was merged, and on nothing else. A file may
 * hold several profiles, one after the other: so files can be put together by `cat`, and merged later.
 *
 *     size_t size;
 *     uint8_t *bytes = profile_write(all, &size, &error);
 *     const char *error = profile_read(all, bytes, size, &used);      adds the first profile of the bytes */
#ifndef WEFT_TOOLS_LIB_FLEET_PROFILE_FILE_H
#define WEFT_TOOLS_LIB_FLEET_PROFILE_FILE_H

#include <stdbool.h>

#include "tools/lib/fleet/merged.h"

#define PROFILE_MAGIC "WEFTPRF"
enum { PROFILE_MAGIC_SIZE = 7, PROFILE_HEAD_SIZE = 16, PROFILE_TAIL_SIZE = 8 };
/* Version 1 has no leads (merged.h), and is written where no path has one. */
enum { PROFILE_VERSION = 2 };

/* Why --recording (recording/chosen.h) is refused. */
#define PROFILE_REPEATS "a recording in it has been merged already"
#define PROFILE_TOO_LARGE "a sum is larger than a profile can hold"
#define PROFILE_NO_CHOICE "a merged profile holds sums: no recording of it can be read alone (--label chooses)"

/* Whether a file begins as a profile does. False, too, for what is not a regular file. */
bool profile_is(const char *path);

/* From malloc. NULL, and what is wrong: a sum did not fit. */
uint8_t *profile_write(const merged *all, size_t *size, const char **error);

/* Adds the profile that the bytes begin with; *used: its size. NULL, or what is wrong: then nothing was added, unless
 * all->overflow is set. What is added takes memory in proportion to its size. */
const char *profile_read(merged *all, const uint8_t *bytes, size_t size, size_t *used);

#endif
