/* SPDX-License-Identifier: MIT */
/* misses_check FULL.weft X.wet MODEL...: the oracle of architecture histories. For each model it compares the
 * history of X.wet bit by bit with a naive simulator that reads the recording. The history is the stored one if it
 * is of that model; otherwise it is computed. The simulator keeps caches as lists of lines in the order of their
 * use. It takes outcomes of branches from where the run went on, and reads encodings instead of decoded
 * instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/recording/full.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/history_run.h"
#include "tools/lib/wet/open.h"

/* ---- the naive simulator ---- */

enum { SETS_MAX = 4096, WAYS_MAX = 64, HISTORIES_MAX = 1 << 16 };

/* A set is a list of line numbers: the latest first (lru), or ordered by way. */
typedef struct naive_cache {
    unsigned size, ways, line;
    char policy[16];
    bool around, flash;
    unsigned held[SETS_MAX], lines[SETS_MAX][WAYS_MAX], turn[SETS_MAX], random;
} naive_cache;

static struct {
    char branch[32];
    unsigned bits, history;
    naive_cache i, d;
    bool has_flash, prefetch;
    unsigned wait, flash_line;

    unsigned char counters[HISTORIES_MAX];
    unsigned histories[HISTORIES_MAX], global;
    long long current_line, prefetched_line; /* -1: none */
    unsigned long long now, arrives, waited[4];
} sim;

static const char *after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? at + strlen(key) : "none";
}

static void cache_setup(naive_cache *c, const char *text)
{
    char rest[64] = "";
    c->random = 1;
    if (sscanf(text, "%u:%u:%u:%63[^,]", &c->size, &c->ways, &c->line, rest) < 4)
        return;
    c->around = strstr(rest, ":around");
    c->flash = strstr(rest, ":flash");
    sscanf(rest, "%15[a-z]", c->policy);
}

static void setup(const char *text)
{
    memset(&sim, 0, sizeof sim);
    memset(sim.counters, 1, sizeof sim.counters);
    sim.current_line = sim.prefetched_line = -1;
    sscanf(after(text, "branch="), "%31[a-z-]:%u:%u", sim.branch, &sim.bits, &sim.history);
    cache_setup(&sim.i, after(text, "icache="));
    cache_setup(&sim.d, after(text, "dcache="));
    sim.has_flash = sscanf(after(text, "flash="), "%u:%u", &sim.wait, &sim.flash_line) == 2 && strstr(text, ",flash=");
    sim.prefetch = strstr(text, ":prefetch");
}

static bool lookup(naive_cache *c, unsigned address, bool fill)
{
    unsigned line = address / c->line, sets = c->size / c->line / c->ways, set = line % sets, at = 0;
    unsigned *all = c->lines[set];
    while (at < c->held[set] && all[at] != line)
        at++;
    bool there = at < c->held[set];
    if (!strcmp(c->policy, "lru")) {
        if (!there && !fill)
            return false;
        if (!there && c->held[set] < c->ways)
            c->held[set]++;
        if (!there)
            at = c->held[set] - 1;
        memmove(all + 1, all, at * sizeof *all);
        all[0] = line;
    } else if (!there && fill && c->held[set] < c->ways) {
        all[c->held[set]++] = line;
    } else if (!there && fill && !strcmp(c->policy, "fifo")) {
        all[c->turn[set]++ % c->ways] = line;
    } else if (!there && fill) {
        c->random ^= c->random << 13;
        c->random ^= c->random >> 17;
        c->random ^= c->random << 5;
        all[c->random % c->ways] = line;
    }
    return there;
}

static bool naive_fetch_at(unsigned address)
{
    if (sim.i.ways && lookup(&sim.i, address, true))
        return false;
    if (!sim.has_flash || address >= 0x20000000)
        return sim.i.ways != 0;
    long long line = address / sim.flash_line;
    unsigned long long cycles = sim.wait;
    if (line == sim.current_line)
        return false;
    if (line == sim.prefetched_line)
        cycles = sim.arrives > sim.now ? sim.arrives - sim.now : 0;
    sim.now += cycles;
    sim.waited[MISSES_FETCH] += cycles;
    sim.current_line = line;
    sim.prefetched_line = sim.prefetch ? line + 1 : -1;
    sim.arrives = sim.now + 1 + sim.wait;
    return cycles > 0;
}

static bool naive_fetch(unsigned pc, unsigned size)
{
    bool missed = false;
    unsigned line = sim.i.ways ? sim.i.line : sim.has_flash ? sim.flash_line : 1024, last = ~0u;
    for (unsigned address = pc; address < pc + size; address++) {
        if (address / line != last)
            missed |= naive_fetch_at(address);
        last = address / line;
    }
    sim.now++;
    return missed;
}

static bool naive_access_at(unsigned address, bool store)
{
    bool in_flash = address < 0x20000000,
         memory = (address >> 28) < 4 || ((address >> 28) >= 6 && (address >> 28) <= 9);
    bool cached = sim.d.ways && (sim.d.flash ? in_flash : memory);
    if (cached && lookup(&sim.d, address, !store || !sim.d.around))
        return false;
    if (!store && sim.has_flash && in_flash) {
        sim.now += sim.wait;
        sim.waited[MISSES_LOAD] += sim.wait;
        return cached || sim.wait > 0;
    }
    return cached;
}

static bool naive_access(unsigned address, unsigned size, bool store)
{
    bool missed = false;
    unsigned line = sim.d.ways ? sim.d.line : 1u << 31, last = ~0u;
    if (!sim.d.ways) /* without a cache, the access waits for each flash line */
        line = sim.has_flash ? sim.flash_line : 16;
    for (unsigned i = 0; i < size; i++) {
        if ((address + i) / line != last)
            missed |= naive_access_at(address + i, store);
        last = (address + i) / line;
    }
    return missed;
}

static unsigned low(unsigned value, unsigned bits)
{
    return value % (1u << bits);
}

static bool counter_predicts(unsigned index, bool taken)
{
    bool predicted = sim.counters[index] / 2;
    if (taken && sim.counters[index] < 3)
        sim.counters[index]++;
    if (!taken && sim.counters[index] > 0)
        sim.counters[index]--;
    return predicted;
}

static bool naive_branch(unsigned pc, bool backward, bool taken)
{
    if (!strcmp(sim.branch, "none"))
        return false;
    if (!strcmp(sim.branch, "not-taken"))
        return taken;
    if (!strcmp(sim.branch, "backward"))
        return backward ? !taken : taken;
    if (!strcmp(sim.branch, "bimodal"))
        return counter_predicts(low(pc / 2, sim.bits), taken) != taken;
    if (!strcmp(sim.branch, "gshare")) {
        bool missed = counter_predicts(low(pc / 2 ^ sim.global, sim.bits), taken) != taken;
        sim.global = low(sim.global * 2 + taken, sim.history);
        return missed;
    }
    unsigned *history = &sim.histories[low(pc / 2, sim.bits)];
    bool missed = counter_predicts(*history, taken) != taken;
    *history = low(*history * 2 + taken, sim.history);
    return missed;
}

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

static void expect_bit(unsigned kind, uint32_t pc, bool missed)
{
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
    expect_bit(MISSES_BRANCH, pending.i.pc, naive_branch(pending.i.pc, backward, taken));
    pending.waits = false;
}

static void run_accesses(const full_event *e, uint32_t pc, bool store)
{
    bool any = false, missed = false;
    for (unsigned k = 0; k < e->access_count; k++)
        if (e->accesses[k].store == store) {
            any = true;
            missed |= naive_access(e->accesses[k].address, e->accesses[k].size, store);
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
    expect_bit(MISSES_FETCH, i->pc, naive_fetch(i->pc, i->size));
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
        missed |= naive_access(e->frame + 4 * k, 4, e->entry);
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
    setup(h->text);
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
        walk.wrong += h->waited[k] != sim.waited[k];
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
        if (h)
            wet_history_free(h);
        wet_file_close(f);
    }
    return !good;
}
