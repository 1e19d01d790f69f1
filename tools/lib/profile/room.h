/* SPDX-License-Identifier: MIT */
/* The room `profile`: events -> k-iteration path forests; calls and costs by function; coverage.
 *
 * In:   the paths of a container's control stream, or the k-slab forest that a target wrote into it; a replay; the
 *       program, which says where routines begin and end.
 * Out:  how often each sequence of up to k consecutive paths of an activation was taken (kipf.h); who called whom, how
 *       often, and how many instructions that took (functions.h).
 *
 * sequences.h counts the same sequences sooner, where no forest has to be kept, sequences_stream.h those of a raw
 * stream on all cores. rounds.h: how often loops go round. trie.h: counts of sequences, below the forests.
 *
 * activations.h feeds a container to a forest: it finds the activation that each path belongs to. functions_probes.h
 * feeds a recording to the table of functions. Where each instruction is known (execution.h), no path is needed:
 * execution_full.h feeds a full recording to the table, coverage_executed.h makes its coverage. What is missing is not
 * counted, and reported: gaps, paths whose beginning was lost. */
#ifndef WEFT_TOOLS_LIB_PROFILE_ROOM_H
#define WEFT_TOOLS_LIB_PROFILE_ROOM_H

#include "tools/lib/profile/activations.h"
#include "tools/lib/profile/coverage.h"
#include "tools/lib/profile/coverage_executed.h"
#include "tools/lib/profile/execution.h"
#include "tools/lib/profile/execution_full.h"
#include "tools/lib/profile/functions.h"
#include "tools/lib/profile/functions_probes.h"
#include "tools/lib/profile/kipf.h"
#include "tools/lib/profile/rounds.h"
#include "tools/lib/profile/sequences.h"
#include "tools/lib/profile/sequences_stream.h"
#include "tools/lib/profile/trie.h"

#endif
