/* SPDX-License-Identifier: MIT */
/* A table of commands, and the choice among them by name. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_MONITOR_CHOOSE_H
#define WEFT_TOOLS_LIB_DEBUG_MONITOR_CHOOSE_H

#include <stdio.h>

typedef struct monitor_command {
    const char *name;
    void (*run)(void *asked, FILE *out, const char *rest);
    const char *does;
} monitor_command;

/* Finds the command in a table that ends with a name that is NULL, and runs it; else prints what there is. */
void monitor_choose(const monitor_command *commands, const char *command, void *asked, FILE *out);

#endif
