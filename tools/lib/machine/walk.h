/* SPDX-License-Identifier: MIT */
/* How many machine instructions a path of a function is, from the ELF alone.
 *
 * A path's number is a constant at the probe that ends it, once it is known which way the machine took from the probe
 * before it, or from the function's entry: so all ways between probes are walked, with the constants that path numbers
 * are made of (tools/lib/machine/routine.h), and each walk gives the number of its path and counts its instructions.
 * Where a branch has become an IT block, a walk divides at the instructions that path numbers depend on. What walks on
 * from a probe knows which block the path that ended there enters, and does not take paths of other starts; so code
 * that follows a call that does not return does no harm.
 *
 * Instructions belong to the path during which they execute: from after the probe that ended the previous one, or from
 * the function's entry, to the probe that ends it, and with the last path of an activation to the return, the tail
 * call, the call that does not return, or the computed goto. Instructions of an IT block count whether their condition
 * holds or not, callees do not count.
 *
 * No probe stands in a loop of one path (tools/lib/machine/counted.h). There the loop's head divides: a pass goes from
 * head to head, and the first one begins where its path does. What led to the head belongs to the first pass, if there
 * is any, and what follows the last time to the path after the loop.
 *
 * int scale(int value, int by) { if (by > 4) note(value); return value * by + 1; } for a Cortex-M3, -O2:
 *
 *     2f8  cmp push mov mov                        walks from the entry divide at bgt:
 *     300  bgt 310
 *     302  ldr r0, =1; bl __weft_path              1. the branch is not taken: the constant is 1, so this is path 1.
 *     308  mul adds pop                               It goes on to the return: cmp to bgt, mul to pop: 8 instructions
 *     310  ldr r0, =2; bl __weft_path              2. taken: path 2, which ends before the call: cmp to bgt: 5
 *     316  mov; bl note                            3. from the probe of path 2, with its block: path 3,
 *     31c  ldr r0, =3; bl __weft_path                 mov to bl, then mul to pop: 5
 *     322  mul adds pop                            Each of the probes is two instructions more. */
#ifndef WEFT_TOOLS_LIB_MACHINE_WALK_H
#define WEFT_TOOLS_LIB_MACHINE_WALK_H

#include "tools/lib/image/descriptor.h"
#include "tools/lib/machine/starts.h"

typedef struct walk walk;

/* `r` is the code of `f`; all three outlive the walk. Work and memory are bounded: a function that takes more is not
 * known. `ways`: walk_way will be asked. */
walk *walk_new(const routine *r, const descriptors *all, const descriptor_function *f, bool ways);
void walk_free(walk *w);
/* By local path number. False: not known. */
bool walk_find(const walk *w, uint32_t path, walk_cost *cost);
/* The steps of the routine that every execution of a path takes, in order, up to the probe that ends it: from malloc.
 * Where the machine may go one way or another, those of neither are left out. Returns their number; 0: not known. */
size_t walk_way(const walk *w, uint32_t path, uint32_t **steps);

#endif
