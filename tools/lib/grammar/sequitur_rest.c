/* SPDX-License-Identifier: MIT */
#include "tools/lib/grammar/sequitur_rest.h"

/* Numbers the rules in the order in which a depth-first walk from the start rule meets them: number[guard] is a rule's
 * number, guards[number] its guard. */
static void number_rules(const grammar_builder *b, uint32_t *number, uint32_t *guards)
{
    uint32_t *stack = memory_zero(b->rules + (size_t)1, sizeof *stack);
    uint32_t met = 1;
    size_t depth = 0;
    for (uint32_t s = b->symbols[START].next; s != START || depth;) {
        uint32_t value = b->symbols[s].value;
        if (value >= GUARD) {
            s = b->symbols[stack[--depth]].next;
            continue;
        }
        uint32_t guard = value & ~GRAMMAR_RULE;
        if (value & GRAMMAR_RULE && !number[guard]) {
            guards[met] = guard;
            number[guard] = met++;
            stack[depth++] = s;
            s = b->symbols[guard].next;
            continue;
        }
        s = b->symbols[s].next;
    }
    free(stack);
}

void sequitur_copy_rules(const grammar_builder *b, grammar *g)
{
    uint32_t *guards = memory_zero(g->rules, sizeof *guards);
    uint32_t *number = memory_zero(b->fresh, sizeof *number);
    size_t size = 0;
    number_rules(b, number, guards);
    for (size_t rule = 0; rule < g->rules; rule++) {
        g->start[rule] = size;
        for (uint32_t s = b->symbols[guards[rule]].next; s != guards[rule]; s = b->symbols[s].next) {
            uint32_t value = b->symbols[s].value;
            g->symbols[size++] = value & GRAMMAR_RULE ? GRAMMAR_RULE | number[value & ~GRAMMAR_RULE] : value;
        }
    }
    g->start[g->rules] = size;
    free(guards);
    free(number);
}
