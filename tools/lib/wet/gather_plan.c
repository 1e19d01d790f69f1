/* SPDX-License-Identifier: MIT */
/* Step 4, the rest: what the steps after it would else ask of each statement in each execution. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/gathering.h"

static void accesses_plan(gather_plan *p, const wet_statement *s, uint32_t slot, uint32_t operation)
{
    for (uint32_t k = 0; k < s->slot_count; k++) {
        const wet_slot *sl = &s->slots[k];
        if (sl->kind != WET_ADDRESS)
            continue;
        const wet_access *access = &s->accesses[s->operations[sl->operation].first_access + sl->access];
        p->accesses[p->access_count++] =
            (gather_access){slot + k, (uint8_t)(operation + sl->operation), access->size, access->store};
    }
}

static void definitions_plan(gather_plan *p, const wet_statement *s, uint32_t operation)
{
    for (uint32_t o = 0; o < s->operation_count; o++) {
        p->defines |= s->operations[o].defines;
        for (uint64_t rest = s->operations[o].defines; rest; rest &= rest - 1)
            p->definers[__builtin_ctzll(rest)] = (uint8_t)(operation + o);
    }
}

static void statement_plan(const wet_trace *t, gather_plan *p, const wet_statement *s, uint32_t slot,
                           uint32_t operation)
{
    const cfg_place *place = &t->statics[s->instruction].place;
    accesses_plan(p, s, slot, operation);
    definitions_plan(p, s, operation);
    if (place->branch != CFG_NO_BRANCH && s->operation_count)
        p->branches[p->branch_count++] = (gather_branch){place->branch, (uint8_t)(operation + s->operation_count - 1u)};
}

void gather_plan_add(gather *g)
{
    const wet_trace *t = g->t;
    const wet_node *node = &t->nodes[g->plan_count];
    g->plans = memory_room(g->plans, g->plan_count, &g->plan_max, sizeof *g->plans);
    gather_plan *p = &g->plans[g->plan_count++];
    *p = (gather_plan){.accesses = memory_zero(node->slot_count + 1, sizeof *p->accesses),
                       .branches = memory_zero(node->statement_count + 1, sizeof *p->branches),
                       .dependences = node->load_count + node->operation_count};
    for (uint32_t i = 0; i < node->use_count; i++)
        p->dependences += node->uses[i].depends;
    for (uint32_t i = 0, slot = 0, operation = 0; i < node->statement_count; i++) {
        const wet_statement *s = &t->statements[node->statements[i]];
        statement_plan(t, p, s, slot, operation);
        slot += s->slot_count;
        operation += s->operation_count;
    }
}

void gather_plans_free(gather *g)
{
    for (uint32_t i = 0; i < g->plan_count; i++) {
        free(g->plans[i].accesses);
        free(g->plans[i].branches);
    }
    free(g->plans);
}
