/* SPDX-License-Identifier: MIT */
/* Step 4: the node of a path that is new. */
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/gathering.h"
#include "tools/lib/wet/history.h"
#include "tools/lib/wet/statement.h"

static uint8_t control_of(wet_node *node, const cfg_place *place)
{
    for (uint32_t i = 0; i < node->control_count; i++)
        if (node->control_set_counts[i] == place->control_count &&
            (!place->control_count ||
             !memcmp(node->control_sets[i], place->controls, place->control_count * sizeof(uint32_t))))
            return (uint8_t)i;
    uint32_t count = node->control_count + 1;
    node->control_sets = memory_grow(node->control_sets, count, sizeof *node->control_sets);
    node->control_set_counts = memory_grow(node->control_set_counts, count, sizeof *node->control_set_counts);
    node->control_sets[count - 1] = place->controls;
    node->control_set_counts[count - 1] = place->control_count;
    node->control_count = count;
    return (uint8_t)(count - 1);
}

static bool controlled_by(const cfg_place *place, uint32_t branch)
{
    for (uint32_t i = 0; i < place->control_count; i++)
        if (place->controls[i] == branch)
            return true;
    return false;
}

/* The last branch before, on the path, that controls a statement: its last operation; else 255 and the input. */
static void parent_make(wet_trace *t, wet_node *node, uint32_t index, const uint32_t *last_operation)
{
    const cfg_place *place = &t->statics[t->statements[node->statements[index]].instruction].place;
    uint8_t parent = 255, input = 0;
    for (uint32_t i = 0; i < index; i++) {
        uint32_t branch = t->statics[t->statements[node->statements[i]].instruction].place.branch;
        if (branch != CFG_NO_BRANCH && controlled_by(place, branch))
            parent = (uint8_t)last_operation[i];
    }
    if (parent == 255)
        input = control_of(node, place);
    uint32_t first = index ? last_operation[index - 1] + 1 : 0;
    for (uint32_t o = first; o <= last_operation[index]; o++) {
        node->parent[o] = parent;
        node->parent_input[o] = input;
    }
}

static void producers_add(wet_trace *t, const wet_node *node, uint32_t number)
{
    t->producer_node = memory_room(t->producer_node, node->base + node->operation_count - 1, &t->producer_max,
                                   sizeof *t->producer_node);
    for (uint32_t i = 0; i < node->operation_count; i++)
        t->producer_node[node->base + i] = number;
    t->producer_count = node->base + node->operation_count;
}

uint32_t gather_node(gather *g)
{
    wet_trace *t = g->t;
    uint8_t local[64];
    uint32_t last_operation[WET_OPERATIONS_MAX];
    t->nodes = memory_room(t->nodes, t->node_count, &t->node_max, sizeof *t->nodes);
    wet_node *node = &t->nodes[t->node_count];
    *node = (wet_node){.base = t->producer_count, .slot_base = t->slot_total};
    wet_node_begin(node, g->path, g->path_length);
    memset(local, 255, sizeof local);
    for (uint32_t i = 0; i < g->path_length; i++) {
        wet_node_statement(node, &t->statements[node->statements[i]], i, local);
        last_operation[i] = node->operation_count - 1;
        parent_make(t, node, i, last_operation);
    }
    node->procedure = t->statics[t->statements[node->statements[0]].instruction].place.procedure;
    node->width = wet_row_loads(node) + 3 * node->load_count;
    node->rows = wet_rows_new(t->store, node->width);
    t->slot_total += node->slot_count;
    producers_add(t, node, t->node_count);
    if (t->history)
        wet_history_node_add(t->history, node, (wet_code){t->statements, t->statics}, true);
    t->node_count++;
    gather_plan_add(g);
    return t->node_count - 1;
}
