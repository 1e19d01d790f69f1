/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/stacks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/export/labels.h"
#include "tools/lib/export/names.h"
#include "tools/lib/image/vectors.h"

/* The functions from the context's first one to a node's. */
typedef struct chain {
    uint32_t *function;
    size_t count, max;
} chain;

static void chain_of(const functions *all, uint32_t node, chain *c)
{
    c->count = 0;
    for (; all->node[node].function != FUNCTIONS_NONE; node = all->node[node].parent) {
        c->function = memory_room(c->function, c->count, &c->max, sizeof *c->function);
        c->function[c->count++] = all->node[node].function;
    }
}

/* Of the functions in the tree; two of one name would be one in a picture. */
static char **labels_of(const functions *all, export_labels *labels, uint32_t *number)
{
    bool *used = memory_zero(all->count + 1, sizeof *used);
    for (uint32_t i = 1; i < all->node_count; i++)
        if (all->node[i].function != FUNCTIONS_NONE)
            used[all->node[i].function] = true;
    for (uint32_t f = 0; f < all->count; f++)
        if (used[f]) {
            number[f] = (uint32_t)labels->count;
            export_labels_add(labels, all->all[f].name, all->all[f].place.file, all->all[f].place.line);
        }
    free(used);
    return export_labels_made(labels);
}

uint64_t export_folded(const functions *all, const image *im, FILE *file)
{
    char name[VECTORS_NAME_MAX];
    chain c = {0};
    export_labels labels = {0};
    uint32_t *number = memory_zero(all->count + 1, sizeof *number);
    char **label = labels_of(all, &labels, number);
    uint64_t lines = 0;
    for (uint32_t i = 1; i < all->node_count; i++) {
        if (!all->node[i].self)
            continue;
        chain_of(all, i, &c);
        export_name(file, vectors_name(im, all->node[i].context, name), ";");
        for (size_t k = c.count; k-- > 0;) {
            fputc(';', file);
            export_name(file, label[number[c.function[k]]], ";");
        }
        fprintf(file, " %" PRIu64 "\n", all->node[i].self);
        lines++;
    }
    export_labels_free(&labels);
    free(number);
    free(c.function);
    return lines;
}

static void put_frames(json *j, const functions *all)
{
    json_object(j, "shared");
    json_array(j, "frames");
    for (size_t i = 0; i < all->count; i++) {
        const function_cost *f = &all->all[i];
        json_object(j, NULL);
        json_string(j, "name", f->name);
        if (f->place.file)
            json_string(j, "file", f->place.file);
        if (f->place.line)
            json_integer(j, "line", f->place.line);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
}

/* The samples of one context, or, with `weights`, what they weigh. */
static uint64_t put_samples(json *j, const functions *all, uint32_t context, bool weights)
{
    chain c = {0};
    uint64_t samples = 0;
    json_array(j, weights ? "weights" : "samples");
    for (uint32_t i = 1; i < all->node_count; i++) {
        const call_node *node = &all->node[i];
        if (!node->self || node->context != context)
            continue;
        samples++;
        if (weights) {
            json_integer(j, NULL, (int64_t)node->self);
            continue;
        }
        chain_of(all, i, &c);
        json_array(j, NULL);
        for (size_t k = c.count; k-- > 0;)
            json_integer(j, NULL, c.function[k]);
        json_end_array(j);
    }
    json_end_array(j);
    free(c.function);
    return samples;
}

uint64_t export_speedscope(const functions *all, const image *im, export_loss loss, FILE *file)
{
    char name[200], lost[EXPORT_LOSS_MAX], context_name[VECTORS_NAME_MAX];
    uint64_t samples = 0;
    json *j = json_begin(file);
    json_object(j, NULL);
    json_string(j, "$schema", "https://www.speedscope.app/file-format-schema.json");
    json_string(j, "exporter", "weft");
    const char *unit = functions_clocked(all) ? "time by the recording's clock" : "instructions";
    bool whole = !loss.paths && !loss.gaps && !loss.cut;
    snprintf(name, sizeof name, "%s, %s", unit, whole ? "nothing lost" : export_loss_text(lost, loss));
    json_string(j, "name", name);
    put_frames(j, all);
    json_array(j, "profiles");
    for (uint32_t i = all->node[0].child; i; i = all->node[i].sibling) {
        const call_node *context = &all->node[i];
        json_object(j, NULL);
        json_string(j, "type", "sampled");
        snprintf(name, sizeof name, "%s (%s)", vectors_name(im, context->context, context_name),
                 functions_clocked(all) ? "time" : "instructions");
        json_string(j, "name", name);
        json_string(j, "unit", functions_clocked(all) ? "nanoseconds" : "none");
        json_integer(j, "startValue", 0);
        json_integer(j, "endValue", (int64_t)context->inclusive);
        samples += put_samples(j, all, context->context, false);
        put_samples(j, all, context->context, true);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
    json_finish(j);
    return samples;
}
