/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/labels.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/lib/export/names.h"

static char *named(const char *name, const char *file, uint32_t line)
{
    char *text;
    size_t size;
    FILE *stream = memory_stream(&text, &size);
    export_name(stream, name, "\"\\");
    if (file) {
        fputs(" (", stream);
        export_name(stream, text_base(file), "\"\\");
        fprintf(stream, ":%" PRIu32 ")", line);
    }
    fclose(stream);
    return text;
}

void export_labels_add(export_labels *labels, const char *name, const char *file, uint32_t line)
{
    labels->all = memory_room(labels->all, labels->count, &labels->max, sizeof *labels->all);
    labels->longer = memory_room(labels->longer, labels->count, &labels->longer_max, sizeof *labels->longer);
    labels->all[labels->count] = named(name, NULL, 0);
    labels->longer[labels->count++] = named(name, file, line);
}

static char **sorted; /* qsort has no context */

static int compare(const void *a, const void *b)
{
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    int names = strcmp(sorted[i], sorted[k]);
    return names ? names : i < k ? -1 : i > k;
}

/* Of labels of which there are several, which of them each is, from 1; of others 0. Returns whether there are any. */
static bool find_equal(const export_labels *labels, size_t *order, size_t *nth)
{
    bool found = false;
    for (size_t i = 0; i < labels->count; i++)
        order[i] = i;
    sorted = labels->all;
    qsort(order, labels->count, sizeof *order, compare);
    memset(nth, 0, labels->count * sizeof *nth);
    for (size_t i = 1; i < labels->count; i++)
        if (!strcmp(labels->all[order[i - 1]], labels->all[order[i]])) {
            found = true;
            nth[order[i - 1]] += !nth[order[i - 1]];
            nth[order[i]] = nth[order[i - 1]] + 1;
        }
    return found;
}

static void add_number(char **label, size_t number)
{
    size_t size = strlen(*label) + 32;
    *label = memory_grow(*label, size, 1);
    snprintf(*label + strlen(*label), 32, " #%zu", number);
}

char **export_labels_made(export_labels *labels)
{
    size_t *order = memory_zero(labels->count + 1, sizeof *order), *nth = memory_zero(labels->count + 1, sizeof *nth);
    bool again = labels->count && find_equal(labels, order, nth);
    for (size_t i = 0; again && i < labels->count; i++)
        if (nth[i]) {
            char *longer = labels->longer[i];
            labels->longer[i] = labels->all[i];
            labels->all[i] = longer;
        }
    /* A label may have become like another that was alone. Then both get their number of all labels, which does not
     * come twice: so an end is reached. */
    for (bool first = true; again && (again = find_equal(labels, order, nth)); first = false)
        for (size_t i = 0; i < labels->count; i++)
            if (nth[i])
                add_number(&labels->all[i], first ? nth[i] : i);
    free(order);
    free(nth);
    return labels->all;
}

char **export_labels_of_functions(export_labels *labels, const functions *all)
{
    for (size_t i = 0; i < all->count; i++)
        export_labels_add(labels, all->all[i].name, all->all[i].place.file, all->all[i].place.line);
    return export_labels_made(labels);
}

void export_labels_free(export_labels *labels)
{
    for (size_t i = 0; i < labels->count; i++) {
        free(labels->all[i]);
        free(labels->longer[i]);
    }
    free(labels->all);
    free(labels->longer);
    *labels = (export_labels){0};
}
