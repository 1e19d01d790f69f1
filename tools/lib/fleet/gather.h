/* SPDX-License-Identifier: MIT */
/* Inputs of all kinds into one merged profile: recordings, profiles, files that hold several profiles. */
#ifndef WEFT_TOOLS_LIB_FLEET_GATHER_H
#define WEFT_TOOLS_LIB_FLEET_GATHER_H

#include "tools/lib/fleet/intake.h"

typedef struct gather_input {
    const char *path;
    const char *labels; /* of a recording; NULL: none */
    bool listed;        /* only a regular file is read: a FIFO may wait for ever, a device may have no end */
} gather_input;

typedef enum gather_end {
    GATHER_ON,
    GATHER_STOP,  /* `left` said so */
    GATHER_BROKEN /* `all` is worth nothing */
} gather_end;

/* Adds what an input holds: a profile, several, or recordings. What is left out is told to `left`; of that nothing is
 * added. The message, of GATHER_BROKEN, does not name the input. */
gather_end gather_add(merged *all, intake *in, gather_input input, const intake_left *left, char *message,
                      size_t message_size);

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
