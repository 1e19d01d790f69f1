/* SPDX-License-Identifier: MIT */
/* Firmware that was not built by `make firmware`: what its symbols say of how it records, and what is missing if it
 * does not. */
#ifndef WEFT_TOOLS_WEFT_FOREIGN_H
#define WEFT_TOOLS_WEFT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/emulator/emulator.h"
#include "tools/lib/image/firmware.h"

/* The sink that is linked: "semihost", "uart" or "ring". NULL, and a message that says what to add: no symbols, no
 * probes, no recorder, none of these sinks, or several. */
const char *foreign_sink(const firmware *f, char *message, size_t size);

/* Of the stopped program: the address of the first object that is a RAM ring, 0: none. */
uint32_t foreign_ring(const firmware *f, struct emulator_memory *memory);

/* The address of a function or object; 0: none of that name. */
uint32_t foreign_address(const firmware *f, const char *name);

/* How an endless program is left (tools/lib/emulator/emulator.h), if it was built to be. */
void foreign_end(const firmware *f, emulator_run *run);

#endif
