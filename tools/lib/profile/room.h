/* SPDX-License-Identifier: MIT */
/* The room `profile`: events -> k-iteration path forests.
 *
 * In:   the paths of a container's control stream, or the k-slab forest that a target wrote into it; the program, which
 *       says where routines begin and end.
 * Out:  how often each sequence of up to k consecutive paths of an activation was taken.
 *
 * activations.h feeds a container to a forest: it finds the activation that each path belongs to. kipf.h is the forest;
 * it adds up any number of containers. What is missing is not counted, and said: gaps, paths whose beginning was
 * lost. */
#ifndef WEFT_TOOLS_LIB_PROFILE_ROOM_H
#define WEFT_TOOLS_LIB_PROFILE_ROOM_H

#include "tools/lib/profile/activations.h"
#include "tools/lib/profile/kipf.h"

#endif
