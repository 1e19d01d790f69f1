/* SPDX-License-Identifier: MIT */
/* What of a run's loads, stores and values is not known although no event was lost. It is said on standard error, in
 * the same words by every command, and in what --json prints (json_remark).
 *
 * Objects left from a build with another choice of probes make an image *mixed*: some of its functions announce their
 * accesses (or values), others do not. What counts accesses is then incomplete. Where no function announces any, the
 * build was meant so, and nothing is missing.
 *
 *     bool missing = announced_say("race", app, ANNOUNCED_ACCESSES);     before the JSON is ended
 *     missing |= announced_say_unknown("race", unresolved, unknown);
 *     if (missing) exit status 3; */
#ifndef WEFT_TOOLS_LIB_RECORDING_ANNOUNCED_H
#define WEFT_TOOLS_LIB_RECORDING_ANNOUNCED_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/lib/image/program.h"

/* What an answer is made of: one, or both. */
enum { ANNOUNCED_ACCESSES = 1, ANNOUNCED_VALUES = 2 };

/* Whether an image is mixed in one of `kinds`. `app` NULL: no. */
bool announced_mixed(const program *app, unsigned kinds);
/* The same, and says so. */
bool announced_say(const char *command, const program *app, unsigned kinds);
/* For a command whose figures are those of the recording: the same as a note. */
bool announced_note(const char *command, const program *app, unsigned kinds);
/* Whether there are accesses without a known site, or without a known address. */
bool announced_say_unknown(const char *command, uint64_t unresolved, uint64_t unknown);
/* A note, if some instructions are estimated: which machine code their paths are is not known. */
void announced_note_estimated(const char *command, uint64_t instructions);
/* The same of a time by a clock. */
void announced_note_shared(const char *command, uint64_t nanoseconds);

#endif
