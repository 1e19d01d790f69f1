/* SPDX-License-Identifier: MIT */
/* weft_qemu.so: watches a Cortex-M program in QEMU from outside. This file reads the arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/qemu/modes.h"

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                                               char **argv);

static options opt;

/* NAME:LOW or NAME:LOW:HIGH. */
static bool add_place(place **places, unsigned *count, const char *text)
{
    place *grown = realloc(*places, (*count + 1) * sizeof **places);
    if (!grown)
        return false;
    *places = grown;
    place *p = &grown[(*count)++];
    memset(p, 0, sizeof *p);
    const char *colon = strchr(text, ':');
    if (!colon || (size_t)(colon - text) >= sizeof p->name)
        return false;
    memcpy(p->name, text, (size_t)(colon - text));
    char *end;
    p->low = (uint32_t)strtoul(colon + 1, &end, 16);
    if (*end == ':')
        p->high = (uint32_t)strtoul(end + 1, &end, 16);
    return *end == 0;
}

static bool read_argument(char *argument)
{
    char *value = strchr(argument, '=');
    if (!value)
        return false;
    *value++ = 0;
    if (!strcmp(argument, "mode"))
        opt.mode = strdup(value);
    else if (!strcmp(argument, "out"))
        opt.out = strdup(value);
    else if (!strcmp(argument, "machine"))
        opt.machine = strdup(value);
    else if (!strcmp(argument, "thread"))
        opt.thread = (uint32_t)strtoul(value, NULL, 16);
    else if (!strcmp(argument, "function"))
        return add_place(&opt.functions, &opt.function_count, value);
    else if (!strcmp(argument, "own"))
        return add_place(&opt.own, &opt.own_count, value);
    else if (!strcmp(argument, "range"))
        return add_place(&opt.ranges, &opt.range_count, value);
    else
        return false;
    return true;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    if (!info->system_emulation || strcmp(info->target_name, "arm")) {
        fprintf(stderr, "weft_qemu: this plugin is for qemu-system-arm\n");
        return 1;
    }
    if (!api_start(info->version.cur))
        return 1;
    for (int i = 0; i < argc; i++) {
        if (!read_argument(argv[i])) {
            fprintf(stderr, "weft_qemu: cannot read the argument '%s'\n", argv[i]);
            return 1;
        }
    }
    if (!opt.mode || !opt.out) {
        fprintf(stderr, "weft_qemu: mode= and out= are needed\n");
        return 1;
    }
    bool started = false;
    if (!strcmp(opt.mode, "probes"))
        started = probes_start(id, &opt);
    else if (!strcmp(opt.mode, "count"))
        started = count_start(id, &opt);
    else if (!strcmp(opt.mode, "leave"))
        started = leave_start(id, &opt);
    else if (!strcmp(opt.mode, "full"))
        started = full_start(id, &opt);
    else
        fprintf(stderr, "weft_qemu: there is no mode '%s'\n", opt.mode);
    return started ? 0 : 1;
}
