/* SPDX-License-Identifier: MIT */
/* Mode count: executed instructions, in total and in address ranges, and calls of functions. Every instruction adds 1
 * to the counter of its range in generated code: exact, and without a call. A range is asked for once a translation, so
 * the first that fits counts. The result is text: `total N`, `range NAME N`, `calls NAME N`.
 *
 * And `masked N PC`: the longest run of instructions from one that sets PRIMASK up to one that clears it, and where it
 * began. Then a line for each place where such a run began, `mask PC LONGEST TIMES`, the longest first. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/qemu/machine.h"
#include "tools/qemu/modes.h"

/* A place where PRIMASK is set. */
typedef struct masking {
    uint32_t pc;
    uint64_t longest, times;
} masking;
enum { PLACES = 1024 }; /* a power of two: the table's slots; where it is full, a new place is not listed */

static struct {
    const options *o;
    api_counter *ranges, *calls;
    api_counter elsewhere;
    FILE *file;
    machine m;
    bool tried, found;
    /* PRIMASK. MSR ends a translation block, and its register is up to date when the next one starts. Where that is a
     * handler's, the exception has given lr another value, but says by itself that PRIMASK was clear. */
    struct {
        bool set;
        unsigned settle;               /* 1 + the register that MSR has just moved to PRIMASK; 0: none */
        uint32_t settle_pc, settle_in; /* settle_in: the IPSR then */
        uint64_t start, longest;       /* instructions */
        uint32_t pc, longest_pc;
        uint32_t exception; /* IPSR of the block that executes */
    } mask;
    masking places[PLACES];
} count;

static uint64_t executed(void)
{
    uint64_t total = api_counter_value(&count.elsewhere);
    for (unsigned r = 0; r < count.o->range_count; r++)
        total += api_counter_value(&count.ranges[r]);
    return total;
}

static void note_mask(uint32_t pc, uint64_t length)
{
    uint32_t slot = (pc >> 1) * 0x9e3779b1u % PLACES;
    for (unsigned tried = 0; tried < PLACES; tried++, slot = (slot + 1) % PLACES) {
        masking *p = &count.places[slot];
        if (p->times && p->pc != pc)
            continue;
        p->pc = pc;
        p->times++;
        if (length > p->longest)
            p->longest = length;
        return;
    }
}

static int longer_first(const void *a, const void *b)
{
    const masking *p = a, *q = b;
    return p->longest != q->longest ? (p->longest < q->longest) - (p->longest > q->longest) : p->pc < q->pc ? -1 : 1;
}

static void mask_is(bool set, uint32_t pc)
{
    if (set && !count.mask.set) {
        count.mask.start = executed();
        count.mask.pc = pc;
    }
    if (!set && count.mask.set) {
        uint64_t length = executed() - count.mask.start;
        note_mask(count.mask.pc, length);
        if (length > count.mask.longest) {
            count.mask.longest = length;
            count.mask.longest_pc = count.mask.pc;
        }
    }
    count.mask.set = set;
}

static void on_cpsid(unsigned vcpu, void *user)
{
    (void)vcpu;
    mask_is(true, (uint32_t)(uintptr_t)user);
}

static void on_cpsie(unsigned vcpu, void *user)
{
    (void)vcpu;
    mask_is(false, (uint32_t)(uintptr_t)user);
}

static void on_msr(unsigned vcpu, void *user)
{
    (void)vcpu;
    count.mask.settle = 1 + ((uint32_t)(uintptr_t)user & 15);
    count.mask.settle_pc = (uint32_t)(uintptr_t)user & ~15u;
    count.mask.settle_in = count.mask.exception;
}

static void on_block(unsigned vcpu, void *user)
{
    (void)vcpu;
    (void)user;
    machine_refresh(&count.m, count.mask.settle ? 1u << (count.mask.settle - 1) : 0);
    count.mask.exception = *count.m.exception;
    if (!count.mask.settle)
        return;
    bool taken = count.mask.exception != count.mask.settle_in;
    uint32_t value = count.m.registers[count.mask.settle - 1];
    count.mask.settle = 0;
    mask_is(!taken && value & 1, count.mask.settle_pc);
}

/* Watches an instruction that changes PRIMASK: CPSID i, CPSIE i, MSR PRIMASK. */
static void watch_mask(struct qemu_plugin_insn *insn)
{
    uint8_t code[4] = {0};
    api_insn_bytes(insn, code, sizeof code);
    size_t size = qemu_plugin_insn_size(insn);
    uint32_t pc = (uint32_t)qemu_plugin_insn_vaddr(insn);
    unsigned first = code[0] | (unsigned)code[1] << 8;
    if (size == 2 && first == 0xb672)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_cpsid, QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)pc);
    if (size == 2 && first == 0xb662)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_cpsie, QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)pc);
    if (size == 4 && (first & 0xfff0) == 0xf380 && (code[2] | (unsigned)code[3] << 8) == 0x8810)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_msr, QEMU_PLUGIN_CB_NO_REGS,
                                               (void *)(uintptr_t)((pc & ~15u) | (first & 15)));
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    const options *o = count.o;
    if (!count.tried)
        count.found = machine_find(&count.m);
    count.tried = true;
    if (count.found)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_R_REGS, NULL);
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t pc = qemu_plugin_insn_vaddr(insn);
        api_counter *counter = &count.elsewhere;
        for (unsigned r = 0; r < o->range_count && counter == &count.elsewhere; r++)
            if (pc >= o->ranges[r].low && pc < o->ranges[r].high)
                counter = &count.ranges[r];
        api_count(insn, counter);
        if (count.found)
            watch_mask(insn);
        for (unsigned f = 0; f < o->function_count; f++)
            if (pc == o->functions[f].low)
                api_count(insn, &count.calls[f]);
    }
}

static void on_end(qemu_plugin_id_t id, void *user)
{
    (void)id;
    (void)user;
    const options *o = count.o;
    FILE *file = count.file;
    fprintf(file, "total %llu\n", (unsigned long long)executed());
    for (unsigned r = 0; r < o->range_count; r++)
        fprintf(file, "range %s %llu\n", o->ranges[r].name, (unsigned long long)api_counter_value(&count.ranges[r]));
    for (unsigned f = 0; f < o->function_count; f++)
        fprintf(file, "calls %s %llu\n", o->functions[f].name, (unsigned long long)api_counter_value(&count.calls[f]));
    if (count.found)
        fprintf(file, "masked %llu %08x\n", (unsigned long long)count.mask.longest, count.mask.longest_pc);
    qsort(count.places, PLACES, sizeof *count.places, longer_first);
    for (const masking *p = count.places; count.found && p < count.places + PLACES && p->times; p++)
        fprintf(file, "mask %08x %llu %llu\n", p->pc, (unsigned long long)p->longest, (unsigned long long)p->times);
    fclose(file);
}

/* The file is opened now: later on, the emulator may open nothing (tools/lib/emulator/guard.h). */
bool count_start(qemu_plugin_id_t id, const options *o)
{
    count.o = o;
    count.file = fopen(o->out, "w");
    if (!count.file) {
        perror(o->out);
        return false;
    }
    count.ranges = calloc(o->range_count + 1, sizeof *count.ranges);
    count.calls = calloc(o->function_count + 1, sizeof *count.calls);
    bool works = count.ranges && count.calls && api_counter_make(&count.elsewhere);
    for (unsigned r = 0; works && r < o->range_count; r++)
        works = api_counter_make(&count.ranges[r]);
    for (unsigned f = 0; works && f < o->function_count; f++)
        works = api_counter_make(&count.calls[f]);
    if (!works)
        return false;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_end, NULL);
    return true;
}
