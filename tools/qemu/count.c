/* SPDX-License-Identifier: MIT */
/* Mode count: executed instructions, in total and in address ranges, and calls of functions. Every instruction adds 1
 * to the counter of its range in generated code: exact, and without a call. A range is asked for once a translation, so
 * the first that fits counts. The result is text: `total N`, `range NAME N`, `calls NAME N`. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/qemu/modes.h"

static struct {
    const options *o;
    api_counter *ranges, *calls;
    api_counter elsewhere;
    FILE *file;
} count;

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    const options *o = count.o;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t pc = qemu_plugin_insn_vaddr(insn);
        api_counter *counter = &count.elsewhere;
        for (unsigned r = 0; r < o->range_count && counter == &count.elsewhere; r++)
            if (pc >= o->ranges[r].low && pc < o->ranges[r].high)
                counter = &count.ranges[r];
        api_count(insn, counter);
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
    uint64_t total = api_counter_value(&count.elsewhere);
    for (unsigned r = 0; r < o->range_count; r++)
        total += api_counter_value(&count.ranges[r]);
    fprintf(file, "total %llu\n", (unsigned long long)total);
    for (unsigned r = 0; r < o->range_count; r++)
        fprintf(file, "range %s %llu\n", o->ranges[r].name, (unsigned long long)api_counter_value(&count.ranges[r]));
    for (unsigned f = 0; f < o->function_count; f++)
        fprintf(file, "calls %s %llu\n", o->functions[f].name, (unsigned long long)api_counter_value(&count.calls[f]));
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
