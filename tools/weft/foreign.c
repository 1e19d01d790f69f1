/* SPDX-License-Identifier: MIT */
#include "tools/weft/foreign.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/recording/ring.h"

uint32_t foreign_address(const firmware *f, const char *name)
{
    uint32_t address, size;
    return name && image_symbol_named(firmware_image(f), name, &address, &size) ? address : 0;
}

static bool has(const firmware *f, const char *name)
{
    uint32_t address, size;
    return image_symbol_named(firmware_image(f), name, &address, &size);
}

/* NULL: the image has all that records. */
static const char *missing(const firmware *f)
{
    if (!firmware_image(f)->symbols.count)
        return "it has no symbols: keep them (no -s, no strip); the board's copy may be stripped";
    if (!has(f, "__weft_path") && !has(f, "__weft_kpath") && !has(f, "weft_recorder_init"))
        return "it has no probes: compile it with -fplugin=$(weft --plugin), or include $(weft --share)/weft.mk in its "
               "Makefile; or observe it from outside, with --full";
    if (!has(f, "weft_recorder_init"))
        return "it has probes, but no recorder: link weft.c of $(weft --share), compiled with -DWEFT_AUTO=1 and "
               "-DWEFT_AUTO_WRAP=1, or include weft.mk from there";
    return NULL;
}

const char *foreign_sink(const firmware *f, char *message, size_t size)
{
    static const char *const sinks[][2] = {{"weft_semihost_sink_open", "semihost"},
                                           {"weft_uart_sink_init", "uart"},
                                           {"weft_ram_ring_sink", "ring"},
                                           {"weft_rtt_channel_open", "rtt"},
                                           {"weft_itm_sink_init", "itm"}};
    const char *found = NULL, *why = missing(f);
    unsigned count = 0;
    for (size_t i = 0; i < sizeof sinks / sizeof *sinks; i++) {
        if (has(f, sinks[i][0])) {
            found = sinks[i][1];
            count++;
        }
    }
    if (!why && count == 0)
        why =
            "its sink is its own: read what it sends, or say with --sink where it comes out (semihost, ring, or uart: "
            "the first serial line)";
    if (!why && count > 1)
        why = "it has several sinks: say with --sink which one (semihost, uart, ring)";
    if (why)
        snprintf(message, size, "%s", why);
    return why ? NULL : found;
}

uint32_t foreign_ring(const firmware *f, struct emulator_memory *memory)
{
    const image_symbols *symbols = &firmware_image(f)->symbols;
    for (size_t i = 0; i < symbols->count; i++) {
        const image_symbol *s = &symbols->all[i];
        uint8_t head[RAM_RING_HEAD];
        ram_ring ring;
        bool fits = s->loaded && !s->function && s->size > sizeof head;
        if (fits && emulator_read(memory, s->address, head, sizeof head) && ram_ring_read(&ring, head))
            return s->address;
    }
    return 0;
}

void foreign_end(const firmware *f, emulator_run *run)
{
    const char *done = firmware_board(f, "done");
    run->stop = foreign_address(f, done ? done : "weft_target_done");
    run->catch = foreign_address(f, firmware_board(f, "catch"));
    run->busy = foreign_address(f, firmware_board(f, "busy"));
    run->leave = foreign_address(f, firmware_board(f, "leave"));
    if (!run->stop || !run->busy)
        run->catch = 0;
    run->has_stop = run->endless = true;
}
