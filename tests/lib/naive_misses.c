/* SPDX-License-Identifier: MIT */
#include "tests/lib/naive_misses.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/misses/model.h"

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

void naive_misses_setup(const char *text)
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

static bool fetch_at(unsigned address)
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

bool naive_misses_fetch(unsigned pc, unsigned size)
{
    bool missed = false;
    unsigned line = sim.i.ways ? sim.i.line : sim.has_flash ? sim.flash_line : 1024, last = ~0u;
    for (unsigned address = pc; address < pc + size; address++) {
        if (address / line != last)
            missed |= fetch_at(address);
        last = address / line;
    }
    sim.now++;
    return missed;
}

static bool access_at(unsigned address, bool store)
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

bool naive_misses_access(unsigned address, unsigned size, bool store)
{
    bool missed = false;
    unsigned line = sim.d.ways ? sim.d.line : 1u << 31, last = ~0u;
    if (!sim.d.ways) /* without a cache, the access waits for each flash line */
        line = sim.has_flash ? sim.flash_line : 16;
    for (unsigned i = 0; i < size; i++) {
        if ((address + i) / line != last)
            missed |= access_at(address + i, store);
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

bool naive_misses_branch(unsigned pc, bool backward, bool taken)
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

unsigned long long naive_misses_waited(unsigned kind)
{
    return sim.waited[kind];
}
