/* SPDX-License-Identifier: MIT */
/* Labels of recordings: KEY=VALUE, as many as there are, joined by commas. `device` names who recorded; recordings with
 * the same other labels are summed up together. */
#ifndef WEFT_TOOLS_LIB_FLEET_LABELS_H
#define WEFT_TOOLS_LIB_FLEET_LABELS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct labels {
    char *text;   /* by key, without device; from malloc */
    char *device; /* from malloc; NULL: there is none */
} labels;

/* False, and a message: a label without a key or a value, a key that comes twice, a control character. NULL is as "".
 * labels_free in any case. */
bool labels_parse(labels *out, const char *text, char *message, size_t message_size);
void labels_free(labels *l);

/* Whether a text of labels has all of another's. */
bool labels_have(const char *text, const char *wanted);

#endif
