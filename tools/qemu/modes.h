/* SPDX-License-Identifier: MIT */
/* The plugin's modes. Each gets the arguments `key=value` of the plugin's command line, and registers what it needs:
 *
 *   mode=probes,out=FILE,function=NAME:ADDRESS...[,own=NAME:ADDRESS...][,thread=ADDRESS]
 *                                                                        calls of the probes, and the program's
 *                                                                        accesses; thread: of a word that holds the
 *                                                                        thread's number
 *   mode=count,out=FILE,range=NAME:LOW:HIGH...,function=NAME:ADDRESS...  executed instructions
 *   mode=leave,out=FILE,function=leave:ADDRESS,function=done:ADDRESS,function=busy:ADDRESS[,range=NAME:LOW:HIGH...]
 *                                                                        the end of a recording whose program leaves:
 *                                                                        leave.c
 *   mode=full,out=FILE[,machine=NAME]                                    everything: FULL.md
 *
 * Addresses are hexadecimal; HIGH is the first address after the range. */
#ifndef WEFT_TOOLS_QEMU_MODES_H
#define WEFT_TOOLS_QEMU_MODES_H

#include "tools/qemu/api.h"

/* A named place in the program. */
typedef struct place {
    char name[64];
    uint32_t low, high; /* high: first address after it; functions: low is the entry */
} place;

typedef struct options {
    const char *mode, *out, *machine;
    place *functions, *own, *ranges;
    unsigned function_count, own_count, range_count;
    uint32_t thread; /* 0: none */
} options;

/* False, and a message: the mode cannot work. `o` outlives the run. */
bool probes_start(qemu_plugin_id_t id, const options *o);
bool count_start(qemu_plugin_id_t id, const options *o);
bool leave_start(qemu_plugin_id_t id, const options *o);
bool full_start(qemu_plugin_id_t id, const options *o);

#endif
