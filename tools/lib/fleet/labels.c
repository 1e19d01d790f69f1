/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum { LABELS_MAX = 32 };

static int by_key(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    size_t left = strcspn(x, "="), right = strcspn(y, "=");
    int order = memcmp(x, y, left < right ? left : right);
    return order ? order : left < right ? -1 : left > right;
}

/* Cuts the text at its commas. */
static int cut(char *text, char **part, char *message, size_t message_size)
{
    int count = 0;
    for (char *at = text; at && *at; count++) {
        char *next = strchr(at, ',');
        if (next)
            *next++ = 0;
        size_t key = strcspn(at, "=");
        if (count == LABELS_MAX || !key || !at[key] || !at[key + 1]) {
            snprintf(message, message_size, count == LABELS_MAX ? "more than %d labels" : "a label is KEY=VALUE",
                     LABELS_MAX);
            return -1;
        }
        part[count] = at;
        at = next;
    }
    return count;
}

bool labels_parse(labels *out, const char *text, char *message, size_t message_size)
{
    char *part[LABELS_MAX], *copy = memory_text(text ? text : "");
    *out = (labels){.text = memory_zero(strlen(copy) + 2, 1)};
    bool good = true;
    for (const char *c = copy; *c && good; c++)
        good = (unsigned char)*c >= ' ' && *c != 127;
    if (!good)
        snprintf(message, message_size, "a label has a control character");
    int count = good ? cut(copy, part, message, message_size) : -1;
    if (count > 0)
        qsort(part, (size_t)count, sizeof *part, by_key);
    for (int i = 0; i < count; i++) {
        if (i && !by_key(&part[i - 1], &part[i])) {
            snprintf(message, message_size, "a label comes twice");
            count = -1;
        } else if (!strncmp(part[i], "device=", 7)) {
            out->device = memory_text(part[i] + 7);
        } else {
            strcat(strcat(out->text, *out->text ? "," : ""), part[i]);
        }
    }
    free(copy);
    return count >= 0;
}

void labels_free(labels *l)
{
    free(l->text);
    free(l->device);
    *l = (labels){0};
}

bool labels_have(const char *text, const char *wanted)
{
    while (*wanted) {
        size_t size = strcspn(wanted, ",");
        const char *at = text;
        while (*at && (strncmp(at, wanted, size) || (at[size] && at[size] != ','))) {
            at += strcspn(at, ",");
            at += *at == ',';
        }
        if (size && !*at)
            return false;
        wanted += size + (wanted[size] == ',');
    }
    return true;
}
