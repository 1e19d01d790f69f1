/* SPDX-License-Identifier: MIT */
/* The core's registers and memory by the plugin interface alone: registers from version 3 on (QEMU 9.1), memory and the
 * values of accesses from version 4 on. Inside machine.c. All of these are for callbacks of the core's own thread that
 * asked for registers (QEMU_PLUGIN_CB_R_REGS), and for translation. */
#ifndef WEFT_TOOLS_QEMU_OFFICIAL_H
#define WEFT_TOOLS_QEMU_OFFICIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum official_register {
    OFFICIAL_R0 = 0, /* to r14 */
    OFFICIAL_XPSR = 15,
    OFFICIAL_PSP,
    OFFICIAL_FPSCR,
    OFFICIAL_D0, /* to d15 */
    OFFICIAL_COUNT = OFFICIAL_D0 + 16
} official_register;

/* Whether the emulator has it. */
bool official_has_registers(void);
bool official_has_memory(void);

/* Looks the registers up. False, and a message: this core lacks one that every Cortex-M has. */
bool official_find(void);
/* 0 if the core has none of that name. */
uint64_t official_register_value(official_register number);

/* False: nothing can be read there. Devices are read too, which may change them. */
bool official_read(uint32_t address, void *bytes, size_t size);
/* What the access moved. False: a device. */
bool official_access(uint32_t info, uint64_t address, uint64_t *value);

#endif
