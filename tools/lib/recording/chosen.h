/* SPDX-License-Identifier: MIT */
/* Which recording of files that hold several is read: `--recording N` of every command. As the memory limit
 * (base/memory.h), a choice of the command line that holds for the whole process. */
#ifndef WEFT_TOOLS_LIB_RECORDING_CHOSEN_H
#define WEFT_TOOLS_LIB_RECORDING_CHOSEN_H

#include <stdbool.h>
#include <stdint.h>

/* From now on only recording `number` of a file is opened, from 1; 0: all of a container, the first of a full one. */
void recording_choose(uint64_t number);
uint64_t recording_chosen(void);
/* Whether a recording was chosen that no reader has asked for: then the result is not of it. */
bool recording_ignored(void);

#endif
