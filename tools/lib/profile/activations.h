/* SPDX-License-Identifier: MIT */
/* Which activation of a routine each path of a control stream belongs to. The host finds this from the paths that start
 * at an entry and those that leave. Each context has its own stack. A path of an activation further down the stack
 * shows that those above it are gone (longjmp). After a gap all activations are new, so that nothing is counted across
 * it.
 *
 *     path                    open after it
 *     main, starts at entry   main
 *     f, starts at entry      main f
 *     f, leaves               main
 *     f, starts at entry      main f          another activation of f
 *     main                    main            f has not left: a longjmp ended it */
#ifndef WEFT_TOOLS_LIB_PROFILE_ACTIVATIONS_H
#define WEFT_TOOLS_LIB_PROFILE_ACTIVATIONS_H

#include "tools/lib/image/program.h"
#include "tools/lib/profile/kipf.h"
#include "tools/lib/profile/rounds.h"
#include "tools/lib/profile/sequences.h"
#include "tools/lib/recording/filter.h"
#include "tools/lib/recording/script.h"

/* Counts the wanted paths of the container's control stream. Without a program (NULL) each path is an
 * activation of its own, so that only sequences of one path are counted. *unread: see control_unread. NULL, or a
 * message, valid until the next call: the program does not have one of the paths. */
const char *activations_count(const container *file, program *app, const event_filter *wanted, sequences *counts,
                              uint64_t *unread);

/* Pushes the wanted paths into a forest, with the program's scripts (or NULL, as above: then no function is chosen),
 * for callers that feed many containers. wanted: NULL, or only its paths and loops count. loops: NULL, or where the
 * rounds of loops are counted. */
const char *activations_feed_scripts(const container *file, scripts *paths, const descriptors *known,
                                     const event_filter *wanted, kipf *forest, rounds *loops, uint64_t *unread);

/* Adds all parts of the container's profile. NULL, or what is wrong. */
const char *activations_feed_profile(const container *file, kipf *forest);

#endif
