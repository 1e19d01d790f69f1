/* SPDX-License-Identifier: MIT */
/* misses_check FULL.weft X.wet MODEL...: the oracle of architecture histories. For each model it compares the
 * history of X.wet bit by bit with a naive simulator that reads the recording. The history is the stored one if it
 * is of that model; otherwise it is computed. The simulator keeps caches as lists of lines in the order of their
 * use. It takes outcomes of branches from where the run went on, and reads encodings instead of decoded
 * instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/naive_misses.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/history_run.h"
#include "tools/lib/wet/open.h"

/* ---- branches, from their encodings ---- */

static unsigned half(const full_instruction *i, unsigned at)
{
    return i->size > at ? i->bytes[at] | i->bytes[at + 1] << 8 : 0;
}

static bool is_cbz(const full_instruction *i)
{
    unsigned h = half(i, 0);
    return i->size == 2 && (h >> 12) == 11 && (h >> 8 & 5) == 1;
}

/* The condition of a b instruction that has one of its own, else 14. */
static unsigned own_condition(const full_instruction *i)
{
    unsigned h = half(i, 0), g = half(i, 2);
    if (i->size == 2 && h >> 12 == 13 && (h >> 8 & 15) < 14)
        return h >> 8 & 15;
    if (i->size == 4 && h >> 11 == 30 && (g >> 12 & 13) == 8 && (h >> 6 & 15) < 14)
        return h >> 6 & 15;
    return 14;
}

static int sign_extend(unsigned value, unsigned bits)
{
    return (int)(value << (32 - bits)) >> (32 - bits);
}

/* Whether the instruction is a direct branch and not a call. *target is where it leads. */
static bool direct(const full_instruction *i, unsigned *target)
{
    unsigned h = half(i, 0), g = half(i, 2), s = h >> 10 & 1, j1 = g >> 13 & 1, j2 = g >> 11 & 1, pc = i->pc + 4;
    if (is_cbz(i))
        *target = pc + (h >> 9 & 1) * 64 + (h >> 3 & 31) * 2;
    else if (i->size == 2 && own_condition(i) < 14)
        *target = pc + 2 * (unsigned)sign_extend(h & 255, 8);
    else if (i->size == 2 && h >> 11 == 28)
        *target = pc + 2 * (unsigned)sign_extend(h & 2047, 11);
    else if (i->size == 4 && own_condition(i) < 14)
        *target = pc + 2 * (unsigned)sign_extend(s << 19 | j2 << 18 | j1 << 17 | (h & 63) << 11 | (g & 2047), 20);
    else if (i->size == 4 && h >> 11 == 30 && (g >> 12 & 13) == 9)
        *target = pc + 2 * (unsigned)sign_extend(
                               s << 23 | (j1 == s) << 22 | (j2 == s) << 21 | (h & 1023) << 11 | (g & 2047), 24);
    else
        return false;
    return true;
}

/* Whether control leaves in any other way. */
static bool indirect(const full_instruction *i)
{
    unsigned h = half(i, 0), g = half(i, 2);
    if (i->size == 2)
        return h >> 8 == 0x47 || h >> 8 == 0xbd || (h & 0xff87) == 0x4687 || (h & 0xff87) == 0x4487 || h >> 8 == 0xde;
    if (h >> 11 == 30 && (g >> 12 & 13) == 13) /* bl */
        return true;
    if ((h & 0xffd0) == 0xe890 || (h & 0xffd0) == 0xe910)
        return g >> 15;
    return ((h & 0xff70) == 0xf850 && g >> 12 == 15) || ((h & 0xfff0) == 0xe8d0 && (g & 0xffe0) == 0xf000);
}

static bool condition_holds(unsigned condition, unsigned xpsr)
{
    bool n = xpsr >> 31, z = xpsr >> 30 & 1, c = xpsr >> 29 & 1, v = xpsr >> 28 & 1;
    const bool holds[14] = {z, !z, c, !c, n, !n, v, !v, c && !z, !c || z, n == v, n != v, n == v && !z, n != v || z};
    return holds[condition];
}

/* ---- the history, in order ---- */

static struct {
    wet_file *f;
    const wet_history *h;
    wet_control *control;
    const uint32_t *nodes, *instances;
    uint32_t count, at, event;
    unsigned long long compared, wrong, missed[4];
} walk;

/* Reads the next bit. False: the history has ended. */
static bool next_bit(wet_event *event, uint32_t *pc, bool *missed)
{
    uint32_t lowest;
    while (walk.at == walk.count || walk.event == walk.h->nodes[walk.nodes[walk.at]].event_count) {
        walk.event = 0;
        if (walk.at < walk.count && ++walk.at < walk.count)
            continue;
        walk.at = 0;
        walk.count = wet_control_next(walk.control, &lowest, &walk.nodes, &walk.instances);
        if (!walk.count)
            return false;
    }
    uint32_t node = walk.nodes[walk.at];
    const wet_history_node *n = &walk.h->nodes[node];
    *event = n->events[walk.event];
    uint32_t statement = walk.f->nodes[node].n.statements[event->statement];
    const wet_static *w = &walk.f->statics[walk.f->statements[statement].instruction];
    *pc = w->exception ? 0 : w->insn.pc;
    *missed = wet_bits_missed(&n->bits[walk.event], walk.instances[walk.at]);
    walk.event++;
    return true;
}

/* By what the naive simulator says: how often, and how often missed, of each instruction's address; 0 of exceptions. */
enum { PLACES = 1 << 20 }; /* of two bytes: code is below 2 MiB */
static uint32_t (*tally)[4][2];

static void count(unsigned kind, uint32_t pc, bool missed)
{
    if (!tally)
        tally = calloc(PLACES, sizeof *tally);
    walk.wrong += pc / 2 >= PLACES;
    tally[pc / 2 % PLACES][kind][0]++;
    tally[pc / 2 % PLACES][kind][1] += missed;
}

static bool write_tally(const char *path)
{
    static const char *const kinds[] = {
        [MISSES_BRANCH] = "branches", [MISSES_LOAD] = "loads", [MISSES_STORE] = "stores", [MISSES_FETCH] = "fetches"};
    FILE *file = fopen(path, "w");
    for (uint32_t at = 0; file && at < PLACES; at++)
        for (unsigned kind = 0; tally && kind < 4; kind++)
            if (tally[at][kind][0])
                fprintf(file, "%s %u %u %u\n", kinds[kind], 2 * at, tally[at][kind][0], tally[at][kind][1]);
    return file && !fclose(file);
}

static void expect_bit(unsigned kind, uint32_t pc, bool missed)
{
    count(kind, pc, missed);
    wet_event event = {0};
    uint32_t at = 0;
    bool got = false, more = next_bit(&event, &at, &got);
    walk.compared++;
    walk.missed[kind] += missed;
    if (more && event.kind == kind && at == pc && got == missed)
        return;
    if (walk.wrong++ < 5)
        printf("# bit %llu: kind %u at 0x%x is %d, not kind %u at 0x%x, %d\n", walk.compared, event.kind, (unsigned)at,
               got, kind, (unsigned)pc, missed);
}

/* ---- the run ---- */

/* An instruction whose outcome the next event shows. */
static struct {
    bool waits;
    full_instruction i;
    bool passed;
} pending;

static void finish_branch(bool taken)
{
    unsigned target = 0;
    bool backward = direct(&pending.i, &target) && target <= pending.i.pc;
    expect_bit(MISSES_BRANCH, pending.i.pc, naive_misses_branch(pending.i.pc, backward, taken));
    pending.waits = false;
}

static void run_accesses(const full_event *e, uint32_t pc, bool store)
{
    bool any = false, missed = false;
    for (unsigned k = 0; k < e->access_count; k++)
        if (e->accesses[k].store == store) {
            any = true;
            missed |= naive_misses_access(e->accesses[k].address, e->accesses[k].size, store);
        }
    if (any)
        expect_bit(store ? MISSES_STORE : MISSES_LOAD, pc, missed);
}

static void run_instruction(const full_event *e)
{
    const full_instruction *i = e->instruction;
    unsigned target;
    if (pending.waits)
        finish_branch(pending.i.condition < 14 ? pending.passed : i->pc != pending.i.pc + pending.i.size);
    expect_bit(MISSES_FETCH, i->pc, naive_misses_fetch(i->pc, i->size));
    run_accesses(e, i->pc, false);
    run_accesses(e, i->pc, true);
    bool to = direct(i, &target), may = i->condition < 14 ? to || indirect(i) : is_cbz(i) || own_condition(i) < 14;
    pending.waits = may && !(to && target == i->pc + i->size);
    pending.i = *i;
    pending.passed = e->passed;
}

/* An exception comes in between. The flags and low registers are still those of the branch. */
static void finish_before_exception(const full_event *e)
{
    if (pending.i.condition < 14)
        finish_branch(pending.passed);
    else if (is_cbz(&pending.i))
        finish_branch((e->registers[half(&pending.i, 0) & 7] == 0) != (half(&pending.i, 0) >> 11 & 1));
    else
        finish_branch(condition_holds(own_condition(&pending.i), e->xpsr));
}

static void run_exception(const full_event *e)
{
    static uint32_t frames[256], depth;
    if (pending.waits)
        finish_before_exception(e);
    bool chained = e->entry && e->from && ((e->registers[14] & 8) || (depth && frames[depth - 1] == e->frame));
    if (chained)
        return;
    bool missed = false;
    for (unsigned k = 0; k < 8; k++)
        missed |= naive_misses_access(e->frame + 4 * k, 4, e->entry);
    expect_bit(e->entry ? MISSES_STORE : MISSES_LOAD, 0, missed);
    if (e->entry && depth < 256)
        frames[depth++] = e->frame;
    else if (!e->entry && depth)
        depth--;
}

static void compare(const char *full, wet_file *f, const wet_history *h)
{
    char message[256];
    static full_event e;
    wet_event event;
    uint32_t pc;
    bool missed;
    full_reader *in = full_open(full, message, sizeof message);
    memset(&walk, 0, sizeof walk);
    memset(&pending, 0, sizeof pending);
    walk.f = f;
    walk.h = h;
    walk.control = wet_control_new(f, 1, f->time, false);
    naive_misses_setup(h->text);
    while (in && full_next(in, &e) > 0) {
        if (e.kind == FULL_EXCEPTION)
            run_exception(&e);
        else
            run_instruction(&e);
    }
    if (pending.waits) { /* nothing shows whether the last branch was taken */
        next_bit(&event, &pc, &missed);
        pending.waits = false;
    }
    walk.wrong += next_bit(&event, &pc, &missed);
    for (unsigned k = 0; k < 4; k++)
        walk.wrong += h->waited[k] != naive_misses_waited(k);
    wet_control_free(walk.control);
    if (in)
        full_close(in);
}

static bool verdict(bool good, const char *name)
{
    printf("%sok %s\n", good ? "" : "not ", name);
    return good;
}

int main(int argc, char **argv)
{
    char message[512], name[400];
    bool good = true;
    if (argc < 4)
        return 2;
    for (int i = 3; i < argc; i++) {
        wet_file *f = wet_file_open(argv[2], message, sizeof message);
        if (!f) {
            printf("# %s\n", message);
            return !verdict(false, "opens");
        }
        bool kept = f->kept && !strcmp(argv[i], "kept");
        wet_history *h = kept ? wet_history_kept(f) : wet_history_run(f, argv[i], message, sizeof message);
        if (h)
            compare(argv[1], f, h);
        snprintf(name, sizeof name, "%s_%llu_bits_%llu_%llu_%llu_%llu_missed_as_the_naive_simulator_says", argv[i],
                 walk.compared, walk.missed[0], walk.missed[1], walk.missed[2], walk.missed[3]);
        good &= verdict(h && !f->damaged && walk.compared > 1000 && !walk.wrong, name);
        if (i == 3 && getenv("MISSES_TALLY"))
            good &= verdict(write_tally(getenv("MISSES_TALLY")), "writes_what_it_counted");
        if (h)
            wet_history_free(h);
        wet_file_close(f);
    }
    return !good;
}
