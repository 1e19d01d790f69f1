/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/edge.h"
#include "tools/lib/wet/stream.h"

#define CHUNK (1u << 18)
#define PART 2048u

struct wet_control {
    wet_file *f;
    uint32_t from, to; /* what is left */
    bool backward, started;
    uint32_t *position;  /* of each node: executions before the part that is left (backward: before its end) */
    uint32_t *next_time; /* of the execution there; 0: not known; UINT32_MAX: none */
    uint32_t *nodes, *instances;
};

wet_control *wet_control_new(wet_file *f, uint32_t from, uint32_t to, bool backward)
{
    wet_control *c = memory_zero(1, sizeof *c);
    *c = (wet_control){.f = f, .from = from ? from : 1, .to = to < f->time ? to : f->time, .backward = backward};
    c->position = memory_zero(f->node_count + 1, sizeof *c->position);
    c->next_time = memory_zero(f->node_count + 1, sizeof *c->next_time);
    c->nodes = memory_zero(CHUNK, sizeof *c->nodes);
    c->instances = memory_zero(CHUNK, sizeof *c->instances);
    for (uint32_t i = 0; i < f->node_count; i++) {
        uint32_t count = f->nodes[i].n.count;
        c->position[i] = backward ? (c->to >= f->time ? count : wet_rank(f, i, c->to))
                                  : (c->from <= 1 ? 0 : wet_rank(f, i, c->from - 1));
    }
    return c;
}

void wet_control_free(wet_control *c)
{
    free(c->position);
    free(c->next_time);
    free(c->nodes);
    free(c->instances);
    free(c);
}

static void put(wet_control *c, uint32_t node, uint32_t instance, uint32_t time, uint32_t low)
{
    c->nodes[time - low] = node;
    c->instances[time - low] = instance;
}

/* The executions of a node with times low..high, going up. */
static void fill_up(wet_control *c, uint32_t node, uint32_t low, uint32_t high)
{
    uint32_t times[PART], at = c->position[node], count = c->f->nodes[node].n.count;
    while (at < count) {
        uint32_t part = count - at < PART ? count - at : PART, i;
        wet_stream_read(c->f, c->f->nodes[node].times, at, part, times);
        for (i = 0; i < part && times[i] <= high; i++)
            if (times[i] >= low)
                put(c, node, at + i, times[i], low);
        at += i;
        if (i < part) {
            c->next_time[node] = times[i];
            break;
        }
    }
    c->position[node] = at;
    if (at == count)
        c->next_time[node] = UINT32_MAX;
}

/* The same, going down. */
static void fill_down(wet_control *c, uint32_t node, uint32_t low, uint32_t high)
{
    uint32_t times[PART], at = c->position[node];
    while (at) {
        uint32_t part = at < PART ? at : PART, i;
        wet_stream_read(c->f, c->f->nodes[node].times, at - part, part, times);
        for (i = part; i > 0 && times[i - 1] >= low; i--)
            if (times[i - 1] <= high)
                put(c, node, at - part + i - 1, times[i - 1], low);
        at -= part - i;
        if (i > 0) {
            c->next_time[node] = times[i - 1];
            break;
        }
    }
    c->position[node] = at;
    if (!at)
        c->next_time[node] = UINT32_MAX;
}

uint32_t wet_control_next(wet_control *c, uint32_t *low, const uint32_t **nodes, const uint32_t **instances)
{
    if (c->from > c->to || !c->to)
        return 0;
    uint32_t left = c->to - c->from + 1, count = left < CHUNK ? left : CHUNK;
    *low = c->backward ? c->to - count + 1 : c->from;
    memset(c->nodes, 0xff, count * sizeof *c->nodes);
    for (uint32_t i = 0; i < c->f->node_count; i++) {
        uint32_t next = c->next_time[i];
        if (next == UINT32_MAX || (next && (c->backward ? next < *low : next > *low + count - 1)))
            continue;
        if (c->backward)
            fill_down(c, i, *low, *low + count - 1);
        else
            fill_up(c, i, *low, *low + count - 1);
    }
    if (c->backward)
        c->to -= count;
    else
        c->from += count;
    *nodes = c->nodes;
    *instances = c->instances;
    return count;
}

/* ---- addresses ---- */

#define BUFFER (1u << 16)

typedef struct address_list {
    uint32_t count;
    uint32_t *addresses;
} address_list;

/* Each node's addresses, in the order of the walk. */
static address_list *lists_make(const wet_file *f, bool backward)
{
    address_list *lists = memory_zero(f->node_count + 1, sizeof *lists);
    for (uint32_t i = 0; i < f->node_count; i++) {
        const wet_node *n = &f->nodes[i].n;
        lists[i].addresses = memory_zero(WET_OPERATIONS_MAX, sizeof(uint32_t));
        for (uint32_t k = 0; k < n->statement_count; k++) {
            uint32_t statement = n->statements[backward ? n->statement_count - 1 - k : k];
            const wet_static *s = &f->statics[f->statements[statement].instruction];
            if (!s->exception)
                lists[i].addresses[lists[i].count++] = s->insn.pc;
        }
    }
    return lists;
}

/* Writes the buffer if it is full. Returns how much it holds now. */
static uint32_t buffer_write(const uint32_t *buffer, uint32_t used, void *out)
{
    if (used < BUFFER)
        return used;
    if (out)
        fwrite(buffer, sizeof *buffer, used, out);
    return 0;
}

uint64_t wet_control_addresses(wet_file *f, uint32_t from, uint32_t to, bool backward, void *out)
{
    address_list *lists = lists_make(f, backward);
    wet_control *c = wet_control_new(f, from, to, backward);
    uint32_t low, count, used = 0, *buffer = memory_zero(BUFFER + WET_OPERATIONS_MAX, sizeof *buffer);
    const uint32_t *nodes, *instances;
    uint64_t total = 0;
    while ((count = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = 0; i < count; i++) {
            uint32_t node = nodes[backward ? count - 1 - i : i];
            if (node == WET_NONE) {
                f->damaged = true;
                continue;
            }
            const address_list *list = &lists[node];
            memcpy(buffer + used, list->addresses, list->count * sizeof *buffer);
            used += list->count;
            total += list->count;
            used = buffer_write(buffer, used, out);
        }
    if (out)
        fwrite(buffer, sizeof *buffer, used, out);
    for (uint32_t i = 0; i < f->node_count; i++)
        free(lists[i].addresses);
    free(lists);
    free(buffer);
    wet_control_free(c);
    return total;
}
