/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/slice_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/ahead.h"
#include "tools/lib/wet/blocks.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/slice_plan.h"
#include "tools/lib/wet/slice_resolve.h"
#include "tools/lib/wet/walker.h"

#define DECODED_MAX (UINT64_C(128) << 20) /* bytes of decoded blocks meanwhile. Less: some are decoded twice */
#define DECODED_LEFT (UINT64_C(32) << 20) /* before and after: for other queries */
#define SPAN (UINT32_C(1) << SLICE_SPAN_BITS)

/* Which link is whose. */
static void node_make(slice_log_node *m, const wet_file_node *fn)
{
    uint32_t at = fn->n.control_count, load = 0;
    m->first = memory_zero(fn->n.operation_count + 1, sizeof *m->first);
    for (uint32_t o = 0; o < fn->n.operation_count; o++) {
        m->first[o] = at;
        for (; load < fn->n.load_count && fn->n.loads[load].operation == o; load++) {
            at += fn->loads[load].part_count ? fn->loads[load].part_count : 1;
            m->loads |= UINT64_C(1) << o;
        }
    }
    m->first[fn->n.operation_count] = at;
}

static slice_log *log_new(wet_file *f)
{
    slice_log *log = memory_zero(1, sizeof *log);
    log->node_count = f->node_count;
    log->nodes = memory_zero(f->node_count + 1, sizeof *log->nodes);
    for (uint32_t i = 0; i < f->node_count; i++)
        node_make(&log->nodes[i], &f->nodes[i]);
    log->make = slice_resolver_new(f);
    return log;
}

/* A part of the temporary file; NULL: there is none, and memory must do. */
static void *file_map(slice_log *log, size_t size)
{
    if (!log->file && !(log->file = tmpfile()))
        return NULL;
    if (ftruncate(fileno(log->file), (off_t)(log->file_size + size)))
        return NULL;
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(log->file), (off_t)log->file_size);
    if (at == MAP_FAILED)
        return NULL;
    log->file_size += size;
    return at;
}

/* Nodes and links of `count` executions. */
static void span_new(slice_log *log, slice_span *s, uint64_t held_max, uint32_t count, uint64_t links)
{
    size_t words = (size_t)count + (size_t)links, size = (words * sizeof(uint32_t) + 65535) & ~(size_t)65535;
    *s = (slice_span){0};
    if (log->held + size > held_max && (s->nodes = file_map(log, size)) != NULL) {
        s->size = size;
    } else {
        s->nodes = memory_grow(NULL, words + 1, sizeof *s->nodes);
        log->held += size;
    }
    s->links = s->nodes + count;
}

/* The next span; `nodes` and `instances` of its executions. */
static void span_add(wet_file *f, slice_log *log, const uint32_t *nodes, const uint32_t *instances, uint32_t count)
{
    uint32_t span = log->time >> SLICE_SPAN_BITS;
    uint64_t links = 0;
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i] != WET_NONE)
            links += log->nodes[nodes[i]].first[f->nodes[nodes[i]].n.operation_count];
    log->spans = memory_room(log->spans, span, &log->span_max, sizeof *log->spans);
    slice_span *s = &log->spans[span];
    span_new(log, s, f->log_max, count, links);
    uint32_t *out = s->links;
    for (uint32_t i = 0; i < count; i++) {
        s->nodes[i] = nodes[i];
        log->time++;
        if (nodes[i] == WET_NONE)
            continue;
        slice_resolve(log->make, log, nodes[i], instances[i], log->time, out);
        out += log->nodes[nodes[i]].first[f->nodes[nodes[i]].n.operation_count];
    }
}

slice_log *slice_log_reach(wet_file *f, uint32_t time)
{
    if (!f->log)
        f->log = log_new(f);
    slice_log *log = f->log;
    if (log->time >= time)
        return log;
    uint64_t end = ((uint64_t)(time - 1) | (SPAN - 1)) + 1;
    uint32_t low, count;
    const uint32_t *nodes, *instances;
    bool alone = f->alone;
    f->alone = false; /* nearly all words will be asked for */
    uint64_t decoded_max = f->decoded_max;
    f->decoded_max = decoded_max < DECODED_MAX ? decoded_max : DECODED_MAX;
    wet_blocks_shrink(f, DECODED_LEFT);
    uint32_t last = end < f->time ? (uint32_t)end : f->time;
    slice_plan_begin(f, slice_resolver_needs(log->make), log->time + 1, last);
    wet_control *c = wet_control_new(f, log->time + 1, last, false);
    while ((count = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t at = 0; at < count; at += SPAN) {
            span_add(f, log, nodes + at, instances + at, count - at < SPAN ? count - at : SPAN);
            wet_ahead_pass(f, log->time);
        }
    wet_control_free(c);
    wet_ahead_end(f);
    wet_blocks_shrink(f, DECODED_LEFT); /* no slice asks for them */
    f->decoded_max = decoded_max;
    f->alone = alone;
    if (log->time == f->time) {
        slice_resolver_free(log->make);
        log->make = NULL;
    }
    return log;
}

void slice_log_free(slice_log *log)
{
    if (!log)
        return;
    for (uint64_t i = 0; i << SLICE_SPAN_BITS < log->time; i++)
        if (log->spans[i].size)
            munmap(log->spans[i].nodes, log->spans[i].size);
        else
            free(log->spans[i].nodes);
    for (uint32_t i = 0; i < log->node_count; i++)
        free(log->nodes[i].first);
    if (log->make)
        slice_resolver_free(log->make);
    slice_nodes_free(log->prepared[0], log->node_count);
    slice_nodes_free(log->prepared[1], log->node_count);
    free(log->marks);
    if (log->file)
        fclose(log->file);
    free(log->nodes);
    free(log->spans);
    free(log->groups);
    free(log);
}
