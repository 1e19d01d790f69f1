/* SPDX-License-Identifier: MIT */
/* Step 2 of reading a directory: nodes, with their edges. */
#include <string.h>

#include "tools/lib/wet/directory.h"
#include "tools/lib/wet/statement.h"

static void *array(directory *d, size_t count, size_t size)
{
    return arena_zero(&d->f->arrays, count, size);
}

static void read_producers(directory *d, wet_edge *edge)
{
    uint32_t count = directory_count(d), *producers = array(d, count, sizeof *producers);
    for (uint32_t i = 0; i < count; i++)
        producers[i] = directory_number(d);
    edge->producers = producers;
    edge->producer_count = count;
    if (!count)
        directory_bad(d);
}

static void read_edge(directory *d, wet_edge *edge, uint32_t executions, bool timed, uint32_t address_slot)
{
    read_producers(d, edge);
    edge->which = directory_below(d, 2) ? WET_NONE : directory_stream(d, executions);
    edge->when = edge->newest = WET_NONE;
    edge->mode = WET_BEFORE;
    if (!timed)
        return;
    edge->mode = (uint8_t)directory_below(d, WET_MODES);
    edge->slot = address_slot;
    if (edge->mode == WET_BEFORE || (edge->mode >= WET_IN_STEP && address_slot == WET_NONE))
        directory_bad(d);
    if (edge->mode != WET_LATEST)
        edge->when = directory_stream(d, executions);
    else if (edge->which == WET_NONE && edge->producer_count > 1)
        edge->newest = d->f->newest_count++;
}

static void read_load(directory *d, wet_load_edge *edge, const wet_load *load, uint32_t executions)
{
    uint32_t count = directory_number(d);
    if (count > load->size) {
        directory_bad(d);
        return;
    }
    if (!count) {
        edge->producer_count = directory_count(d);
        edge->producers = array(d, edge->producer_count, sizeof *edge->producers);
        for (uint32_t i = 0; i < edge->producer_count; i++)
            edge->producers[i] = directory_number(d);
        return;
    }
    edge->parts = array(d, count, sizeof *edge->parts);
    for (uint32_t i = 0; i < count && directory_good(d); i++) {
        edge->part_count = i + 1;
        edge->parts[i].byte = directory_below(d, load->size);
        if (i + 1 == count && edge->parts[i].byte != 0) /* byte 0 stands last */
            directory_bad(d);
        read_edge(d, &edge->parts[i].edge, executions, true, load->slot);
    }
}

/* The operations, from the statements. */
static bool node_statements(directory *d, wet_file_node *node, uint32_t count)
{
    uint32_t numbers[WET_OPERATIONS_MAX] = {0}, operations = 0;
    uint8_t local[64];
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = directory_below(d, d->f->statement_count);
        operations += directory_good(d) ? d->f->statements[numbers[i]].operation_count : 0;
        if (operations > WET_OPERATIONS_MAX)
            directory_bad(d);
    }
    if (!directory_good(d))
        return false;
    wet_node_begin(&node->n, numbers, count);
    memset(local, 255, sizeof local);
    for (uint32_t i = 0; i < count; i++)
        wet_node_statement(&node->n, &d->f->statements[numbers[i]], i, local);
    return true;
}

static void read_parents(directory *d, wet_node *n)
{
    const uint8_t *parent = weft_read_bytes(&d->in, n->operation_count);
    const uint8_t *input = weft_read_bytes(&d->in, n->operation_count);
    if (!parent || !input) {
        directory_bad(d);
        return;
    }
    memcpy(n->parent, parent, n->operation_count);
    memcpy(n->parent_input, input, n->operation_count);
    for (uint32_t i = 0; i < n->operation_count; i++)
        if ((parent[i] != 255 && parent[i] >= i) || (parent[i] == 255 && input[i] >= n->control_count))
            directory_bad(d);
}

/* What the search for words needs often. */
static void node_index(directory *d, wet_file_node *node)
{
    const wet_file *f = d->f;
    wet_node *n = &node->n;
    node->slot_operation = array(d, n->slot_count, 1);
    node->slot = array(d, n->slot_count, sizeof *node->slot);
    node->use_first = array(d, n->operation_count + 1, sizeof *node->use_first);
    node->use_slot = array(d, n->use_count, sizeof *node->use_slot);
    for (uint32_t i = 0; i < n->operation_count; i++) {
        uint32_t end = i + 1 < n->operation_count ? n->slot_first[i + 1] : n->slot_count;
        for (uint32_t k = n->slot_first[i]; k < end; k++) {
            node->slot_operation[k] = (uint8_t)i;
            node->slot[k] = wet_slot_at(n, f->statements, i, k);
        }
    }
    for (uint32_t i = 0; i < n->use_count; i++) {
        node->use_first[n->uses[i].operation + 1] = (uint16_t)(i + 1);
        if (n->uses[i].producer != 255)
            node->use_slot[i] =
                (uint16_t)wet_slot_find(n, f->statements, n->uses[i].producer, WET_VALUE, n->uses[i].loc);
    }
    for (uint32_t i = 1; i <= n->operation_count; i++)
        if (!node->use_first[i])
            node->use_first[i] = node->use_first[i - 1];
}

static void read_slot(directory *d, wet_file_node *node, uint32_t slot)
{
    uint32_t number = directory_stream(d, node->n.count);
    wet_stream *s = &d->f->streams[number];
    node->slots[slot] = number;
    if (s->kind != WET_INFERRED)
        return;
    s->first = (uint32_t)(node - d->f->nodes);
    s->second = slot;
}

static void node_streams(directory *d, wet_file_node *node)
{
    const wet_node *n = &node->n;
    uint32_t executions = n->count;
    d->node_first = d->f->stream_count;
    node->times = directory_stream(d, executions);
    for (uint32_t i = 0; i < n->slot_count && directory_good(d); i++)
        read_slot(d, node, i);
    for (uint32_t i = 0; i < n->input_count && directory_good(d); i++)
        read_edge(d, &node->inputs[i], executions, false, WET_NONE);
    for (uint32_t i = 0; i < n->control_count && directory_good(d); i++)
        read_edge(d, &node->controls[i], executions, true, WET_NONE);
    node_index(d, node);
    for (uint32_t i = n->load_count; i-- > 0;)
        node->load_of[n->loads[i].operation] = (uint16_t)i;
    for (uint32_t i = 0; i < n->load_count && directory_good(d); i++)
        read_load(d, &node->loads[i], &n->loads[i], executions);
}

void directory_node(directory *d, wet_file_node *node)
{
    wet_file *f = d->f;
    wet_node *n = &node->n;
    uint32_t executions = directory_number(d), count = directory_below(d, WET_OPERATIONS_MAX + 1);
    if (!executions || executions > f->time || !count || !directory_good(d) || !node_statements(d, node, count)) {
        directory_bad(d);
        return;
    }
    n->count = executions;
    n->base = f->producer_count;
    n->procedure = directory_number(d) - 1;
    n->control_count = directory_below(d, WET_OPERATIONS_MAX + 1);
    read_parents(d, n);
    f->producer_count += n->operation_count;
    node->slots = array(d, n->slot_count, sizeof *node->slots);
    node->inputs = array(d, n->input_count, sizeof *node->inputs);
    node->controls = array(d, n->control_count, sizeof *node->controls);
    node->loads = array(d, n->load_count, sizeof *node->loads);
    node->load_of = array(d, n->operation_count, sizeof *node->load_of);
    memset(node->load_of, 0xff, n->operation_count * sizeof *node->load_of);
    node_streams(d, node);
}
