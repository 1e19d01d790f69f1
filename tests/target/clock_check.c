/* SPDX-License-Identifier: MIT */
/* The emulator's time: with --icount 0, an instruction takes 1 ns of virtual time, whether its condition holds or
 * not.
 *
 *     clock_check APP.elf FULL DEVICE START SIZE OUT
 *
 * Reads a full recording. Prints "entry FUNCTION NS" where a function's first instruction is executed, and "load
 * VALUE NS" where the word at address DEVICE is read. Writes to OUT what the program left in the SIZE bytes of
 * memory from START on. Numbers are hexadecimal. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/recording/full.h"

typedef struct memory {
    uint32_t start, size;
    uint8_t *bytes;
} memory;

static void store(memory *m, const full_access *access)
{
    for (uint32_t i = 0; i < access->size; i++)
        if (access->address + i - m->start < m->size)
            m->bytes[access->address + i - m->start] = (uint8_t)(access->value >> 8 * i);
}

static void take(const image *im, const full_event *event, uint32_t device, memory *m, uint64_t now)
{
    const image_symbol *f = image_function(&im->symbols, event->instruction->pc);
    if (f && f->address == event->instruction->pc)
        printf("entry %s %" PRIu64 "\n", f->name, now);
    for (uint32_t i = 0; i < event->access_count; i++) {
        const full_access *access = &event->accesses[i];
        if (access->store)
            store(m, access);
        else if (access->address == device)
            printf("load %" PRIu64 " %" PRIu64 "\n", access->value, now);
    }
}

int main(int argc, char **argv)
{
    static full_event event;
    char text[300];
    if (argc != 7)
        return fputs("clock_check APP.elf FULL DEVICE START SIZE OUT\n", stderr), 2;
    image *im = image_open(argv[1], text, sizeof text);
    full_reader *reader = im ? full_open(argv[2], text, sizeof text) : NULL;
    FILE *out = reader ? fopen(argv[6], "wb") : NULL;
    if (!out)
        return fprintf(stderr, "%s\n", text), 2;
    uint32_t device = (uint32_t)strtoul(argv[3], NULL, 16);
    memory m = {(uint32_t)strtoul(argv[4], NULL, 16), (uint32_t)strtoul(argv[5], NULL, 16), NULL};
    m.bytes = memory_zero(m.size, 1);
    for (uint64_t now = 0; full_next(reader, &event) > 0;)
        if (event.kind == FULL_EXECUTED)
            take(im, &event, device, &m, now++);
    fwrite(m.bytes, 1, m.size, out);
    free(m.bytes);
    full_close(reader);
    image_close(im);
    return fclose(out) != 0;
}
