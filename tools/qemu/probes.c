/* SPDX-License-Identifier: MIT */
/* Mode probes: the calls of Weft's entry points with their arguments, and every load and store that the program makes
 * between them. What Weft does besides, in functions of its own, leaves no record. A function's first instruction
 * starts a translation block, so registers are up to date there; so does the instruction that it returns to. */
#include "tools/qemu/probes.h"

#include <stdio.h>
#include <string.h>

#include "tools/qemu/machine.h"
#include "tools/qemu/modes.h"

#define BUFFERED 4096u
#define OWN 255u /* instead of a function's number: it leaves no record */

static struct {
    const options *o;
    FILE *file;
    machine m;
    bool found;
    struct {
        uint32_t back; /* where the watched function that it runs returns to; 0: it runs none */
        uint8_t what;
        uint64_t call; /* its record's number */
    } contexts[65536];
    uint64_t written;
    probe_record buffer[BUFFERED];
    unsigned used;
} probes;

static void write_out(void)
{
    if (fwrite(probes.buffer, sizeof *probes.buffer, probes.used, probes.file) != probes.used)
        perror("weft_qemu");
    probes.used = 0;
}

static probe_record *next_record(void)
{
    if (probes.used == BUFFERED)
        write_out();
    probes.written++;
    return &probes.buffer[probes.used++];
}

static uint32_t context(void)
{
    uint32_t number = *probes.m.exception;
    if (!number && probes.o->thread && !machine_read(probes.o->thread, &number, sizeof number))
        number = 0;
    return number & 65535;
}

static void record_registers(uint8_t kind, uint8_t what, uint32_t pc)
{
    probe_record *r = next_record();
    r->kind = kind;
    r->what = what;
    r->context = (uint16_t)context();
    r->pc = pc;
    memcpy(r->values, probes.m.registers, sizeof r->values);
}

static void on_call(unsigned vcpu, void *user)
{
    (void)vcpu;
    machine_refresh(&probes.m, MACHINE_ALL);
    uint32_t here = context();
    if (probes.contexts[here].back)
        return;
    probes.contexts[here].back = probes.m.registers[14] & ~1u;
    probes.contexts[here].what = (uint8_t)(uintptr_t)user;
    if (probes.contexts[here].what != OWN)
        record_registers(PROBE_CALL, probes.contexts[here].what, probes.contexts[here].back);
    probes.contexts[here].call = probes.written;
}

static void on_block(unsigned vcpu, void *user)
{
    (void)vcpu;
    machine_refresh(&probes.m, 0);
    uint32_t pc = (uint32_t)(uintptr_t)user, here = context();
    if (probes.contexts[here].back != pc)
        return;
    machine_refresh(&probes.m, MACHINE_ALL);
    probes.contexts[here].back = 0;
    if (probes.contexts[here].what != OWN && probes.written != probes.contexts[here].call)
        record_registers(PROBE_RETURN, probes.contexts[here].what, pc);
}

static void record_access(bool store, uint32_t pc, uint32_t address, unsigned size, uint64_t value)
{
    probe_record *r = next_record();
    memset(r, 0, sizeof *r);
    r->kind = store ? PROBE_STORE : PROBE_LOAD;
    r->what = (uint8_t)size;
    r->context = (uint16_t)context();
    r->pc = pc;
    r->values[0] = address;
    r->values[1] = (uint32_t)value;
    r->values[2] = (uint32_t)(value >> 32);
}

/* `user` is the instruction's address; odd: it may move a pair of registers (machine_is_pair). */
static void on_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
    (void)vcpu;
    if (probes.contexts[context()].back)
        return;
    bool store = qemu_plugin_mem_is_store(info);
    uint32_t pc = (uint32_t)(uintptr_t)user & ~1u;
    unsigned size = 1u << qemu_plugin_mem_size_shift(info);
    bool pair = size == 8 && ((uintptr_t)user & 1);
    uint64_t value = 0;
    if (!machine_access(info, (uint32_t)address, size, &value))
        value = 0;
    record_access(store, pc, (uint32_t)address, pair ? 4 : size, pair ? (uint32_t)value : value);
    if (pair)
        record_access(store, pc, (uint32_t)address + 4, 4, value >> 32);
}

static void watch_entry(struct qemu_plugin_insn *insn, const place *function, unsigned what)
{
    if ((uint32_t)qemu_plugin_insn_vaddr(insn) == function->low)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_call, QEMU_PLUGIN_CB_R_REGS, (void *)(uintptr_t)what);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    if (!probes.found)
        probes.found = machine_find(&probes.m);
    if (!probes.found)
        return;
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_R_REGS,
                                         (void *)(uintptr_t)qemu_plugin_tb_vaddr(tb));
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint32_t pc = (uint32_t)qemu_plugin_insn_vaddr(insn);
        for (unsigned f = 0; f < probes.o->function_count; f++)
            watch_entry(insn, &probes.o->functions[f], f);
        for (unsigned f = 0; f < probes.o->own_count; f++)
            watch_entry(insn, &probes.o->own[f], OWN);
        uint16_t halves[2] = {0, 0};
        api_insn_bytes(insn, halves, sizeof halves);
        qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                         (void *)(uintptr_t)(pc | machine_is_pair(halves[0], 8)));
    }
}

static void on_end(qemu_plugin_id_t id, void *user)
{
    (void)id;
    (void)user;
    write_out();
    fclose(probes.file);
}

bool probes_start(qemu_plugin_id_t id, const options *o)
{
    probes.o = o;
    probes.file = fopen(o->out, "wb");
    if (!probes.file) {
        perror(o->out);
        return false;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_end, NULL);
    return true;
}
