/* SPDX-License-Identifier: MIT */
/* The plugin interface of QEMU 6 to 10. Functions that not all of them have are found by name, so that the plugin can
 * be loaded by each. */
#include "tools/qemu/api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* An entry of a scoreboard: one 64-bit number a processor. */
typedef struct score_entry {
    void *score;
    size_t offset;
} score_entry;

static struct {
    int current; /* version of the emulator's interface */
    void (*add_inline)(struct qemu_plugin_insn *insn, int op, void *counter, uint64_t addend);
    void (*add_inline_each)(struct qemu_plugin_insn *insn, int op, score_entry entry, uint64_t addend);
    void *(*score_new)(size_t size);
    uint64_t (*score_sum)(score_entry entry);
    const void *(*data_at)(const struct qemu_plugin_insn *insn);                        /* to version 2 */
    size_t (*data_copy)(const struct qemu_plugin_insn *insn, void *bytes, size_t size); /* from version 3 on */
} api;

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static void find(const char *name, void *function)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &symbol, sizeof symbol);
}

/* Runs when the plugin is loaded, before the emulator reads which version it needs. QEMU 9 and later take 2 and up. */
__attribute__((constructor)) static void choose_version(void)
{
    find("qemu_plugin_register_vcpu_insn_exec_inline", &api.add_inline);
    find("qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu", &api.add_inline_each);
    find("qemu_plugin_scoreboard_new", &api.score_new);
    find("qemu_plugin_u64_sum", &api.score_sum);
    find("qemu_plugin_insn_data", &api.data_at);
    find("qemu_plugin_insn_data", &api.data_copy);
    if (api.add_inline_each)
        qemu_plugin_version = 2;
}

bool api_start(int current)
{
    api.current = current;
    bool scores = api.add_inline_each && api.score_new && api.score_sum;
    if (api.data_at && (scores || api.add_inline))
        return true;
    fprintf(stderr, "weft_qemu: version %d of the emulator's plugin interface is not known (1 to 4 are)\n", current);
    return false;
}

int api_version(void)
{
    return api.current;
}

bool api_counter_make(api_counter *counter)
{
    *counter = (api_counter){0, NULL};
    if (api.add_inline_each)
        counter->score = api.score_new(sizeof(uint64_t));
    return !api.add_inline_each || counter->score;
}

uint64_t api_counter_value(const api_counter *counter)
{
    return counter->score ? api.score_sum((score_entry){counter->score, 0}) : counter->plain;
}

void api_count(struct qemu_plugin_insn *insn, api_counter *counter)
{
    if (counter->score)
        api.add_inline_each(insn, QEMU_PLUGIN_INLINE_ADD_U64, (score_entry){counter->score, 0}, 1);
    else
        api.add_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &counter->plain, 1);
}

void api_insn_bytes(const struct qemu_plugin_insn *insn, void *bytes, size_t size)
{
    size_t there = qemu_plugin_insn_size(insn);
    size = there < size ? there : size;
    if (api.current >= 3)
        api.data_copy(insn, bytes, size);
    else
        memcpy(bytes, api.data_at(insn), size);
}
