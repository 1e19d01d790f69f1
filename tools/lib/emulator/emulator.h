/* SPDX-License-Identifier: MIT */
/* Runs a firmware image in qemu-system-arm and waits for its end. The trace comes through a UART or by semihosting,
 * from Weft's plugin (tools/qemu), or from memory that is read through the debugger interface when the program reaches
 * a function.
 *
 * The firmware is hostile: the emulator runs in its sandbox, and what the firmware asks of the host by semihosting is
 * refused (guard.h), unless it is trusted. */
#ifndef WEFT_TOOLS_LIB_EMULATOR_EMULATOR_H
#define WEFT_TOOLS_LIB_EMULATOR_EMULATOR_H

#include "tools/lib/emulator/run.h"

/* Reads `size` bytes of the stopped program's memory; false: it cannot. */
bool emulator_read(struct emulator_memory *memory, uint32_t address, void *bytes, size_t size);

/* Runs the program. SIGINT, SIGTERM and SIGHUP end it. Its output goes to our standard error. False, and a message: the
 * emulator or the plugin is missing. */
bool emulator_start_and_wait(const emulator_run *run, emulator_end *end, char *message, size_t message_size);

/* Whether the emulator knows a machine of that name; true if it cannot be asked. */
bool emulator_has_machine(const char *machine);

#endif
