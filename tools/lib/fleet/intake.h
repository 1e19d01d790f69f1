/* SPDX-License-Identifier: MIT */
/* Recordings into a merged profile (merged.h).
 *
 * Without its image, a recording gives the sequences of the k-slab forest that its target counted, or, of a control
 * stream, how often each path came. With its image, a control stream gives sequences of up to k paths, calls, costs,
 * loops and chains of calls; a forest gives calls and costs.
 *
 *     intake *in = intake_new(4);
 *     if (!intake_image(in, "app.elf", message, sizeof message)) ...
 *     if (!intake_add(in, all, path, &labels, &left)) ...     left.say wants to stop
 *     intake_free(in); */
#ifndef WEFT_TOOLS_LIB_FLEET_INTAKE_H
#define WEFT_TOOLS_LIB_FLEET_INTAKE_H

#include "tools/lib/fleet/labels.h"
#include "tools/lib/fleet/merged.h"
#include "tools/lib/recording/filter.h"

typedef struct intake intake;

/* k: of the sequences of control streams, 2..MERGED_K_MAX. */
intake *intake_new(unsigned k);
void intake_free(intake *in);
/* An image that recordings may come from. False, and a message. */
bool intake_image(intake *in, const char *elf, char *message, size_t message_size);
/* Only what happened in one context, or in one function, or both, of recordings from now on. They get it as labels,
 * `context` and `function`, so a part of a run is never summed up with whole ones. The texts must stay. */
void intake_choose(intake *in, event_choice choice);
/* The labels that a recording gets which was given `labels` (NULL: none). From malloc. */
char *intake_labels(const intake *in, const char *labels);
bool intake_chooses(const intake *in);
/* Asked when a recording is about to be added, which then succeeds: false if another process has claimed its digest,
 * and adds the same recording. */
void intake_on_claim(intake *in, bool (*claim)(void *own, uint64_t digest), void *own);
/* A digest of what else than the recordings the result depends on: k, the images, what is chosen. */
uint64_t intake_digest(const intake *in);

/* Told of each recording that is left out: it cannot be read, is of no image, was added before. `why` does not name the
 * file; of a file with several recordings it names which. False: no more is to be added. */
typedef struct intake_left {
    bool (*say)(void *own, const char *why);
    void *own;
} intake_left;

/* Adds the recordings of a file, each by itself: nothing of one that is left out is added. False: `left` said so. */
bool intake_add(intake *in, merged *all, const char *path, const labels *l, const intake_left *left);

/* The descriptors of an image of a profile; NULL: it has none, or they are damaged. For descriptors_free. */
struct descriptors *intake_descriptors(const merged_image *from);

#endif
