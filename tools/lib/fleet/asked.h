/* SPDX-License-Identifier: MIT */
/* Profiles that are asked something, with the descriptors of their images: from the profiles themselves, or from the
 * images where those are given. */
#ifndef WEFT_TOOLS_LIB_FLEET_ASKED_H
#define WEFT_TOOLS_LIB_FLEET_ASKED_H

#include "tools/lib/fleet/merged.h"
#include "tools/lib/fleet/questions.h"
#include "tools/lib/image/program.h"
#include "tools/lib/profile/coverage.h"

typedef struct asked {
    merged *all; /* the sum of the profiles */
    fleet_images images;
    program **apps;
    size_t app_count;
    descriptors **own; /* by image; those that were read from a profile */
} asked;

/* `paths` ends with NULL. Each image of `elf` must be of some recording. False, and a message. asked_close in any
 * case. */
bool asked_open(asked *a, char *const *paths, const char *const *elf, size_t elf_count, char *message,
                size_t message_size);
void asked_close(asked *a);

/* Whether an image has recordings with the labels. */
bool asked_has(const asked *a, uint32_t number, const char *wanted);

/* Whether any has; else a message. True where no label is wanted: NULL or "". */
bool asked_for(const asked *a, const char *wanted, char *message, size_t message_size);

/* asked_for, and from then on only the recordings with these labels are there; but all->devices stays that of all. */
bool asked_choose(asked *a, const char *wanted, char *message, size_t message_size);

/* What ran of an image in the recordings that have the labels; NULL: its descriptors are not known. coverage_free. */
coverage *asked_coverage(const asked *a, uint32_t number, const char *wanted);

/* The first bytes of an image's identity in hexadecimal. Gives `text`. */
const char *asked_image_text(const asked *a, uint32_t number, char text[40]);

#endif
