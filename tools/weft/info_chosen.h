/* SPDX-License-Identifier: MIT */
/* How much of a recording is of one context, or of one function: `weft info --context NAME --function NAME`. */
#ifndef WEFT_TOOLS_WEFT_INFO_CHOSEN_H
#define WEFT_TOOLS_WEFT_INFO_CHOSEN_H

#include "tools/lib/base/json.h"
#include "tools/lib/image/program.h"
#include "tools/lib/recording/filter.h"

typedef struct info_chosen {
    event_choice choice; /* set by the caller; nothing chosen: nothing is counted */
    bool full;           /* of a recording of instructions, which are counted */
    bool paths_only;     /* no image says which sites accesses and values belong to */
    uint64_t paths, accesses, values, instructions;
} info_chosen;

/* `elf`, and the program in it if the recording is one with probes: NULL if there is none. The exit status; a message
 * was printed. */
int info_chosen_read(info_chosen *c, const container *file, const char *elf, const program *app);
/* The same of a recording of instructions: a full one, or a whole execution trace. */
int info_chosen_executed(info_chosen *c, const char *path, const char *elf);
/* A line; nothing if nothing is chosen. */
void info_chosen_print(const info_chosen *c);
/* The key `chosen`, likewise. */
void info_chosen_put(json *j, const info_chosen *c);
/* Whether only a part is counted. */
bool info_chosen_is(const info_chosen *c);

#endif
