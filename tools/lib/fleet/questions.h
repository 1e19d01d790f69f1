/* SPDX-License-Identifier: MIT */
/* Questions to a merged profile: the paths of a fleet with the devices that took them, and two versions side by
 * side. */
#ifndef WEFT_TOOLS_LIB_FLEET_QUESTIONS_H
#define WEFT_TOOLS_LIB_FLEET_QUESTIONS_H

#include <stdio.h>

#include "tools/lib/fleet/merged.h"
#include "tools/lib/fleet/welch.h"
#include "tools/lib/image/descriptor.h"

/* The descriptors of each image; NULL where they are not known. */
typedef struct fleet_images {
    const descriptors **known; /* by image */
    size_t count;
} fleet_images;

/* ---- paths ---- */

typedef struct fleet_row {
    uint32_t image;
    size_t path; /* place of its first path in rows->paths */
    uint32_t length;
    uint64_t count;
    uint64_t cost; /* count * instructions of its paths; 0: not known */
    uint32_t set;  /* devices */
} fleet_row;

typedef struct fleet_rows {
    fleet_row *row;
    uint32_t *paths;
    size_t count, max, path_count, path_max;
} fleet_rows;

/* Why fleet_paths fails, and what to do. */
#define FLEET_TOO_SHORT                                                                                                \
    "some recordings were merged for sequences shorter than -k: ask for a lower -k, choose others by --label, or "     \
    "merge the recordings again with that -k, and their image (--elf)"

/* All sequences of up to k paths in groups that have all these labels; by image, then by path. Adds sets to `all`. With
 * fewer > 0 only those that fewer devices took, and no longer ones around such. False: some groups know only shorter
 * sequences. */
bool fleet_paths(merged *all, const char *wanted, unsigned k, uint32_t fewer, fleet_rows *out);
void fleet_rows_free(fleet_rows *rows);
/* The costliest first; those of equal cost by count. */
void fleet_rows_by_cost(fleet_rows *rows);

/* The names of a set's devices, unit-2 before unit-10; returns how many, 0 for SETS_MORE. *all_of_them: the profile
 * has no others. */
uint32_t fleet_devices(const merged *all, uint32_t set, const char *name[SETS_MEMBERS_MAX], bool *all_of_them);

/* The distinct lines of a path's blocks, in order, up to max; returns how many there are. */
size_t fleet_path_lines(const descriptors *known, uint32_t path, descriptor_line *lines, size_t max);
/* "function file.c:12-14,17"; the number where nothing is known. */
void fleet_print_path(const descriptors *known, uint32_t path, FILE *file);

/* ---- two versions ---- */

typedef struct fleet_change {
    const char *name, *file;
    unsigned parts;                   /* of the file's path that tell the function from others of that name */
    uint32_t line_before, line_after; /* of the function; 0: it is not in that version, as far as is known */
    bool unsure;                      /* and some of that version's recordings were merged without their image */
    welch_sums before, after;
    welch_result result;
    double p; /* of result, corrected for all functions that were tested (Holm) */
} fleet_change;

/* One path of a function: how often it is taken per call, and what it costs. */
typedef struct fleet_path_change {
    uint32_t path;                      /* of the version in which it costs more, else of the later one */
    bool of_before;                     /* `path` is a number of the earlier version */
    double before, after;               /* executions per call of the function */
    uint32_t price_before, price_after; /* instructions + 1; 0: it does not occur */
} fleet_path_change;

/* Functions of groups with the one labels and with the other, matched as in matching.h. In the order
 * of p, then of what changed most. From malloc. *count: how many. */
fleet_change *fleet_compare(const merged *all, const fleet_images *images, const char *before, const char *after,
                            size_t *count);
/* "slower", "faster" or "same" at this chance; "gone" or "new" where one version does not have it; "untested". */
const char *fleet_verdict(const fleet_change *change, double chance);
/* How many recordings of the two versions were merged without their image: their calls and costs are not known. */
uint64_t fleet_unpriced(const merged *all, const fleet_images *images, const char *before, const char *after);
/* The paths of one of them, of groups whose recordings were all merged with their image, matched by their lines
 * from the function's first one on; those that add most to the change first. From malloc. */
fleet_path_change *fleet_compare_paths(const merged *all, const fleet_images *images, const char *before,
                                       const char *after, const fleet_change *function, size_t *count);

#endif
