/* SPDX-License-Identifier: MIT */
/* Where walks begin (tools/lib/machine/walk.h), each place once, and sets of hashes that say what was seen. */
#ifndef WEFT_TOOLS_LIB_MACHINE_STARTS_H
#define WEFT_TOOLS_LIB_MACHINE_STARTS_H

#include "tools/lib/machine/routine.h"

/* Of one path, over all ways that the machine may go on it. */
typedef struct walk_cost {
    uint32_t least, most;         /* instructions of the program */
    uint32_t least_all, most_all; /* with those that serve only probes */
    uint32_t rare, rare_all;      /* what such a pass of a loop may take more in which some of its passes are recorded:
                                     at most one of 2^16 - 1 (tools/gcc/weft_gcc.h, LOOP_PASSES) */
    bool loops;                   /* a loop without a probe lies on the way, its rounds not known: counted once */
} walk_cost;

typedef struct tally {
    uint32_t all, own;
    uint64_t heads; /* heads of cycles that were passed */
} tally;

/* They differ by what stands before `ended`. */
typedef struct walk_start {
    uint32_t step, block;
    bool call_ends; /* the first call does not return */
    tally begun;    /* of the path, before the step */
    routine_state state;
    bool ended; /* some walk left the function, or went away, and these are the least and the most that it took */
    walk_cost end;
    uint64_t end_heads;
} walk_start;

typedef struct starts {
    walk_start *all;
    uint32_t count;
    size_t max;
    uint32_t *slots; /* number + 1, open addressing */
} starts;

/* A set of 64-bit hashes; 0 is none. Two that are equal by chance would lose a walk: of 2^22, one in 2^21. */
typedef struct hashed {
    uint64_t hash;
    uint32_t route; /* of the walk that came first */
} hashed;

typedef struct hashes {
    hashed *slot;
    size_t count, max;
} hashes;

uint64_t starts_mix(uint64_t hash, uint64_t value);
uint64_t starts_hash(const routine_state *state);
/* False: it was there, and *route becomes what stands with it. */
bool hashes_add(hashes *set, uint64_t hash, uint32_t *route);

/* The number of the start, which is added if there is none like it. ROUTINE_NONE: there are too many. May move all. */
uint32_t starts_add(starts *set, const walk_start *s);
void starts_free(starts *set);

walk_cost starts_cost(const tally *t);
/* Takes in another way, or the first. */
void starts_widen(walk_cost *cost, bool first, walk_cost by);

#endif
