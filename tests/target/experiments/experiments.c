/* SPDX-License-Identifier: MIT */
/* Finds by experiment what instructions read and write: it knows nothing of them. Each one runs from a state of random
 * registers and flags, and then again with one register or flag changed at a time. What comes out otherwise, in memory
 * too, says what was read. `list.h` (reads_check writes it) has the instructions. A line each:
 *
 *     NUMBER WRITTEN READ     hexadecimal masks: bits 0 to 12 are r0 to r12, 14 lr; 16 to 21 N, Z, C, V, Q, GE
 *
 * WRITTEN has what was ever other than before. READ has what ever changed another location, or itself where it is
 * written otherwise than by leaving it. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct instruction {
    uint16_t number, it, first, second; /* it: 0 or what stands before it; second: 0 for one of 16 bits */
    uint16_t base, index;               /* registers that make an address, or NO_REGISTER */
} instruction;

static const instruction list[] = {
#include "list.h"
};

enum { NO_REGISTER = 15, LR = 14, FLAGS = 16, LOCATIONS = 22, TRIALS = 12 };

#define NOP 0xbf00u
#define GE_BITS 0xf0000u

/* As the code below loads and stores it. */
typedef struct state {
    uint32_t flags, r[13], lr;
} state;

/* A state and the memory that instructions reach: 16 words from a base, and a list of 13 registers, either way. */
enum { WORDS = 96, BASE_AT = 32, BASES = 8 };
typedef struct world {
    state s;
    uint32_t words[WORDS];
} world;

static state now;
static uint32_t memory[WORDS];
static const instruction *tried;
static uint32_t random_state = 1;

/* The state's registers and flags are taken, the instruction runs where three nops stand, and they are put back. */
__asm(".pushsection .text\n"
      ".syntax unified\n"
      ".balign 4\n"
      ".global attempt, attempt_slot, attempt_end\n"
      "attempt:\n"
      "    push {r4-r11, lr}\n"
      "    adr r1, attempt_stack\n"
      "    mov r2, sp\n"
      "    str r2, [r1]\n"
      "    mov sp, r0\n"
      "    pop {r0}\n"
      "    msr APSR_nzcvqg, r0\n"
      "    ldmia.w sp!, {r0-r12, lr}\n"
      "attempt_slot:\n"
      "    nop\n"
      "    nop\n"
      "    nop\n"
      "    nop\n"
      "    stmdb.w sp!, {r0-r12, lr}\n"
      "    mrs r0, APSR\n"
      "    push {r0}\n"
      "    ldr r0, attempt_stack\n"
      "    mov sp, r0\n"
      "    pop {r4-r11, pc}\n"
      ".balign 4\n"
      "attempt_stack:\n"
      "    .word 0\n"
      "attempt_end:\n"
      ".popsection\n");
extern const uint8_t attempt[], attempt_slot[], attempt_end[];

static uint32_t code[64]; /* the same in RAM, with an instruction */

static uint32_t next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Mostly any number; small ones and signs so that shifts, carries and saturation come. */
static uint32_t number(void)
{
    uint32_t kind = next() % 8, x = next();
    return kind < 4 ? x : kind == 4 ? x % 40 : kind == 5 ? 0u - x % 40 : kind == 6 ? x >> 16 : 1u << (x & 31);
}

static void place(const instruction *i)
{
    uint16_t slot[4] = {NOP, NOP, NOP, NOP};
    unsigned at = 0;
    if (i->it)
        slot[at++] = i->it;
    slot[at++] = i->first;
    if (i->second)
        slot[at++] = i->second;
    memcpy(code, attempt, (size_t)(attempt_end - attempt));
    memcpy((uint8_t *)code + (attempt_slot - attempt), slot, sizeof slot);
    __asm volatile("dsb\n isb" ::: "memory");
}

static void run(const world *before, world *after)
{
    now = before->s;
    memcpy(memory, before->words, sizeof memory);
    ((void (*)(state *))((uintptr_t)code | 1))(&now);
    after->s = now;
    memcpy(after->words, memory, sizeof memory);
}

/* What a register may hold: a base lies in the memory, an index is small. */
static uint32_t number_for(unsigned location)
{
    if (location == tried->base)
        return (uint32_t)(uintptr_t)&memory[BASE_AT + next() % BASES];
    return location == tried->index ? next() % 4 : number();
}

static uint32_t get(const state *s, unsigned location)
{
    if (location < FLAGS)
        return location == LR ? s->lr : s->r[location];
    return location == FLAGS + 5 ? s->flags & GE_BITS : s->flags >> (31 - (location - FLAGS)) & 1;
}

/* Another number than before. */
static void change(state *s, unsigned location)
{
    uint32_t *word = location == LR ? &s->lr : &s->r[location % 13], old = *word;
    if (location == FLAGS + 5)
        s->flags ^= (next() & GE_BITS) | 0x10000;
    else if (location >= FLAGS)
        s->flags ^= 1u << (31 - (location - FLAGS));
    else
        while (*word == old)
            *word = location == tried->base || location == tried->index || next() % 3 ? number_for(location)
                                                                                      : old ^ 1u << (next() & 31);
}

static int is_location(unsigned location)
{
    return location < 13 || location == LR || (location >= FLAGS && location < LOCATIONS);
}

typedef struct found {
    uint32_t written, read;
} found;

/* What the state after a change differs in shows what `changed` reaches. Its own location shows it only where the
 * instruction has written it in both runs, or in one of them. */
static void compare(found *f, unsigned changed, const world in[2], const world out[2])
{
    if (memcmp(out[0].words, out[1].words, sizeof out[0].words))
        f->read |= 1u << changed;
    for (unsigned l = 0; l < LOCATIONS; l++) {
        if (!is_location(l))
            continue;
        for (unsigned k = 0; k < 2; k++)
            f->written |= (uint32_t)(get(&in[k].s, l) != get(&out[k].s, l)) << l;
        int left = get(&in[0].s, l) == get(&out[0].s, l) && get(&in[1].s, l) == get(&out[1].s, l);
        if (get(&out[0].s, l) != get(&out[1].s, l) && !(l == changed && left))
            f->read |= 1u << changed;
    }
}

static found experiment(const instruction *i)
{
    static world in[2], out[2];
    found f = {0, 0};
    tried = i;
    place(i);
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        for (unsigned k = 0; k < 13; k++)
            in[0].s.r[k] = number_for(k);
        for (unsigned k = 0; k < WORDS; k++)
            in[0].words[k] = next();
        in[0].s.lr = number_for(LR);
        in[0].s.flags = next() & 0xf80f0000u;
        run(&in[0], &out[0]);
        for (unsigned l = 0; l < LOCATIONS; l++) {
            if (!is_location(l))
                continue;
            in[1] = in[0];
            change(&in[1].s, l);
            run(&in[1], &out[1]);
            compare(&f, l, in, out);
        }
    }
    return f;
}

int main(void)
{
    for (unsigned i = 0; i < sizeof list / sizeof *list; i++) {
        found f = experiment(&list[i]);
        printf("%u %x %x\n", list[i].number, (unsigned)f.written, (unsigned)f.read);
    }
    return 0;
}
