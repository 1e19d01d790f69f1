/* SPDX-License-Identifier: MIT */
/* The emulated core's registers and memory, read from inside the emulator.
 *
 * From version 3 of the plugin interface on (QEMU 9.1), registers are read through it, from version 4 on memory too
 * (official.h): machine_refresh copies them, in callbacks that asked for registers.
 *
 * Versions 1 and 2 have no such functions. QEMU 7.2 exports functions that write registers one by one, so the place of
 * each is found once by writing patterns and looking where they appear (and is checked, and restored); reading is then
 * a plain load. Registers are up to date at the start of a translation block only. */
#ifndef WEFT_TOOLS_QEMU_MACHINE_H
#define WEFT_TOOLS_QEMU_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct machine {
    bool copies;               /* what the pointers below point to is as machine_refresh left it */
    const uint32_t *registers; /* r0..r14; [15] is stale: the caller knows the pc */
    const uint32_t *carry;     /* six words: C (0 or 1), V and N (bit 31), Z (set when 0), Q (0 or 1), GE */
    const uint32_t *exception; /* IPSR */
} machine;

/* Finds everything; false, and a message on standard error, if this is not such an emulator. Call it at the first
 * translation: the core exists then and has not run. */
bool machine_find(machine *m);

/* Brings flags, exception and the registers of a mask (bits 0 to 14) up to date. */
#define MACHINE_ALL 0x7fffu
void machine_copy(uint32_t registers);
static inline void machine_refresh(const machine *m, uint32_t registers)
{
    if (m->copies)
        machine_copy(registers);
}

uint32_t machine_float(unsigned s); /* s0..s31 */
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

/* The process stack pointer while a handler runs on the main stack. Before version 3, the emulator's structure says
 * where: a guess that the caller checks against the exception frame. */
uint32_t machine_other_stack(const machine *m);

/* Bytes of RAM or ROM. False: there are none, or not all. */
bool machine_read(uint32_t address, void *bytes, size_t size);
/* What an access moved: `size` bytes, in its callback. False: a device has it. */
bool machine_access(uint32_t info, uint32_t address, unsigned size, uint64_t *value);
/* LDRD and STRD move two words. Emulators report two accesses (seen: 7.2) or one of 8 bytes (10.0). What moves 8 bytes
 * as one is the coprocessor's. `first` is the first half of the instruction. */
static inline bool machine_is_pair(uint16_t first, unsigned size)
{
    return size == 8 && (first & 0xec00) != 0xec00;
}

/* Before version 3: makes every translation block one instruction long, so that registers are always up to date. */
bool machine_single_step(void);

#endif
