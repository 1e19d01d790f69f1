/* SPDX-License-Identifier: MIT */
/* Tables of a part of a run (functions.h), and their sum. A part begins with the activations that are open there; what
 * they cost before is known only when the parts are added up, in order. The sum is what one table of all would be, also
 * in its order, as long as fewer than FUNCTIONS_CHAINS_MAX chains are in it.
 *
 *     functions *part = functions_part_new(all);
 *     functions_part_open(part, context, &call);        outermost first, for each that is open
 *     ... a feeder ...                                  but no functions_finish, clock, listener
 *     functions_add_part(all, part); */
#ifndef WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_PARTS_H
#define WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_PARTS_H

#include "tools/lib/profile/functions.h"

/* An activation that is open. */
typedef struct functions_call {
    uint32_t function;
    function_place at;   /* where it is, for the calls that it makes */
    bool entered;        /* its beginning was recorded: */
    uint32_t caller;     /* FUNCTIONS_NONE: none is known */
    function_place from; /* of the call */
} functions_call;

/* An empty table of the same functions. */
functions *functions_part_new(const functions *all);
void functions_part_open(functions *part, uint32_t context, const functions_call *call);
/* The contexts that ran so far, the activations that are open in one, and one of them; 0: the outermost. */
size_t functions_context_count(const functions *all);
uint32_t functions_context_number(const functions *all, size_t index);
size_t functions_depth(const functions *all, size_t index);
functions_call functions_call_at(const functions *all, size_t index, size_t depth);
/* Adds a part whose open activations were those that are open now. Changes the part. */
void functions_add_part(functions *all, functions *part);

#endif
