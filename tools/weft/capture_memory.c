/* SPDX-License-Identifier: MIT */
#include "tools/weft/capturing.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/recording/ring.h"
#include "tools/weft/capture_dump.h"
#include "tools/weft/foreign.h"

/* The bytes of an object of the image, appended to *bytes. */
static bool read_object(const capture *c, struct emulator_memory *memory, const char *symbol, uint8_t **bytes,
                        size_t *size)
{
    uint32_t address, length;
    if (!image_symbol_named(firmware_image(c->firmware), symbol, &address, &length))
        return true;
    *bytes = memory_grow(*bytes, *size + length + 1, 1);
    *size += length;
    return emulator_read(memory, address, *bytes + *size - length, length);
}

/* Copies the frames out of the ring, as a container, and what is known of a fault. */
static bool read_ring(capture *c, struct emulator_memory *memory)
{
    uint8_t head[RAM_RING_HEAD];
    ram_ring ring;
    if (!c->ring)
        c->ring = foreign_ring(c->firmware, memory);
    if (!c->ring) {
        command_fail(
            c->name, EXIT_INPUT,
            "no object of %s is a RAM ring: the recorder had not started (with -flto, compile the start-up with "
            "-fno-lto)",
            c->elf);
        return true;
    }
    if (!emulator_read(memory, c->ring, head, sizeof head))
        return false;
    if (!ram_ring_read(&ring, head)) {
        command_fail(c->name, EXIT_INPUT, "there is no ring at %08x: the recorder had not started", c->ring);
        return true;
    }
    size_t size = sizeof head + ring.size;
    uint8_t *bytes = memory_zero(size, 1);
    memcpy(bytes, head, sizeof head);
    bool works = emulator_read(memory, c->ring + RAM_RING_HEAD, bytes + sizeof head, ring.size) &&
                 read_object(c, memory, "weft_fault_record", &bytes, &size);
    if (works) /* what cannot be written is found when the output is kept */
        c->extracted = dump_extract(c->elf, bytes, size, c->elf, output_stream(c->trace));
    free(bytes);
    return works;
}

/* Likewise the black box. */
static bool read_box(capture *c, struct emulator_memory *memory)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    bool works = read_object(c, memory, "weft_blackbox_ram", &bytes, &size) &&
                 read_object(c, memory, "weft_fault_record", &bytes, &size);
    if (works)
        c->extracted = dump_extract(c->elf, bytes, size, c->elf, output_stream(c->trace));
    free(bytes);
    return works;
}

int capture_memory_prepare(capture *c, emulator_run *run)
{
    const char *ring = firmware_board(c->firmware, "ring"), *done = firmware_board(c->firmware, "done");
    bool box = !strcmp(c->sink, "box");
    if (!firmware_image(c->firmware)->symbols.count)
        return command_fail(c->name, EXIT_INPUT,
                            "%s has no symbols, which tell where its %s is: keep them (no -s, no "
                            "strip); the board's copy may be stripped",
                            c->elf, box ? "black box" : "RAM ring");
    c->ring = box ? foreign_address(c->firmware, "weft_blackbox_ram")
                  : foreign_address(c->firmware, ring ? ring : "weft_trace_ring");
    run->stop = foreign_address(c->firmware, done ? done : "weft_target_done");
    if (!c->foreign && (!c->ring || !run->stop))
        return command_fail(c->name, EXIT_INPUT, "%s has a %s as sink, but not the symbols that tell where", c->elf,
                            box ? "black box" : "RAM ring");
    run->has_stop = true;
    c->read = box ? read_box : read_ring;
    run->stopped = capture_health;
    run->context = c;
    return EXIT_DONE;
}
