/* SPDX-License-Identifier: MIT */
/* Inputs of all kinds into one merged profile: recordings, profiles, files that hold several profiles. */
#ifndef WEFT_TOOLS_LIB_FLEET_GATHER_H
#define WEFT_TOOLS_LIB_FLEET_GATHER_H

#include "tools/lib/fleet/intake.h"

typedef struct gather_input {
    const char *path;
    const char *labels; /* of a recording; NULL: none */
} gather_input;

/* Adds an input. False, and a message that does not name it: nothing of it was added, unless *broken is set: then
 * `all` is worth nothing. */
bool gather_add(merged *all, intake *in, gather_input input, bool *broken, char *message, size_t message_size);

/* A list of inputs, one per line: FILE, or FILE, a tab and K=V,... Empty lines and lines that begin with # do not
 * count. */
typedef struct gather_list gather_list;
/* NULL, and a message. */
gather_list *gather_list_open(const char *path, char *message, size_t message_size);
void gather_list_close(gather_list *list);
size_t gather_list_count(const gather_list *list);
uint64_t gather_list_digest(const gather_list *list);
/* Entry `number`; the texts are valid until the next call. */
gather_input gather_list_at(gather_list *list, size_t number);

#endif
