/* SPDX-License-Identifier: MIT */
/* The probe of a k-slab forest where there are exclusive stores: in assembler, since the compiler would save more
 * registers, and keeps no exclusive store apart from what lies around it. */
#include <stddef.h>

#include "core/own.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/kpath_parts.h"
#include "port/cortex-m/probes_parts.h"

#if WEFT_MAINLINE

_Static_assert(offsetof(weft_ksf_gate, node) == 4 && offsetof(weft_ksf_gate, open) == 0, "the probe knows the fields");
_Static_assert(offsetof(weft_kpath_gate, forest) == 8 && offsetof(weft_kpath_gate, roots) == 12 &&
                   offsetof(weft_kpath_gate, roots_mask) == 16,
               "likewise");
_Static_assert(offsetof(weft_ksf_activation, generation) == 0 && offsetof(weft_ksf_activation, at) == 4, "likewise");
_Static_assert(sizeof(weft_ksf_node) == 16 && offsetof(weft_ksf_node, below) == 0 &&
                   offsetof(weft_ksf_node, child) == 2 && offsetof(weft_ksf_node, sibling) == 4 &&
                   offsetof(weft_ksf_node, parent) == 6 && offsetof(weft_ksf_node, label) == 8 &&
                   offsetof(weft_ksf_node, count) == 12,
               "likewise");
_Static_assert(offsetof(weft_ksf, again) == 31 && offsetof(weft_ksf, nodes_max) == 20 &&
                   offsetof(weft_ksf, used) == 24 && WEFT_KSF_NEAR == 4,
               "likewise");

/* r0 the path, r1 the activation, r2 its generation (until a ring is searched), r3 what its word becomes at the child,
 * r4 the nodes, r5 the child, r6 the node where the activation stands, ip the entrance.
 *
 * The edge used last: weft_ksf_pass, without a mask. The exclusive store fails if an exception came after the count was
 * read, and the gate is looked at again after that. So if it was open for the same segment both times, the node is of
 * that segment.
 *
 * 1: another child. Its ring is searched with interrupts on; nodes stay while a segment lasts, so the gate alone tells
 * whether what was found is right. What was not found is new if there are as many nodes as before the search, and is
 * made. A ring that was emptied and filled again meanwhile may never come back to its start, so the search ends after
 * 64.
 *
 * 3: the first child. It is made if the node still has none: a handler may have made one since the node was read. At
 * the end of a chunk it is not made: nothing says where its link is.
 *
 * 4: the first path of an activation. Its root is taken as the edge used last is, if it is where the ring begins. The
 * next three are searched with a mask. */
__attribute__((naked)) void __weft_kpath(uint32_t path __attribute__((unused)),
                                         uint32_t activation[4] __attribute__((unused)))
{
    __asm volatile("push {r4-r7, lr}\n\t"
                   "ldr ip, =weft_kpath_entrance\n\t"
                   "ldrd r2, r3, [r1]\n\t" /* generation, at */
                   "ldrd lr, r4, [ip]\n\t" /* open, node */
                   "cmp r2, lr\n\t"
                   "bne 4f\n\t"
                   "add r6, r4, r3, lsr #12\n\t" /* where the activation stands; steps are below 4,096 */
                   "ldr r3, [r6]\n\t"            /* what it becomes at the child */
                   "add r5, r4, r3, lsr #12\n\t" /* the child */
                   "ldrex lr, [r5, #12]\n\t"
                   "ldr r7, [ip]\n\t"
                   "cmp r2, r7\n\t"
                   "bne 9f\n\t"
                   "ldr r7, [r5, #8]\n\t"
                   "cmp r0, r7\n\t"
                   "bne 1f\n\t"
                   "adds lr, lr, #1\n\t"
                   "beq 9f\n\t"
                   "strex r7, lr, [r5, #12]\n\t"
                   "cbnz r7, 9f\n\t"
                   "str r3, [r1, #4]\n\t"
                   "pop {r4-r7, pc}\n"
                   "1:\n\t"
                   "ldr r7, [ip, #8]\n\t" /* the forest */
                   "cbz r7, 9f\n\t"
                   "cmp r5, r4\n\t"
                   "beq 3f\n\t"
                   "ldrh r7, [r7, #24]\n\t" /* used */
                   "ldrh lr, [r5, #4]\n\t"  /* most are found here */
                   "add r5, r4, lr, lsl #4\n\t"
                   "ldr r2, [r5, #8]\n\t"
                   "cmp r0, r2\n\t"
                   "beq 2f\n\t"
                   "orr r7, r7, #16 << 16\n" /* times four nodes are looked at */
                   "0:\n\t"
                   ".rept 4\n\t"
                   "ldrh lr, [r5, #4]\n\t"
                   "cmp lr, r3, lsr #16\n\t"
                   "beq 6f\n\t"
                   "add r5, r4, lr, lsl #4\n\t"
                   "ldr r2, [r5, #8]\n\t"
                   "cmp r0, r2\n\t"
                   "beq 2f\n\t"
                   ".endr\n\t"
                   "subs r7, r7, #1 << 16\n\t"
                   "bpl 0b\n"
                   "9:\n\t"
                   "pop {r4-r7, lr}\n\t"
                   "b weft_kpath_other\n"
                   "2:\n\t" /* found: r5 is it, lr its handle; it is what comes next */
                   "ldr r2, [r1]\n\t"
                   "mrs r7, primask\n\t"
                   "cpsid i\n\t"
                   "ldr r4, [ip]\n\t"
                   "cmp r2, r4\n\t"
                   "bne 7f\n\t"
                   "ldr r4, [r5, #12]\n\t"
                   "adds r4, r4, #1\n\t"
                   "beq 7f\n\t"
                   "str r4, [r5, #12]\n\t"
                   "strh lr, [r6, #2]\n\t"
                   "bfi r3, lr, #16, #16\n\t"
                   "str r3, [r1, #4]\n\t"
                   "msr primask, r7\n\t"
                   "pop {r4-r7, pc}\n"
                   "6:\n\t" /* new: r3's child is its sibling */
                   "ldr r2, [r1]\n\t"
                   "mrs r5, primask\n\t"
                   "cpsid i\n\t"
                   "ldr lr, [ip]\n\t"
                   "cmp r2, lr\n\t"
                   "bne 8f\n\t"
                   "ldr ip, [ip, #8]\n\t"
                   "uxth r7, r7\n\t"
                   "ldrh lr, [ip, #24]\n\t"
                   "cmp lr, r7\n\t"
                   "bne 8f\n\t"
                   "ldrh r7, [ip, #20]\n\t"
                   "adds lr, lr, #1\n\t"
                   "cmp lr, r7\n\t"
                   "bhs 8f\n\t"
                   "strh lr, [ip, #24]\n\t"
                   "add r7, r4, r3, lsr #12\n\t"
                   "add r4, r4, lr, lsl #4\n\t"
                   "ldrh r2, [r7]\n\t"    /* as far below; no child */
                   "ldr ip, [r7, #4]\n\t" /* the same parent */
                   "strh lr, [r7, #4]\n\t"
                   "b 5f\n"
                   "3:\n\t" /* the first that comes next; r3 is its steps to depth 2k-2 */
                   "ldrh r5, [r1, #4]\n\t"
                   "cbz r5, 3f\n\t" /* a link */
                   "mrs r5, primask\n\t"
                   "cpsid i\n\t"
                   "ldr lr, [ip]\n\t"
                   "cmp r2, lr\n\t"
                   "bne 8f\n\t"
                   "ldr lr, [r6]\n\t"
                   "cmp lr, r3\n\t"
                   "bne 8f\n\t" /* another context has made one */
                   "ldrh lr, [r7, #24]\n\t"
                   "ldrh ip, [r7, #20]\n\t"
                   "adds lr, lr, #1\n\t"
                   "cmp lr, ip\n\t"
                   "bhs 8f\n\t"
                   "strh lr, [r7, #24]\n\t"
                   "subs r2, r3, #1\n\t"
                   "it cc\n\t"
                   "ldrbcc r2, [r7, #31]\n\t" /* at depth 2k-2 */
                   "ldr ip, [r1, #4]\n\t"
                   "add r4, r4, lr, lsl #4\n\t"
                   "bfi ip, lr, #0, #16\n" /* alone in its ring; the parent */
                   "5:\n\t"
                   "strd r2, ip, [r4]\n\t"
                   "movs r7, #1\n\t"
                   "strd r0, r7, [r4, #8]\n\t"
                   "strh lr, [r6, #2]\n\t"
                   "bfi r3, lr, #16, #16\n\t"
                   "str r3, [r1, #4]\n\t"
                   "msr primask, r5\n\t"
                   "pop {r4-r7, pc}\n"
                   "7:\n\t"
                   "mov r5, r7\n"
                   "8:\n\t"
                   "msr primask, r5\n"
                   "3:\n\t"
                   "b 9b\n"
                   "4:\n\t"
                   "cmp r2, #0\n\t"
                   "bne 9b\n\t"
                   "adds r3, lr, #1\n\t"
                   "beq 9b\n\t"
                   "ldrd r6, r7, [ip, #12]\n\t"
                   "eor r5, r0, r0, lsr #7\n\t"
                   "ands r5, r7\n\t"
                   "add r6, r6, r5, lsl #1\n\t" /* where the ring begins */
                   "ldrh r2, [r6]\n\t"
                   "ldr r5, [ip]\n\t"
                   "cmp lr, r5\n\t"
                   "bne 9b\n\t" /* else the root is one of these nodes */
                   "add r3, r4, r2, lsl #4\n\t"
                   "ldrex r7, [r3, #12]\n\t"
                   "ldr r5, [ip]\n\t"
                   "cmp lr, r5\n\t"
                   "bne 9b\n\t"
                   "ldr r5, [r3, #8]\n\t"
                   "cmp r0, r5\n\t"
                   "bne 1f\n\t"
                   "adds r7, r7, #1\n\t"
                   "beq 9b\n\t"
                   "strex r5, r7, [r3, #12]\n\t"
                   "cbnz r5, 5f\n\t"
                   "ldrh r3, [r3]\n\t"
                   "adds r3, r3, #1\n\t" /* a root's steps are one more than those of what comes next */
                   "orr r3, r3, r2, lsl #16\n\t"
                   "strd lr, r3, [r1]\n\t"
                   "pop {r4-r7, pc}\n"
                   "1:\n\t"
                   "ldr r5, [ip, #8]\n\t"
                   "cmp r5, #0\n\t"
                   "beq 9b\n\t"
                   "mrs r5, primask\n\t"
                   "cpsid i\n\t"
                   "ldr r7, [ip]\n\t"
                   "cmp lr, r7\n\t"
                   "bne 8b\n\t"
                   ".rept 3\n\t"
                   "ldrh r2, [r3, #4]\n\t"
                   "add r3, r4, r2, lsl #4\n\t"
                   "ldr r7, [r3, #8]\n\t"
                   "cmp r0, r7\n\t"
                   "beq 2f\n\t"
                   ".endr\n\t"
                   "b 8b\n"
                   "2:\n\t"
                   "ldr r7, [r3, #12]\n\t"
                   "adds r7, r7, #1\n\t"
                   "beq 8b\n\t"
                   "str r7, [r3, #12]\n\t"
                   "strh r2, [r6]\n\t"
                   "ldrh r3, [r3]\n\t"
                   "adds r3, r3, #1\n\t"
                   "orr r3, r3, r2, lsl #16\n\t"
                   "strd lr, r3, [r1]\n\t"
                   "msr primask, r5\n\t"
                   "pop {r4-r7, pc}\n"
                   "5:\n\t"
                   "b 9b\n\t"
                   ".ltorg");
}

/* The forest need not know that an activation ends. */
void __weft_kpath_exit(uint32_t path, uint32_t activation[4]) __attribute__((alias("__weft_kpath")));

#endif
