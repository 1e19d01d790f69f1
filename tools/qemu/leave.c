/* SPDX-License-Identifier: MIT */
/* Mode leave: a program that is recorded and leaves the emulator by a request of its own (semihosting SYS_EXIT) is led
 * to its function `leave` first, which ends the recording:
 *
 *     bkpt 0xab --> exit() of the emulator --> at_exit: pc = leave, lr = done --> done, or busy --> _exit
 *
 * No breakpoint at such requests does this: it would make each instruction of its page a hundred times slower.
 * The file gets a letter, d (done) or b (busy: the recording could not be ended), and the bytes of all ranges. It stays
 * empty where the program does not leave, or where its recording had ended before. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/machine/thumb.h"
#include "tools/qemu/modes.h"
#include "tools/qemu/symbols.h"

enum { SP = 13, LR = 14, PC = 15, XPSR = 25 };
enum { REQUEST = 0xbeab, OF_DEBUGGER = 0x10 }; /* bkpt 0xab; breakpoints that a debugger set */

/* What the emulator exports. */
static struct {
    void *(*get_cpu)(int index);
    bool (*is_self)(void *cpu);
    int (*memory)(void *cpu, uint64_t address, void *bytes, size_t size, bool write);
    int (*read_register)(void *cpu, void *array, int number);
    int (*write_register)(void *cpu, uint8_t *bytes, int number);
    void (*remove_breakpoints)(void *cpu, int mask);
    void (*go_on)(void *cpu); /* does not return: the core goes on at its pc */
    void *(*array_new)(void);
    void *(*array_resize)(void *array, unsigned size);
} qemu;

static struct {
    const options *o;
    FILE *file;
    uint32_t leave, done, busy;
    enum { RUNS, LEAVES, ENDED } state;
    int status;
} left;

static bool resolve(void)
{
    const emulator_symbol names[] = {
        {"qemu_get_cpu", &qemu.get_cpu},
        {"qemu_cpu_is_self", &qemu.is_self},
        {"cpu_memory_rw_debug", &qemu.memory},
        {"arm_cpu_gdb_read_register", &qemu.read_register},
        {"arm_cpu_gdb_write_register", &qemu.write_register},
        {"cpu_breakpoint_remove_all", &qemu.remove_breakpoints},
        {"cpu_loop_exit_noexc", &qemu.go_on},
        {"g_byte_array_new", &qemu.array_new},
        {"g_byte_array_set_size", &qemu.array_resize},
    };
    return !emulator_find(names, sizeof names / sizeof *names);
}

static uint32_t read_register(void *cpu, int number)
{
    struct {
        uint8_t *data;
        unsigned size;
    } *array = qemu.array_resize(qemu.array_new(), 0);
    uint32_t value = 0;
    qemu.read_register(cpu, array, number);
    memcpy(&value, array->data, array->size < sizeof value ? array->size : sizeof value);
    return value;
}

static void write_register(void *cpu, int number, uint32_t value)
{
    uint8_t bytes[8] = {0};
    memcpy(bytes, &value, sizeof value);
    qemu.write_register(cpu, bytes, number);
}

/* The emulator leaves. Where the program asked for that, the core stands at its request. */
static void at_exit(int status, void *user)
{
    (void)user;
    void *cpu = left.state == RUNS ? qemu.get_cpu(0) : NULL;
    uint16_t instruction = 0;
    if (!cpu || !qemu.is_self(cpu) || qemu.memory(cpu, read_register(cpu, PC), &instruction, 2, false) ||
        instruction != REQUEST)
        return;
    left.state = LEAVES;
    left.status = status;
    write_register(cpu, XPSR, read_register(cpu, XPSR) & ~THUMB_XPSR_IT);
    write_register(cpu, SP, read_register(cpu, SP) & ~7u);
    write_register(cpu, LR, left.done | 1);
    write_register(cpu, PC, left.leave);
    qemu.remove_breakpoints(cpu, OF_DEBUGGER);
    qemu.go_on(cpu);
}

static void write_ranges(void)
{
    void *cpu = qemu.get_cpu(0);
    for (unsigned i = 0; i < left.o->range_count; i++) {
        size_t size = left.o->ranges[i].high - left.o->ranges[i].low;
        uint8_t *bytes = calloc(size ? size : 1, 1);
        if (bytes && qemu.memory(cpu, left.o->ranges[i].low, bytes, size, false) == 0)
            fwrite(bytes, 1, size, left.file);
        free(bytes);
    }
}

static void finish(char how)
{
    fputc(how, left.file);
    write_ranges();
    fclose(left.file);
    fflush(NULL);
    _exit(left.status);
}

static void reached_done(unsigned vcpu, void *user)
{
    (void)vcpu;
    (void)user;
    if (left.state == LEAVES)
        finish('d');
    left.state = ENDED;
}

static void reached_busy(unsigned vcpu, void *user)
{
    (void)vcpu;
    (void)user;
    if (left.state == LEAVES)
        finish('b');
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t address = qemu_plugin_insn_vaddr(insn);
        if (address == left.done)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, reached_done, QEMU_PLUGIN_CB_NO_REGS, NULL);
        if (address == left.busy)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, reached_busy, QEMU_PLUGIN_CB_NO_REGS, NULL);
    }
}

static uint32_t function_named(const char *name)
{
    for (unsigned i = 0; i < left.o->function_count; i++)
        if (!strcmp(left.o->functions[i].name, name))
            return left.o->functions[i].low;
    return 0;
}

bool leave_start(qemu_plugin_id_t id, const options *o)
{
    left.o = o;
    left.leave = function_named("leave");
    left.done = function_named("done");
    left.busy = function_named("busy");
    left.file = fopen(o->out, "w");
    if (!left.file) {
        perror("weft_qemu");
        return false;
    }
    /* An emulator without these functions: programs leave as they do without Weft, and the file stays empty. */
    if (resolve() && on_exit(at_exit, NULL) == 0)
        qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return true;
}
