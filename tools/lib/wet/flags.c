/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/flags.h"

#include "tools/lib/wet/edge.h"
#include "tools/lib/wet/word.h"

static const wet_statement *statement_of(const wet_file *f, const wet_node *n, uint32_t operation)
{
    return &f->statements[n->statements[n->operation_statement[operation]]];
}

unsigned wet_flags_read(const wet_file *f, const wet_node *n, uint32_t operation)
{
    const wet_statement *s = statement_of(f, n, operation);
    const wet_static *is = &f->statics[s->instruction];
    const wet_operation *o = &s->operations[n->operation_in_statement[operation]];
    unsigned kept = o->defines >> THUMB_FLAGS & 1 && !is->exception ? thumb_flags_kept(&is->insn) : 0;
    if (!(o->reads >> THUMB_FLAGS & 1))
        return kept;
    return is->exception ? THUMB_FLAGS_ALL : thumb_flags_read(&is->insn, s->passed) | kept;
}

unsigned wet_flags_set(const wet_file *f, const wet_node *n, uint32_t operation)
{
    const wet_statement *s = statement_of(f, n, operation);
    const wet_static *is = &f->statics[s->instruction];
    if (!(s->operations[n->operation_in_statement[operation]].defines >> THUMB_FLAGS & 1))
        return 0;
    return is->exception ? THUMB_FLAGS_ALL : thumb_flags_set(&is->insn);
}

wet_origin wet_use_origin(wet_file *f, uint32_t node, const wet_use *use, uint32_t instance)
{
    const wet_file_node *fn = &f->nodes[node];
    if (use->producer != 255)
        return (wet_origin){fn->n.base + use->producer, instance};
    return wet_edge_origin(f, &fn->inputs[use->input], node, instance, wet_time(f, node, instance));
}

static const wet_use *flags_use(const wet_file_node *fn, uint32_t operation)
{
    for (uint32_t i = fn->use_first[operation]; i < fn->use_first[operation + 1]; i++)
        if (fn->n.uses[i].loc == THUMB_FLAGS)
            return &fn->n.uses[i];
    return NULL;
}

/* What leaves some flags as they were has an edge to what set them before, from which its own word is computed. */
uint32_t wet_flags_origins(wet_file *f, uint32_t node, uint32_t operation, uint32_t instance,
                           wet_origin origins[THUMB_FLAG_KINDS], bool *more)
{
    uint32_t count = 0, steps = 0;
    bool leads = true;
    const wet_node *reader = &f->nodes[node].n;
    bool exception = f->statics[statement_of(f, reader, operation)->instruction].exception; /* it only stacks them */
    unsigned left = wet_flags_read(f, reader, operation);
    for (; left && steps < WET_FLAGS_BACK && !f->damaged; steps++) {
        const wet_use *use = flags_use(&f->nodes[node], operation);
        leads = use != NULL;
        if (!leads)
            break;
        wet_origin origin = wet_use_origin(f, node, use, instance);
        if (!origin.producer) /* nothing set them before */
            break;
        node = f->producer_node[origin.producer];
        operation = origin.producer - f->nodes[node].n.base;
        instance = origin.instance;
        unsigned set = wet_flags_set(f, &f->nodes[node].n, operation);
        if (set & left)
            origins[count++] = origin;
        left &= ~set;
    }
    *more = left && !exception && (steps == WET_FLAGS_BACK || (steps && !leads));
    return count;
}
