/* SPDX-License-Identifier: MIT */
/* The emulated core's registers and memory, read from inside the emulator.
 *
 * Version 1 of the plugin interface has no registers. QEMU 7.2 exports functions that write them one by one, so the
 * place of each is found once by writing patterns and looking where they appear (and is checked, and restored);
 * reading is then a plain load. Registers are up to date at the start of a translation block only. */
#ifndef WEFT_TOOLS_QEMU_MACHINE_H
#define WEFT_TOOLS_QEMU_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct machine {
    const uint32_t *registers;  /* r0..r14; [15] is stale: the caller knows the pc */
    const uint32_t *carry;      /* six words: C (0 or 1), V and N (bit 31), Z (set when 0), Q (0 or 1), GE */
    const uint32_t *exception;  /* IPSR */
    const uint32_t *floats[32]; /* s0..s31; NULL on an emulator that does not say */
} machine;

/* Finds everything; false, and a message on standard error, if this is not such an emulator. Call it at the first
 * translation: the core exists then and has not run. */
bool machine_find(machine *m);

uint32_t machine_fpscr(const machine *m);
uint32_t machine_xpsr(const machine *m);

/* N Z C V in bits 31..28. */
static inline uint32_t machine_nzcv(const machine *m)
{
    return (m->carry[2] & 0x80000000u) | (uint32_t)(m->carry[3] == 0) << 30 | m->carry[0] << 29 |
           (m->carry[1] & 0x80000000u) >> 3;
}

/* The same with Q in bit 27 and GE in bits 19..16. */
static inline uint32_t machine_apsr(const machine *m)
{
    return machine_nzcv(m) | (uint32_t)(m->carry[4] != 0) << 27 | (m->carry[5] & 15) << 16;
}

/* The process stack pointer while a handler runs on the main stack. The emulator's structure says where: a guess that
 * the caller checks against the exception frame. */
static inline uint32_t machine_other_stack(const machine *m)
{
    return m->exception[-22];
}

/* The host's address of a guest byte in RAM or ROM; NULL: a device, or nothing. */
const uint8_t *machine_memory(uint32_t address);

/* Makes every translation block one instruction long, so that registers are always up to date. */
bool machine_single_step(void);

#endif
