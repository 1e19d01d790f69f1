/* SPDX-License-Identifier: MIT */
/* A program that leaves the emulator by itself while it is recorded: the emulator's plugin lets it end its recording
 * first (tools/qemu/leave.c), and takes what is in its memory. */
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/whole_file.h"
#include "tools/weft/capture_dump.h"
#include "tools/weft/capturing.h"
#include "tools/weft/foreign.h"

/* An object whose bytes the plugin takes, if the image has it. */
static void add_range(const capture *c, const char *symbol, FILE *out)
{
    uint32_t address, size;
    if (symbol && image_symbol_named(firmware_image(c->firmware), symbol, &address, &size))
        fprintf(out, ",range=memory:%x:%x", address, address + size);
}

char *capture_leave_arguments(capture *c)
{
    static const char *const functions[] = {"leave", "done", "busy"};
    enum { FUNCTIONS = sizeof functions / sizeof *functions };
    uint32_t address[FUNCTIONS];
    char *text = NULL;
    size_t size;
    bool known = c->foreign && c->sink && c->out;
    for (int i = 0; known && i < FUNCTIONS; i++) {
        address[i] = foreign_address(c->firmware, firmware_board(c->firmware, functions[i]));
        known = address[i] != 0;
    }
    if (!known)
        return NULL;
    snprintf(c->seen, sizeof c->seen, "%s/left", c->folder);
    leftover_add(&c->made.seen, c->seen);
    FILE *out = memory_stream(&text, &size);
    fprintf(out, "mode=leave,out=%s", c->seen);
    for (int i = 0; i < FUNCTIONS; i++)
        fprintf(out, ",function=%s:%x", functions[i], address[i]);
    add_range(c, firmware_board(c->firmware, "ring"), out);
    add_range(c, "weft_fault_record", out);
    fclose(out);
    return text;
}

void capture_leave_take(capture *c)
{
    whole_file file;
    bool beside = c->watch || c->count; /* then it is what was asked for, of another mode */
    if (beside || !c->made.seen.path || !whole_file_open(&file, c->seen))
        return;
    c->left = file.size > 0;
    c->left_busy = file.size > 0 && file.bytes[0] != 'd';
    if (file.size > 1)
        c->extracted = dump_extract(c->elf, file.bytes + 1, file.size - 1, c->elf, output_stream(c->trace));
    whole_file_close(&file);
}
