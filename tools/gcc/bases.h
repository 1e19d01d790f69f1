/* SPDX-License-Identifier: MIT */
/* Base sites, along their steps: which sums are kept in a loop (kept.cc), how others follow from those and one name
 * (one_name.cc), which are worth it (bases.cc), and where the probes go (base_sites.cc). */
#ifndef WEFT_TOOLS_GCC_BASES_H
#define WEFT_TOOLS_GCC_BASES_H

#include "tools/gcc/sums.h"

#include "cfgloop.h"

/* A sum on an edge that leads to `block`, where a base site is to record it. */
struct base_place {
    edge at;
    basic_block block;
    address_sum sum;
    bool ahead; /* the sum as it is after the edge; else in terms of what is there before */
};

/* A kept sum. */
struct keeping {
    std::vector<address_sum> forms; /* the sum, and what it is in terms of other phi nodes of the loop */
    std::vector<base_place> places;
    int cost = 0;        /* frequency of them all, */
    int limit = INT_MAX; /* and the most that is of use */
    int steps = 0;       /* edges that were looked at */
    bool within = false; /* some are in the loop: without them, its accesses would be recorded once a turn at most */
};

/* Distinct sums of a loop's accesses. */
struct loop_sum {
    address_sum sum;
    uint64_t accesses = 0; /* frequency of them all */
    uint64_t most = 0;     /* and of the most frequent */
    tree name = NULL_TREE; /* the one that is not kept */
    std::vector<computed_term> computed = {};
    std::vector<keeping> kept = {};
};

/* In order of appearance, so that each compilation gives the same. */
template <typename T> void add_once(std::vector<T> &list, T one)
{
    for (T other : list)
        if (other == one)
            return;
    list.push_back(one);
}

/* Kept sums (tools/gcc/kept.cc). */

/* The only edge into the loop; NULL: there are several, or it cannot hold code. */
edge entry_edge(const class loop *loop);
int frequency(const routine &r, profile_count count);
/* The sum without its constant and symbol. */
address_sum bare(address_sum sum);
/* Finds the places that record the sum. False: it cannot be kept in the loop. */
bool keep(const routine &r, keeping &k, const class loop *loop, const address_sum &sum);

/* Names that change each turn (tools/gcc/one_name.cc). */

address_sum sum_of_name(tree name);
/* Divides a sum into what is kept, and terms of one name that is not. False: that cannot be. */
bool explain(const routine &r, loop_sum &s, const class loop *loop);

/* The probes (tools/gcc/base_sites.cc). */

void place_keeping(routine &r, const keeping &k);
/* Records a name right after its definition. */
void place_name(routine &r, tree name);
/* At the entry of a routine that calls setjmp, and after each such call. */
void place_frames(routine &r);

#endif
