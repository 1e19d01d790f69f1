/* SPDX-License-Identifier: MIT */
/* How many bytes were written for timestamps, for values, for edges. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/packing.h"

/* The bytes of a column that is written, the first time. */
static uint64_t count_column(const packed_node *out, uint32_t column, int tier, bool *seen)
{
    const wet_column *c = &out->columns.all[column];
    if (c->kind[tier - 1] == WET_SAME)
        return count_column(out, c->same, tier, seen);
    if (seen[column])
        return 0;
    seen[column] = true;
    if (c->kind[tier - 1] == WET_PATTERN)
        return count_column(out, c->unique, tier, seen) + count_column(out, c->pattern, tier, seen);
    return c->bytes[tier - 1];
}

static uint64_t count_edge(const packed_node *out, const packed_edge *edge, int tier, bool *seen)
{
    uint64_t bytes = edge->newest ? 0 : count_column(out, edge->which, tier, seen);
    return bytes + (edge->when == WET_NONE ? 0 : count_column(out, edge->when, tier, seen));
}

static void sizes_add(const packing *p, uint32_t number, int tier, wet_sizes *sizes)
{
    const wet_node *node = &p->t->nodes[number];
    const packed_node *out = &p->nodes[number];
    bool *seen = memory_zero(out->columns.count + 1, sizeof *seen);
    sizes->timestamps += count_column(out, out->times, tier, seen);
    for (uint32_t i = 0; i < node->slot_count; i++)
        sizes->values += out->dropped[i] ? 0 : count_column(out, out->slots[i], tier, seen);
    for (uint32_t i = 0; i < node->input_count; i++)
        sizes->edges += count_edge(out, &out->inputs[i], tier, seen);
    for (uint32_t i = 0; i < node->control_count; i++)
        sizes->edges += count_edge(out, &out->controls[i], tier, seen);
    for (uint32_t i = 0; i < out->part_count; i++)
        if (!out->searched[out->parts[i].load])
            sizes->edges += count_edge(out, &out->parts[i].edge, tier, seen);
    free(seen);
}

void pack_report(const packing *p, wet_report *report)
{
    const wet_trace *t = p->t;
    report->original = (wet_sizes){4 * t->executed, 4 * t->values, 8 * t->dependences, 0};
    for (uint32_t i = 0; i < t->node_count; i++) {
        sizes_add(p, i, 1, &report->tier1);
        sizes_add(p, i, 2, &report->tier2);
    }
    const wet_sizes *own = p->tier == 1 ? &report->tier1 : &report->tier2;
    uint64_t program = report->bytes - own->timestamps - own->values - own->edges;
    report->tier1.program = report->tier2.program = program;
}
