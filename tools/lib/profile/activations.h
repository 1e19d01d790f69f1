/* SPDX-License-Identifier: MIT */
/* Which activation of a routine each path of a control stream belongs to, found again on the host from the paths that start
 * at an entry and those that leave. Each context has its own stack; a path of an activation further down says that those
 * above are gone (longjmp). Behind a gap all activations are new, so that nothing is counted across it. */
#ifndef WEFT_TOOLS_LIB_PROFILE_ACTIVATIONS_H
#define WEFT_TOOLS_LIB_PROFILE_ACTIVATIONS_H

#include "tools/lib/image/program.h"
#include "tools/lib/profile/kipf.h"
#include "tools/lib/recording/container.h"

/* Pushes all paths of the container's control stream into the forest. NULL, or what does not fit: a path that the program
 * does not have. The text is valid until the next call. Without a program each path is an activation of its own, so that
 * only the sequences of one path are counted. `*unread`: see control_unread. */
const char *activations_feed(const container *file, program *app, kipf *forest, uint64_t *unread);

/* Adds all parts of the container's profile. NULL, or what is wrong. */
const char *activations_feed_profile(const container *file, kipf *forest);

#endif
