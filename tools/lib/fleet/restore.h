/* SPDX-License-Identifier: MIT */
/* A merged profile as what other rooms compute from one recording, so that the same commands answer from it: forests
 * (kipf.h), functions (functions.h), coverage (coverage.h). Of its groups those are taken that are of an image; of a
 * profile with several images the caller says which. */
#ifndef WEFT_TOOLS_LIB_FLEET_RESTORE_H
#define WEFT_TOOLS_LIB_FLEET_RESTORE_H

#include "tools/lib/fleet/merged.h"
#include "tools/lib/image/program.h"
#include "tools/lib/profile/coverage.h"
#include "tools/lib/profile/functions.h"
#include "tools/lib/profile/sequences.h"

/* All profiles of a file, added to `all`. False, and a message: it cannot be read, or is damaged. */
bool restore_file(merged *all, const char *path, char *message, size_t message_size);

/* Whether an image of a profile is that of an ELF. */
bool restore_is_image(const merged_image *from, const program *app);
/* Which image the questions are about: that of the ELF, or the only one if `app` is NULL. False, and a message. */
bool restore_image(const merged *all, const program *app, uint32_t *number, char *message, size_t message_size);

/* Adds the forests of an image's groups to *forest, which is made with the first one's k if it is NULL; those of
 * another k to *others, which is made for sequences of up to `depth` paths. False, and a message: some are of a k below
 * `depth`. */
bool restore_forest(const merged *all, uint32_t number, unsigned depth, kipf **forest, sequences **others,
                    char *message, size_t message_size);
/* Fills the tables, which have the program's functions (functions_of_program), and ends them: no functions_finish.
 * Callers and callees have no line. */
bool restore_functions(const merged *all, uint32_t number, program *app, functions *out, char *message,
                       size_t message_size);
/* Adds the paths. False: the image does not have one of them. */
bool restore_coverage(const merged *all, uint32_t number, coverage *out);
/* What is missing in the groups of an image. */
merged_totals restore_totals(const merged *all, uint32_t number);

#endif
