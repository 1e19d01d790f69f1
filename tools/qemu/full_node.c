/* SPDX-License-Identifier: MIT */
#include "tools/qemu/full.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/machine/thumb.h"
#include "tools/lib/machine/writes.h"

static uint8_t leave_of(uint16_t first, uint16_t second)
{
    if ((first & 0xff87) == 0x4700)
        return LEAVE_REGISTER;
    if ((first & 0xff00) == 0xbd00)
        return LEAVE_LOADED;
    if ((first & 0xfe50) == 0xe810 && second & 0x8000)
        return LEAVE_LOADED;
    if ((first & 0xff70) == 0xf850 && second >> 12 == 15)
        return LEAVE_LOADED;
    return LEAVE_NOT;
}

/* Branches that may change the stack or the security state, and all of the class of msr, mrs and cps. */
static bool is_unnamed(uint16_t first, uint16_t second)
{
    bool branch = (first & 0xff00) == 0x4700, cps = (first & 0xffe0) == 0xb660, gate = first == 0xe97f;
    return branch || cps || gate || ((first & 0xf800) == 0xf000 && second & 0x8000);
}

/* Notes the conditions of the instructions after an IT. They follow in memory, at most 16 bytes on. */
void full_note_it(uint32_t pc, uint16_t first)
{
    uint8_t conditions[4];
    int count = thumb_it(first, conditions);
    pc += 2;
    for (int i = 0; i < count; i++) {
        uint8_t bytes[2];
        if (!machine_read(pc, bytes, sizeof bytes))
            return;
        full.conditions[pc >> 1] = (uint8_t)(conditions[i] + 1);
        pc += thumb_is_wide((uint16_t)(bytes[0] | bytes[1] << 8)) ? 4 : 2;
    }
}

node *full_find_node(uint32_t pc, uint16_t first, uint16_t second)
{
    uint8_t it = full.conditions[pc >> 1];
    uint8_t condition = it ? (uint8_t)(it - 1) : FULL_ALWAYS;
    node **bucket = &full.buckets[(pc >> 1 ^ pc >> 17) % BUCKETS];
    for (node *n = *bucket; n; n = n->next)
        if (n->pc == pc && n->first == first && n->second == second && n->condition == condition)
            return n;
    node *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->pc = pc;
    n->first = first;
    n->second = second;
    n->condition = condition;
    n->size = thumb_is_wide(first) ? 4 : 2;
    n->number = UNNUMBERED;
    n->writes = thumb_writes(first, second, it != 0);
    n->leave = leave_of(first, second);
    n->unnamed = n->leave != LEAVE_NOT || is_unnamed(first, second);
    n->store_exclusive = thumb_is_store_exclusive(first, second);
    int count = __builtin_popcountll(n->writes);
    n->last = count <= 4 ? n->few_last : calloc(FULL_VALUES_MAX, sizeof *n->last);
    n->next = *bucket;
    *bucket = n;
    return n->last ? n : NULL;
}

void full_define(node *n)
{
    n->number = full.numbered++;
    put_fixed(FULL_DEFINITIONS, n->pc, 4);
    put_byte(FULL_DEFINITIONS, n->size);
    put_fixed(FULL_DEFINITIONS, n->first, 2);
    put_fixed(FULL_DEFINITIONS, n->second, 2);
    put_byte(FULL_DEFINITIONS, n->condition);
    put_fixed(FULL_DEFINITIONS, n->writes, 8);
}

/* The decoder missed a register that changed: the mask grows. */
void full_learn(node *n, uint64_t more)
{
    n->writes |= more;
    if (n->last == n->few_last)
        n->last = malloc(FULL_VALUES_MAX * sizeof *n->last);
    if (!n->last)
        abort();
    memset(n->last, 0, FULL_VALUES_MAX * sizeof *n->last);
    n->slot_count = 0;
    put_note(FULL_NOTE_WRITES);
    put_fixed(FULL_NOTES, n->writes, 8);
}
