/* SPDX-License-Identifier: MIT */
/* Mode full: every instruction with what it wrote, every access with its value, every exception, in the stream of
 * FULL.md.
 *
 * The emulator translates one instruction at a time, so registers are up to date when its callback comes, just before
 * it executes. The callback of the next instruction, or the end, finishes the one before:
 *   1. did the core take an exception, or return from one, in between?
 *   2. which registers changed that the decoder did not name? They are added to the instruction's mask.
 *   3. the instruction is appended to the chunk's columns. */
#include "tools/qemu/full.h"

#include <emmintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/machine/thumb.h"
#include "tools/qemu/output.h"

#define SEMIHOSTING 0xbeabu /* bkpt 0xab: the call that ends the emulator changes nothing */

struct full full;

/* Step 2: the registers that differ from before, as a mask. */
static inline uint32_t changed_registers(const uint32_t *now)
{
    uint32_t same = 0;
    for (int i = 0; i < 4; i++) {
        __m128i a = _mm_loadu_si128((const __m128i *)(now + 4 * i));
        __m128i b = _mm_loadu_si128((const __m128i *)(full.before + 4 * i));
        same |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(a, b))) << 4 * i;
    }
    return ~same & 0x7fff;
}

static inline bool leaves_handler(const node *n)
{
    if (n->leave == LEAVE_NOT || !full.exception || !full.passed)
        return false;
    uint32_t target = n->leave == LEAVE_REGISTER ? full.before[n->first >> 3 & 15] : 0;
    if (n->leave == LEAVE_LOADED && full.access_count)
        target = (uint32_t)full.accesses[full.access_count - 1].value;
    return target >> 24 == 0xff;
}

/* Where registers are copied one by one: those that may have changed. The decoder names them; in the first executions
 * all are looked at, as step 2 does it. */
static uint32_t touched(node *n)
{
    if (!full.passed)
        return 0;
    if (n->unnamed)
        return MACHINE_ALL;
    if (n->watched == WATCHED)
        return (uint32_t)n->writes & MACHINE_ALL;
    n->watched++;
    return MACHINE_ALL;
}

static void finish(uint32_t pc)
{
    node *n = full.current;
    bool returned = leaves_handler(n);
    if (__builtin_expect(*full.m.exception != full.exception || returned, 0)) {
        full_finish_with_exception(pc, returned);
    } else {
        uint32_t apsr = machine_apsr(&full.m);
        uint64_t changed = changed_registers(full.m.registers);
        if (apsr != full.apsr)
            changed |= FULL_FLAGS;
        full_append(n, full.m.registers, apsr, changed, true);
    }
    full.in_chunk++;
    full.instructions++;
    if (full_chunk_is_full())
        full_write_chunk();
}

static void on_instruction(unsigned vcpu, void *user)
{
    (void)vcpu;
    node *n = user;
    machine_refresh(&full.m, full.current ? touched(full.current) : MACHINE_ALL);
    if (full.m.copies && full.current && *full.m.exception != full.exception)
        machine_copy(MACHINE_ALL);
    if (full.current)
        finish(n->pc);
    full.current = n;
    full.access_count = 0;
    memcpy(full.before, full.m.registers, sizeof full.before);
    full.exception = *full.m.exception;
    full.apsr = machine_apsr(&full.m);
    full.passed = n->condition == FULL_ALWAYS || thumb_holds(n->condition, full.apsr);
}

static void append_access(uint32_t address, unsigned size, uint64_t value, bool store, bool device)
{
    if (full.access_count < FULL_ACCESSES_MAX)
        full.accesses[full.access_count++] =
            (access){.address = address, .size = (uint8_t)size, .store = store, .device = device, .value = value};
}

static void on_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
    (void)vcpu;
    const node *n = user;
    bool store = qemu_plugin_mem_is_store(info);
    unsigned size = 1u << qemu_plugin_mem_size_shift(info);
    if (!full.current || (full.current->store_exclusive && !store))
        return;
    uint64_t value = 0;
    bool device = !machine_access(info, (uint32_t)address, size, &value);
    bool pair = machine_is_pair(n->first, size);
    append_access((uint32_t)address, pair ? 4 : size, pair ? (uint32_t)value : value, store, device);
    if (pair)
        append_access((uint32_t)address + 4, 4, value >> 32, store, device);
}

static void describe(void)
{
    char text[128];
    int size =
        snprintf(text, sizeof text, "format=1\nchained=1\nmachine=%.60s\n", full.o->machine ? full.o->machine : "");
    output_plain(FULL_TAG_DESCRIPTION, 0, text, (size_t)size);
}

/* The first translation, when the core exists and has not run. */
static bool find_machine(void)
{
    full.found = machine_find(&full.m);
    full.failed = !full.found;
    if (full.found)
        describe();
    return full.found;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    if (full.failed || (!full.found && !find_machine()))
        return;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint32_t pc = (uint32_t)qemu_plugin_insn_vaddr(insn);
        uint16_t halves[2] = {0, 0};
        api_insn_bytes(insn, halves, sizeof halves);
        full_note_it(pc, halves[0]);
        node *n = full_find_node(pc, halves[0], halves[1]);
        if (!n) {
            fprintf(stderr, "weft_qemu: out of memory\n");
            exit(1);
        }
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_instruction, QEMU_PLUGIN_CB_R_REGS, n);
        qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, n);
    }
}

static void on_end(qemu_plugin_id_t id, void *user)
{
    (void)id;
    (void)user;
    /* A copy of the registers is from before the last instruction: that counts only if it changes none. */
    bool known = !full.m.copies || (full.current && full.current->first == SEMIHOSTING);
    if (full.current && !full.failed && known)
        finish(full.current->pc + full.current->size);
    full_write_chunk();
    uint8_t bytes[3 * WEFT_VARINT64_MAX];
    weft_writer w;
    weft_writer_init(&w, bytes, sizeof bytes);
    weft_write_varint64(&w, full.instructions);
    weft_write_varint64(&w, full.access_total);
    weft_write_varint64(&w, full.exception_total);
    output_plain(FULL_TAG_END, full.instructions, bytes, w.size);
    output_close();
}

bool full_start(qemu_plugin_id_t id, const options *o)
{
    static const uint32_t rooms[FULL_COLUMNS] = {1u << 17, 1u << 19, 1u << 18, 1u << 20, 1u << 20, 1u << 17};
    full.o = o;
    full.conditions = calloc(1u << 31, 1); /* touched only where there is code */
    if (!full.conditions || !machine_single_step())
        return false;
    for (int c = 0; c < FULL_COLUMNS; c++) {
        full.columns[c].room = rooms[c] + SLACK;
        full.columns[c].bytes = malloc(full.columns[c].room + SLACK);
        if (!full.columns[c].bytes)
            return false;
    }
    if (!output_open(o->out)) /* last: from here on the file has a head, and is a recording */
        return false;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_end, NULL);
    return true;
}
