/* SPDX-License-Identifier: MIT */
/* The emulator's command line. */
#ifndef WEFT_TOOLS_LIB_EMULATOR_COMMAND_H
#define WEFT_TOOLS_LIB_EMULATOR_COMMAND_H

#include "tools/lib/emulator/run.h"

#define COMMAND_PROGRAM "qemu-system-arm"
#define COMMAND_WORDS_MAX 40u

typedef struct command {
    const char *words[COMMAND_WORDS_MAX]; /* and NULL */
    unsigned count;
    char *owned[COMMAND_WORDS_MAX]; /* to be freed */
    unsigned owned_count;
} command;

/* `plugin`: where weft_qemu.so is. `socket`: where the debugger interface listens, if the run has one. These texts and
 * those of `run` stay the caller's. */
void command_build(command *c, const emulator_run *run, const char *plugin, const char *socket);
void command_free(command *c);

/* Whether the run has a debugger interface: then the emulator waits before the program's first instruction. */
bool command_has_debugger(const emulator_run *run);

#endif
