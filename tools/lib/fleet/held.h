/* SPDX-License-Identifier: MIT */
/* Which recording is which: a digest of the labels and all frames, since two devices may well send the same bytes.
 * Frames that came twice or late, and zero bytes of memory that was never written, do not change it.
 *
 *     uint64_t digest = held_digest(held_frames(file), labels.text, labels.device);     of one recording
 *     if (held_in(all, "run.weft")) ...                                                 whatever labels it was given */
#ifndef WEFT_TOOLS_LIB_FLEET_HELD_H
#define WEFT_TOOLS_LIB_FLEET_HELD_H

#include "tools/lib/fleet/merged.h"
#include "tools/lib/recording/container.h"

uint64_t held_frames(const container *file);
/* labels: without device; device: NULL if none was given. */
uint64_t held_digest(uint64_t frames, const char *labels, const char *device);
/* Whether a profile holds a recording of a file, with any labels of its groups and any device whose name it keeps. One
 * whose name is nowhere, since each of its paths was taken by more than SETS_MEMBERS_MAX devices, is not found. */
bool held_in(const merged *all, const char *path);

#endif
