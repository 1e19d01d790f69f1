/* SPDX-License-Identifier: MIT */
/* Mode probes: the calls of Weft's entry points with their arguments, and every load and store outside Weft's own
 * code. A function's first instruction starts a translation block, so registers are up to date there. */
#include "tools/qemu/probes.h"

#include <stdio.h>
#include <string.h>

#include "tools/qemu/machine.h"
#include "tools/qemu/modes.h"

#define BUFFERED 4096u

static struct {
    const options *o;
    FILE *file;
    machine m;
    bool found;
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
    return &probes.buffer[probes.used++];
}

static void on_call(unsigned vcpu, void *user)
{
    (void)vcpu;
    probe_record *r = next_record();
    r->kind = PROBE_CALL;
    r->what = (uint8_t)(uintptr_t)user;
    r->context = (uint16_t)*probes.m.exception;
    r->pc = probes.m.registers[14] & ~1u;
    memcpy(r->values, probes.m.registers, sizeof r->values);
}

static void on_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
    (void)vcpu;
    probe_record *r = next_record();
    memset(r, 0, sizeof *r);
    r->kind = qemu_plugin_mem_is_store(info) ? PROBE_STORE : PROBE_LOAD;
    r->what = (uint8_t)(1u << qemu_plugin_mem_size_shift(info));
    r->context = (uint16_t)*probes.m.exception;
    r->pc = (uint32_t)(uintptr_t)user;
    r->values[0] = (uint32_t)address;
}

static bool skipped(uint32_t pc)
{
    for (unsigned i = 0; i < probes.o->range_count; i++)
        if (pc >= probes.o->ranges[i].low && pc < probes.o->ranges[i].high)
            return true;
    return false;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    if (!probes.found)
        probes.found = machine_find(&probes.m);
    if (!probes.found)
        return;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint32_t pc = (uint32_t)qemu_plugin_insn_vaddr(insn);
        for (unsigned f = 0; f < probes.o->function_count; f++)
            if (pc == probes.o->functions[f].low)
                qemu_plugin_register_vcpu_insn_exec_cb(insn, on_call, QEMU_PLUGIN_CB_R_REGS, (void *)(uintptr_t)f);
        if (!skipped(pc))
            qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                             (void *)(uintptr_t)pc);
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
