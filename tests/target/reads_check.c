/* SPDX-License-Identifier: MIT */
/* reads_check list COUNT SEED: random instructions for tests/target/experiments/experiments.c.
 * reads_check judge COUNT SEED RESULTS: whether what the experiments found is what Weft believes of the same ones;
 * some may have been left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/machine/decode.h"
#include "tools/lib/machine/flags.h"
#include "tools/lib/machine/writes.h"

#define REGISTERS 0x5fffu /* those that experiments change: no sp */
#define FLAGS_AT 16

typedef struct candidate {
    uint16_t it, first, second;
    thumb_insn insn;
    uint64_t writes;
} candidate;

/* Within the encodings of arithmetic, loads and stores: the others branch, or change the machine's state. */
static void encode(check_random *r, candidate *c)
{
    *c = (candidate){0};
    uint32_t bits = check_random_below(r, 0x10000), kind = check_random_below(r, 12);
    c->first = (uint16_t)(kind < 2 ? bits % 0x4700 : 0xb200 | (bits & 0x8ff));
    if (kind == 8) {
        c->first = (uint16_t)(0x5000 + bits % 0x4000); /* one register */
    } else if (kind == 9) {
        c->first = (uint16_t)(0xc000 | (bits & 0xfff)); /* several */
    } else if (kind >= 10) {
        c->first = (uint16_t)((kind == 10 ? 0xe800 : 0xf800) | (bits & 0x1ff));
        c->second = (uint16_t)check_random_below(r, 0x10000);
        if (check_random_below(r, 2)) /* near the base */
            c->second &= 0xf710;
    } else if (kind >= 3) {
        static const uint16_t from[5] = {0xea00, 0xf000, 0xfa00, 0xfb00, 0xf300},
                              mask[5] = {0x1ff, 0x7ff, 0xff, 0xff, 0x9f};
        c->first = (uint16_t)(from[kind - 3] | (bits & mask[kind - 3]));
        c->second = (uint16_t)(check_random_below(r, 0x10000) & (kind == 4 || kind == 7 ? 0x7fff : 0xffff));
    }
}

/* sbfx, ubfx, bfi, bfc: the field must lie within the register. */
static bool is_field_good(const candidate *c)
{
    unsigned low = (c->second >> 12 & 7) << 2 | (c->second >> 6 & 3), last = c->second & 31;
    if ((c->first & 0xff70) == 0xf340)
        return low + last <= 31;
    return (c->first & 0xfff0) != 0xf360 || last >= low;
}

/* Leaves out what the manual does not define (sp or pc as a register; rev and clz whose two fields for one register
 * differ; bit fields beyond 32), what only ARMv8.1-M has, and what changes the machine's state. */
static bool is_plain(const candidate *c)
{
    char text[96];
    bool one_register = (c->first & 0xffd0) == 0xfa90;
    thumb_text(&c->insn, text, sizeof text);
    if (text[0] == 'v' || (one_register && (c->first & 15) != (c->second & 15)))
        return false;
    if (c->second && !is_field_good(c))
        return false;
    if (thumb_is_long_shift(c->first, c->second) || thumb_is_conditional_select(c->first, c->second))
        return false;
    static const char *const left_out[] = {"sp",  "pc",    "mrs",   "msr",  "cps", "bkpt",  "udf", "hint",
                                           "hlt", "crc32", "dsb",   "isb",  "dmb", "clrex", "sg",  "setend",
                                           "wf",  "sev",   "yield", "csdb", "dbg", "esb",   "ssbb"};
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strstr(text, left_out[i]))
            return false;
    return true;
}

/* Loads and stores from a register's address: near it, none twice, aligned where they must be. */
static bool is_reach_good(const candidate *c)
{
    const thumb_insn *i = &c->insn;
    thumb_state state = {{0}};
    uint32_t offset = 0, lists = (uint32_t)i->list;
    char text[96];
    thumb_text(i, text, sizeof text);
    if (i->memory == THUMB_NO_MEMORY)
        return true;
    if (i->base >= 15 || i->base == 13 || i->base == i->index || !thumb_address(i, &state, &offset))
        return false;
    for (unsigned k = 0; k < 2; k++)
        lists |= i->data[k] < 15 ? 1u << i->data[k] : 0;
    bool twice = i->data[0] == i->data[1] && i->data[0] != THUMB_NONE, own = i->writeback && lists >> i->base & 1;
    if (c->second && i->multiple && __builtin_popcountll(i->list) < 2)
        return false;
    return !strstr(text, "ex") && !strstr(text, "pld") && !strstr(text, "pli") && !twice && !own &&
           (int32_t)offset >= -64 && (int32_t)offset <= 60;
}

static bool candidate_next(check_random *r, candidate *c)
{
    encode(r, c);
    unsigned condition = check_random_below(r, 4) ? 14 : check_random_below(r, 14);
    uint8_t bytes[4] = {(uint8_t)c->first, (uint8_t)(c->first >> 8), (uint8_t)c->second, (uint8_t)(c->second >> 8)};
    if (!thumb_decode(&c->insn, 0x1000, bytes, c->second ? 4 : 2, condition))
        return false;
    if (condition != 14)
        c->it = (uint16_t)(0xbf08 | condition << 4);
    c->writes = thumb_writes(c->first, c->second, c->it != 0);
    return c->insn.flow == THUMB_NEXT && is_reach_good(c) &&
           !((c->insn.reads | c->writes) & ~(uint64_t)(REGISTERS | 1 << THUMB_FLAGS)) && is_plain(c);
}

static candidate *candidates(uint32_t count, uint32_t seed)
{
    candidate *all = calloc(count + 1, sizeof *all);
    check_random r = {seed};
    for (uint32_t i = 0; i < count;)
        i += candidate_next(&r, &all[i]);
    return all;
}

static candidate *all;
static uint32_t total;
static uint32_t *written, *read_of; /* what was found of each */

static bool say(const candidate *c, const char *what, uint32_t found, uint32_t believed)
{
    char text[96];
    thumb_text(&c->insn, text, sizeof text);
    if (found & ~believed)
        printf("# %04x %04x%s %s: %s %x, Weft believes %x\n", c->first, c->second, c->it ? " (IT)" : "", text, what,
               found, believed);
    return !(found & ~believed);
}

static uint32_t flags_read_of(const candidate *c)
{
    uint32_t flags = 0;
    if (c->insn.reads >> THUMB_FLAGS & 1)
        flags = thumb_flags_read(&c->insn, true) | (c->it ? thumb_flags_read(&c->insn, false) : 0);
    return flags << FLAGS_AT;
}

/* In an IT block a register that is written is left where the condition fails. */
static uint32_t reads_of(const candidate *c)
{
    return (uint32_t)(c->insn.reads & REGISTERS) | flags_read_of(c) |
           (c->it ? (uint32_t)(c->writes & REGISTERS) |
                        (c->writes >> THUMB_FLAGS & 1 ? thumb_flags_set(&c->insn) << FLAGS_AT : 0)
                  : 0);
}

static void nothing_is_read_that_is_not_known(void)
{
    bool good = true;
    for (uint32_t i = 0; i < total; i++)
        good &= say(&all[i], "reads", read_of[i], reads_of(&all[i]));
    CHECK(good);
}

static void nothing_is_written_that_is_not_known(void)
{
    bool good = true;
    for (uint32_t i = 0; i < total; i++) {
        uint64_t w = all[i].writes;
        uint32_t believed =
            (uint32_t)(w & REGISTERS) | (w >> THUMB_FLAGS & 1 ? thumb_flags_set(&all[i].insn) << FLAGS_AT : 0);
        good &= say(&all[i], "writes", written[i], believed);
    }
    CHECK(good);
}

/* What is believed to be read matters in one of some trials, but for results that do not depend on it, as r0 - r0. */
static void hardly_anything_is_known_to_be_read_that_does_not_matter(void)
{
    uint32_t idle = 0;
    for (uint32_t i = 0; i < total; i++) {
        uint32_t believed = (uint32_t)(all[i].insn.reads & REGISTERS) | flags_read_of(&all[i]);
        if (believed & ~read_of[i]) {
            idle++;
            if (idle < 40)
                say(&all[i], "(idle) reads, of all that is believed,", believed, read_of[i]);
        }
    }
    printf("# %u of %u instructions\n", idle, total);
    CHECK(idle * 20 < total);
}

static bool results_read(const char *path)
{
    FILE *in = fopen(path, "r");
    uint32_t count = 0, number, w, r;
    while (in && fscanf(in, "%u %x %x", &number, &w, &r) == 3 && number >= count && number < total) {
        all[count] = all[number];
        written[count] = w;
        read_of[count++] = r;
    }
    if (in)
        fclose(in);
    bool most = count > total / 2;
    total = count;
    return most;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    total = (uint32_t)atoi(argv[2]);
    all = candidates(total, (uint32_t)atoi(argv[3]));
    if (!strcmp(argv[1], "list")) {
        for (uint32_t i = 0; i < total; i++)
            printf("{%u, 0x%04x, 0x%04x, 0x%04x, %u, %u},\n", i, all[i].it, all[i].first, all[i].second,
                   all[i].insn.memory && all[i].insn.base < 15 ? all[i].insn.base : 15u,
                   all[i].insn.memory && all[i].insn.index < 15 ? all[i].insn.index : 15u);
        return 0;
    }
    written = calloc(total + 1, sizeof *written);
    read_of = calloc(total + 1, sizeof *read_of);
    if (argc < 5 || !results_read(argv[4])) {
        puts("not ok reads_check has no results of most instructions");
        return 1;
    }
    RUN(nothing_is_read_that_is_not_known);
    RUN(nothing_is_written_that_is_not_known);
    RUN(hardly_anything_is_known_to_be_read_that_does_not_matter);
    return check_failed();
}
