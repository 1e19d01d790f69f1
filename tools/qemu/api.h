/* SPDX-License-Identifier: MIT */
/* The few declarations of QEMU's plugin interface (docs/devel/tcg-plugins) that Weft needs: Debian ships the emulator
 * without its header. They are those of version 1 (QEMU 6 to 8) and of 2 and later (QEMU 9 and 10). What changed
 * between these is hidden by the functions api_... below. */
#ifndef WEFT_TOOLS_QEMU_API_H
#define WEFT_TOOLS_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef struct qemu_info_t {
    const char *target_name;
    struct {
        int min, cur;
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus, max_vcpus;
    } system;
} qemu_info_t;

enum { QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_CB_RW_REGS };
enum { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };
enum { QEMU_PLUGIN_INLINE_ADD_U64 };

/* ---- what differs between versions (tools/qemu/api.c) ---- */

/* A 64-bit count that generated code adds to. */
typedef struct api_counter {
    uint64_t plain; /* version 1 */
    void *score;    /* version 2 on: the emulator's scoreboard */
} api_counter;

/* Keeps the emulator's version of the interface. False, and a message: it has none that this plugin knows. */
bool api_start(int current);
/* That version. */
int api_version(void);
bool api_counter_make(api_counter *counter);
uint64_t api_counter_value(const api_counter *counter);

typedef void (*qemu_exec_cb)(unsigned vcpu, void *user);
typedef void (*qemu_mem_cb)(unsigned vcpu, uint32_t info, uint64_t address, void *user);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t id, void *user), void *user);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_exec_cb cb, int flags, void *user);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_exec_cb cb, int flags, void *user);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_mem_cb cb, int flags, int direction,
                                      void *user);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
unsigned qemu_plugin_mem_size_shift(uint32_t info);
bool qemu_plugin_mem_is_store(uint32_t info);

/* Each execution of the instruction adds 1. */
void api_count(struct qemu_plugin_insn *insn, api_counter *counter);
/* Up to `size` bytes of the instruction. */
void api_insn_bytes(const struct qemu_plugin_insn *insn, void *bytes, size_t size);

#endif
