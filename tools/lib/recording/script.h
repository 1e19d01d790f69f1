/* SPDX-License-Identifier: MIT */
/* The scripts of a program's paths: what one path record stands for, in order, as a replay needs it (replay.h). A
 * script is made from the descriptors when its path is first asked for, and kept.
 *
 *     if (!program_fits(app, file, message, sizeof message)) ...      the recording is of another image
 *     scripts *all = scripts_open(app);                               app must outlive it
 *     const replay_script *script = scripts_path(all, path);          script->entry: a routine starts here
 *     replay *events = replay_open(file, (replay_model){all, scripts_model});
 *     scripts_close(all); */
#ifndef WEFT_TOOLS_LIB_RECORDING_SCRIPT_H
#define WEFT_TOOLS_LIB_RECORDING_SCRIPT_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/events.h"
#include "tools/lib/recording/replay_all.h"

typedef struct scripts scripts;

scripts *scripts_open(const program *app);
void scripts_close(scripts *all);

/* The script of a global path number, valid until scripts_close. NULL: no function has that path. Several threads may
 * ask at once. */
const replay_script *scripts_path(scripts *all, uint32_t path);
/* The same, for the replay_model {all, scripts_model}. */
const replay_script *scripts_model(void *all, uint32_t path);

/* For replay_all. */
replay_needs scripts_needs(const scripts *all);

/* Do all recordings of the file come from this image? By identity and build id, where both sides have one, and by the
 * ranges of path numbers, up to a few thousand paths. False, and a message, if they do not. Where a recording has
 * nothing to compare, that is reported on standard error, and in what --json prints (json_remark). If all fit, the file
 * knows the program from here on (container_know), which must outlive all reading of it. */
bool program_fits(const program *app, container *file, char *message, size_t message_size);
/* Every recording had an identity or a build id to compare, and it is that of the image. */
bool program_identity_checked(const program *app, const container *file);

#endif
