/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/why_calls.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/edge.h"
#include "tools/lib/wet/place.h"
#include "tools/lib/wet/word.h"

#define ROOM_FIRST 1024u /* places of the table at first : a power of 2 */

/* What a chain comes to. */
enum { MORE, CALL, END };

/* From an operation on a chain as far as it is known: where that is, after how many steps. `from` of no producer: not
 * in use. */
typedef struct known {
    wet_origin from, to;
    uint32_t steps;
    uint8_t what;
} known;

struct why_calls {
    wet_file *f;
    known *table;
    uint32_t room, count;
    known *passed; /* of the chain that is being followed; `steps`: before it */
    size_t passed_max;
};

why_calls *why_calls_new(wet_file *f)
{
    why_calls *c = memory_zero(1, sizeof *c);
    *c = (why_calls){.f = f, .table = memory_zero(ROOM_FIRST, sizeof *c->table), .room = ROOM_FIRST};
    return c;
}

void why_calls_free(why_calls *c)
{
    free(c->table);
    free(c->passed);
    free(c);
}

/* ---- what is known ---- */

/* Where an operation stands in the table, or would. */
static known *known_at(const why_calls *c, wet_origin from)
{
    uint32_t at = (from.producer * 0x9e3779b1u + from.instance * 0x85ebca6bu);
    for (at ^= at >> 15;; at++) {
        known *k = &c->table[at & (c->room - 1)];
        if (!k->from.producer || (k->from.producer == from.producer && k->from.instance == from.instance))
            return k;
    }
}

/* At most half of the table is in use. */
static void known_set(why_calls *c, known what)
{
    if (2 * c->count >= c->room) {
        known *old = c->table;
        uint32_t room = c->room;
        c->table = memory_zero((size_t)2 * room, sizeof *c->table);
        c->room = 2 * room;
        for (uint32_t i = 0; i < room; i++)
            if (old[i].from.producer)
                *known_at(c, old[i].from) = old[i];
        free(old);
    }
    known *k = known_at(c, what.from);
    c->count += !k->from.producer;
    *k = what;
}

/* ---- a step ---- */

static uint32_t instruction_of(const wet_file *f, wet_origin at)
{
    const wet_node *n = &f->nodes[f->producer_node[at.producer]].n;
    return f->statements[n->statements[n->operation_statement[at.producer - n->base]]].instruction;
}

static wet_origin parent_of(wet_file *f, wet_origin at)
{
    uint32_t node = f->producer_node[at.producer];
    const wet_file_node *n = &f->nodes[node];
    uint32_t operation = at.producer - n->n.base;
    if (n->n.parent[operation] != 255)
        return (wet_origin){n->n.base + n->n.parent[operation], at.instance};
    return wet_edge_origin(f, &n->controls[n->n.parent_input[operation]], node, at.instance,
                           wet_time(f, node, at.instance));
}

/* What *at is control dependent on. MORE, and *at is that; CALL, if that is a call; END: nothing, or *at is in main. */
static uint8_t step(wet_file *f, wet_origin *at)
{
    wet_origin parent = parent_of(f, *at);
    if (!parent.producer || !strcmp(wet_function_name(f, instruction_of(f, *at)), "main"))
        return END;
    *at = parent;
    uint8_t flow = f->statics[instruction_of(f, parent)].insn.flow;
    return flow == THUMB_CALL || flow == THUMB_CALL_INDIRECT ? CALL : MORE;
}

/* Follows the chain from *at; what it comes to, and how many operations were passed. */
static uint8_t follow(why_calls *c, wet_origin *at, uint32_t *steps, uint32_t most, uint32_t *passed)
{
    uint8_t what = MORE;
    while (what == MORE && *steps < most) {
        const known *k = known_at(c, *at);
        bool is = k->from.producer != 0;
        if (is && k->steps > most - *steps)
            break;
        c->passed = memory_room(c->passed, *passed, &c->passed_max, sizeof *c->passed);
        c->passed[(*passed)++] = (known){.from = *at, .steps = *steps};
        *steps += is ? k->steps : 1;
        if (is)
            *at = k->to;
        what = is ? k->what : step(c->f, at);
    }
    return what;
}

bool why_calls_next(why_calls *c, wet_origin *at, uint32_t *steps, uint32_t most)
{
    uint32_t passed = 0, end = *steps;
    uint8_t what = follow(c, at, &end, most, &passed);
    for (uint32_t i = 0; i < passed; i++)
        known_set(c, (known){c->passed[i].from, *at, end - c->passed[i].steps, what});
    *steps = what == MORE ? most : end;
    return what == CALL;
}
