/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/executed.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/wet/blocks.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/place.h"
#include "tools/lib/wet/word.h"

/* A statement of a node. */
typedef struct step {
    uint32_t instruction; /* of the execution */
    uint32_t stack;       /* the slot of the stack pointer's new value; WET_NONE: it keeps it */
    uint32_t frame;       /* exceptions: the slot of the first address; WET_NONE: none */
    uint16_t to;
    uint8_t exception; /* as wet_static */
    bool passed, accesses;
} step;

typedef struct node_steps {
    step *all; /* NULL: not made yet */
    uint32_t count;
} node_steps;

struct wet_executed {
    wet_file *f;
    execution *run;
    wet_control *control;
    uint32_t *number; /* in the execution, by static instruction */
    node_steps *nodes;
};

static bool add_statics(wet_executed *all, char *message, size_t message_size)
{
    wet_file *f = all->f;
    for (uint32_t i = 0; i < f->static_count; i++) {
        const thumb_insn *insn = &f->statics[i].insn;
        if (f->statics[i].exception)
            continue;
        all->number[i] = execution_instruction(all->run, insn->pc, insn->bytes, insn->size, insn->condition);
        if (all->number[i] == EXECUTION_NONE)
            break;
    }
    return execution_fits(all->run, message, message_size);
}

/* The first slot of a kind (values: of a location) among those of a statement, which begin at `first`. */
static uint32_t slot_of(const wet_statement *s, uint32_t first, unsigned kind, unsigned loc)
{
    for (uint32_t k = 0; k < s->slot_count; k++)
        if (s->slots[k].kind == kind && (kind != WET_VALUE || s->slots[k].loc == loc))
            return first + k;
    return WET_NONE;
}

static void make_steps(wet_executed *all, uint32_t node)
{
    const wet_file *f = all->f;
    const wet_node *n = &f->nodes[node].n;
    node_steps *made = &all->nodes[node];
    made->all = memory_zero(n->statement_count + 1, sizeof *made->all);
    uint32_t operation = 0;
    for (; made->count < n->statement_count; made->count++) {
        const wet_statement *s = &f->statements[n->statements[made->count]];
        const wet_static *at = &f->statics[s->instruction];
        uint32_t first = n->slot_first[operation];
        made->all[made->count] = (step){.instruction = all->number[s->instruction],
                                        .stack = slot_of(s, first, WET_VALUE, 13),
                                        .frame = slot_of(s, first, WET_ADDRESS, 0),
                                        .to = at->to,
                                        .exception = at->exception,
                                        .passed = s->passed,
                                        .accesses = s->access_count != 0};
        operation += s->operation_count;
    }
}

static void add_exception(wet_executed *all, uint32_t node, uint32_t instance, const step *s)
{
    bool kept = s->frame == WET_NONE; /* chained: the registers stay where they are */
    uint32_t frame = kept ? execution_frame(all->run) : wet_word(all->f, node, s->frame, instance);
    const who_exception exception = {s->to, frame, s->exception != 2, s->exception == 3};
    execution_exception(all->run, &exception, s->stack == WET_NONE ? 0 : wet_word(all->f, node, s->stack, instance));
}

static void add_accesses(wet_executed *all, wet_instance at)
{
    wet_access_seen seen[FULL_ACCESSES_MAX];
    uint32_t count = wet_accesses_of(all->f, at, seen);
    for (uint32_t i = 0; i < count; i++)
        execution_access(all->run, seen[i].address, seen[i].size, seen[i].store);
}

static void add_node(wet_executed *all, uint32_t node, uint32_t instance)
{
    if (!all->nodes[node].all)
        make_steps(all, node);
    for (uint32_t i = 0; i < all->nodes[node].count; i++) {
        const step *s = &all->nodes[node].all[i];
        if (s->exception) {
            add_exception(all, node, instance, s);
            continue;
        }
        execution_step(all->run, s->instruction, s->passed);
        if (s->stack != WET_NONE)
            execution_stack(all->run, wet_word(all->f, node, s->stack, instance));
        if (s->accesses && execution_wants_accesses(all->run))
            add_accesses(all, (wet_instance){node, i, instance});
    }
}

wet_executed *wet_executed_open(wet_file *f, execution *run, char *message, size_t message_size)
{
    wet_executed *all = memory_zero(1, sizeof *all);
    *all = (wet_executed){.f = f,
                          .run = run,
                          .number = memory_zero(f->static_count + 1, sizeof *all->number),
                          .nodes = memory_zero(f->node_count + 1, sizeof *all->nodes)};
    wet_blocks_in_order(f);
    execution_restart(run);
    if (!add_statics(all, message, message_size)) {
        wet_executed_close(all);
        return NULL;
    }
    all->control = wet_control_new(f, 1, f->time, false);
    return all;
}

execution_fed wet_executed_next(wet_executed *all)
{
    uint32_t low;
    const uint32_t *nodes, *instances;
    uint32_t count = wet_control_next(all->control, &low, &nodes, &instances);
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i] == WET_NONE)
            all->f->damaged = true;
        else
            add_node(all, nodes[i], instances[i]);
    progress_show(all->run->steps, "instructions");
    return count ? EXECUTION_MORE : all->f->damaged || all->f->damaged_at ? EXECUTION_WRONG : EXECUTION_END;
}

void wet_executed_close(wet_executed *all)
{
    if (!all)
        return;
    progress_end();
    if (all->control)
        wet_control_free(all->control);
    for (uint32_t i = 0; i < all->f->node_count; i++)
        free(all->nodes[i].all);
    free(all->nodes);
    free(all->number);
    free(all);
}
