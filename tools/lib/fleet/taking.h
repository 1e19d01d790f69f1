/* SPDX-License-Identifier: MIT */
/* One recording into a merged profile: what the steps of intake_add share.
 *     taking_image.c  1  which image it is of
 *     taking_count.c  2  the forest of its paths; with an image also calls, costs and loops
 *     taking_add.c    3  all of it into the profile */
#ifndef WEFT_TOOLS_LIB_FLEET_TAKING_H
#define WEFT_TOOLS_LIB_FLEET_TAKING_H

#include "tools/lib/base/numbering.h"
#include "tools/lib/fleet/labels.h"
#include "tools/lib/fleet/merged.h"
#include "tools/lib/machine/costs.h"
#include "tools/lib/profile/activations.h"
#include "tools/lib/profile/functions_probes.h"
#include "tools/lib/recording/filter.h"

/* An image and what is known of it; kept over all recordings. */
typedef struct taking_image {
    program *app;
    scripts *paths;
    path_costs *costs;
    rounds *loops;
    uint64_t digest;        /* of its descriptors */
    merged_image packed;    /* its descriptors only */
    uint64_t *calls, *self; /* of one recording, by function */
} taking_image;

typedef struct taking {
    taking_image *images; /* those that were given */
    size_t image_count;
    unsigned k_most; /* of the sequences of a control stream */
    event_choice choice;
    event_filter wanted; /* the same, of this recording */
    merged *all;
    merged_group *group;
    taking_image *image; /* of the recording; NULL: not known */
    container *file;
    kipf *forest;
    functions *functions; /* NULL: no control stream, or no image */
    bool stream;
    uint32_t k, set;
    uint64_t unread;
    functions_seen seen;
} taking;

/* How often each path came, from the nodes of the forest. */
typedef struct path_sums {
    numbering numbers;
    uint64_t *count;
    size_t max;
} path_sums;

enum { TAKING_IDENTITY_MAX = 80 };

/* Step 1. False, and a message: images are given, but not its own. */
bool taking_find_image(taking *t, char *message, size_t message_size);
/* What the image says of itself, or what the recording says. 0: nothing. */
size_t taking_identity(const taking *t, uint8_t out[TAKING_IDENTITY_MAX]);

/* Step 2. Fills the forest, and with an image the tables of calls and loops. NULL, or what is wrong. */
const char *taking_count(taking *t);
path_sums path_sums_of(const kipf *forest);
/* Calls and costs by function: what the replay counted, or what the paths say. False: a path that the image does not
 * have. */
bool taking_price(taking *t, const path_sums *sums);
/* The number of the function that a path belongs to; all->count: none. */
size_t taking_function_of(const descriptors *all, uint32_t path);

/* Step 3. */
void taking_add(taking *t, const path_sums *sums, const labels *l, uint64_t digest);

#endif
