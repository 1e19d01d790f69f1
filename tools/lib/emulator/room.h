/* SPDX-License-Identifier: MIT */
/* The room `emulator`: an ELF -> a run in QEMU.
 *
 * In:   an ELF, a board's machine, where its output goes, a time limit; the arguments of the emulator plugin; an
 *       address to stop at.
 * Out:  how the run ended. What it recorded is in files: those of the program itself, by semihosting, that of its UART,
 *       or that of the plugin. At the stop, the memory of the program can be read.
 * emulator.h starts qemu-system-arm and waits for it; gdb.h talks to its debugger interface. The program that runs is
 * not trusted: guard.h refuses what it asks of the host, except for its one file. */
#ifndef WEFT_TOOLS_LIB_EMULATOR_ROOM_H
#define WEFT_TOOLS_LIB_EMULATOR_ROOM_H

#include "tools/lib/emulator/emulator.h"
#include "tools/lib/emulator/gdb.h"
#include "tools/lib/emulator/guard.h"

#endif
