/* SPDX-License-Identifier: MIT */
/* Races that differ only in which threads of the same names take part: tasks that are made and deleted again and again
 * have one name and many numbers, and each pair of them is a race of its own. */
#ifndef WEFT_TOOLS_LIB_INSPECT_RACE_GROUPS_H
#define WEFT_TOOLS_LIB_INSPECT_RACE_GROUPS_H

#include "tools/lib/inspect/race.h"

typedef struct race_group {
    const race *first;    /* in the order of the races that were given */
    size_t pairs;         /* of threads; 1: `first` alone */
    uint64_t least, most; /* windows of a pair */
    uint64_t seen;        /* in a pair, at most */
    uint32_t over, by;    /* threads that are A, and B */
} race_group;

/* False: a thread of which only the number is known. */
bool race_has_name(const char *context);

/* Puts the races into groups, by their first race. The caller frees them. */
race_group *race_groups(const race *const *all, size_t count, size_t *groups);

#endif
