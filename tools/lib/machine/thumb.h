/* SPDX-License-Identifier: MIT */
/* What the bits of a Thumb instruction say at a glance: its size, the conditions that it gives others. Needs no
 * disassembler. */
#ifndef WEFT_TOOLS_LIB_MACHINE_THUMB_H
#define WEFT_TOOLS_LIB_MACHINE_THUMB_H

#include <stdbool.h>
#include <stdint.h>

#define THUMB_ALWAYS 14u /* the condition that always holds */

/* Whether the first halfword begins a 32-bit instruction; and the size in bytes. */
static inline bool thumb_is_wide(uint16_t first)
{
    return first >= 0xe800;
}
static inline unsigned thumb_size(uint16_t first)
{
    return thumb_is_wide(first) ? 4 : 2;
}

/* The conditions that an IT instruction gives the next instructions. Returns how many: 1..4, 0 if it is not an IT. */
int thumb_it(uint16_t first, uint8_t conditions[4]);

/* The bits of xPSR that hold the state of an IT block: bits 7..2 of the state are its bits 15..10, bits 1..0 its bits
 * 26..25. */
#define THUMB_XPSR_IT 0x0600fc00u
static inline uint32_t thumb_xpsr_it(uint32_t state)
{
    return (state & 3) << 25 | (state & 0xfc) << 8;
}

/* tt, ttt, tta, ttat of ARMv8-M. Without them their encodings would be a strex that stores the pc. */
bool thumb_is_test_target(uint16_t first, uint16_t second);
/* STREX of any width. The emulator also loads, to compare; the core does not. */
bool thumb_is_store_exclusive(uint16_t first, uint16_t second);

/* Of ARMv8.1-M: csel, csinc, csinv, csneg. */
bool thumb_is_conditional_select(uint16_t first, uint16_t second);
/* Shifts of two registers, and those of one that saturate or round. The first register is that of bits 3 to 1 of
 * `first`, the second that of bits 11 to 8 of `second`; 15: none. */
bool thumb_is_long_shift(uint16_t first, uint16_t second);
/* Of these asrl, lsll and lsrl. */
bool thumb_is_plain_long_shift(uint16_t first, uint16_t second);
/* What sets Q where a result does not fit, and leaves it otherwise: ssat and usat, qadd and its like, products that are
 * added to, and of the long shifts all but the plain ones. */
bool thumb_may_saturate(uint16_t first, uint16_t second);
/* dls, wls, le and the like. */
bool thumb_is_loop(uint16_t first, uint16_t second);

/* Whether N Z C V (bits 31..28) satisfy a condition. */
bool thumb_holds(uint8_t condition, uint32_t nzcv);

#endif
