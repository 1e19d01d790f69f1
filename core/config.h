/* SPDX-License-Identifier: MIT */
/* Every compile-time knob of the core: default, range, check. Sizes of pools are not here: they are
 * the caller's, given to each init. Set a knob with -DWEFT_...=value. */
#ifndef WEFT_CORE_CONFIG_H
#define WEFT_CORE_CONFIG_H

/* 1 compiles WEFT_ASSERT in; the port then supplies weft_assert_failed. 0 or 1. */
#ifndef WEFT_ASSERTS
#define WEFT_ASSERTS 0
#endif
#if WEFT_ASSERTS != 0 && WEFT_ASSERTS != 1
#error "WEFT_ASSERTS is 0 or 1"
#endif

/* 1: the least flash. What general steps of a coder do as well has no shorter way of its own; docs/COSTS.md has the
 * price. What is recorded can be read alike. Default: 1 if all is compiled with -Os. 0 or 1. */
#ifndef WEFT_SMALL
#ifdef __OPTIMIZE_SIZE__
#define WEFT_SMALL 1
#else
#define WEFT_SMALL 0
#endif
#endif
#if WEFT_SMALL != 0 && WEFT_SMALL != 1
#error "WEFT_SMALL is 0 or 1"
#endif

/* Of a static function that is inlined otherwise: it stands once, in each file that calls it. */
#if WEFT_SMALL
#define WEFT_SMALL_APART __attribute__((noinline, unused))
#else
#define WEFT_SMALL_APART inline
#endif

/* CRC-32 goes by bytes, with 1 KB of flash (8), or by half bytes, with 64 bytes of flash and twice the time (4). On the
 * target only records of faults and black boxes have one. */
#ifndef WEFT_CRC_BITS
#ifdef __arm__
#define WEFT_CRC_BITS 4
#else
#define WEFT_CRC_BITS 8
#endif
#endif
#if WEFT_CRC_BITS != 4 && WEFT_CRC_BITS != 8
#error "WEFT_CRC_BITS is 4 or 8"
#endif

/* 1: what is done with interrupts masked is divided into smaller steps. Default: 1 on a Cortex-M0, where the same C
 * takes some half as many instructions more. 0 or 1. */
#ifndef WEFT_SHORT_STEPS
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define WEFT_SHORT_STEPS 1
#else
#define WEFT_SHORT_STEPS 0
#endif
#endif
#if WEFT_SHORT_STEPS != 0 && WEFT_SHORT_STEPS != 1
#error "WEFT_SHORT_STEPS is 0 or 1"
#endif

#endif
