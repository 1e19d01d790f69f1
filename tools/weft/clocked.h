/* SPDX-License-Identifier: MIT */
/* --unit instructions or us, and what a recording's clock is, for the subcommands that tell time. */
#ifndef WEFT_TOOLS_WEFT_CLOCKED_H
#define WEFT_TOOLS_WEFT_CLOCKED_H

#include "tools/lib/base/json.h"
#include "tools/lib/recording/container.h"

typedef enum clocked_unit {
    CLOCKED_INSTRUCTIONS,
    CLOCKED_TIME,
    CLOCKED_AUTO, /* time where the firmware's author chose a clock, else instructions */
} clocked_unit;

/* NULL: not given. The exit status, with a message if there is no such unit. */
int clocked_unit_of(const char *name, const char *text, clocked_unit *unit);
/* Whether to tell time; `file` NULL: of another kind, which has no clock. The exit status. */
int clocked_choose(const char *name, const char *path, const container *file, clocked_unit unit, bool *clocked);
/* Which clock it is, and how exact; `text` keeps its end. */
void clocked_text(const container *file, char *text, size_t size);
/* The same as the object `clock`. */
void clocked_put(json *j, const container *file);

#endif
