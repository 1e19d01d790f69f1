/* SPDX-License-Identifier: MIT */
/* Step 1 of reading a directory: strings, symbols, static instructions, statements. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/directory.h"
#include "tools/lib/wet/statement.h"

static void read_strings(directory *d)
{
    uint32_t count = directory_count(d);
    d->f->strings = memory_zero(count + 1, sizeof *d->f->strings);
    d->f->string_count = count;
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t size = directory_number(d);
        const uint8_t *bytes = size <= 65536 ? weft_read_bytes(&d->in, size) : NULL;
        if (!bytes) {
            directory_bad(d);
            d->f->string_count = i - 1;
            return;
        }
        d->f->strings[i] = memory_zero(size + 1, 1);
        memcpy(d->f->strings[i], bytes, size);
    }
}

static void read_symbols(directory *d)
{
    wet_file *f = d->f;
    uint32_t count = directory_count(d);
    f->symbols = memory_zero(count + 1, sizeof *f->symbols);
    for (uint32_t i = 0; i < count; i++) {
        f->symbols[i].address = directory_number(d);
        f->symbols[i].size = directory_number(d);
        f->symbols[i].function = directory_below(d, 2);
        f->symbols[i].name = f->strings[directory_below(d, f->string_count + UINT64_C(1))];
        if (!f->symbols[i].name)
            directory_bad(d);
        if (!directory_good(d))
            return;
        f->symbol_count = i + 1;
    }
}

static void read_static(directory *d, uint32_t at)
{
    wet_file *f = d->f;
    wet_static *s = &f->statics[at];
    uint64_t strings = f->string_count + UINT64_C(1);
    s->exception = (uint8_t)directory_below(d, 4);
    if (s->exception) {
        s->from = (uint16_t)directory_number(d);
        s->to = (uint16_t)directory_number(d);
        s->insn = (thumb_insn){.pc = 0xfffff000u + 2 * at, .size = 2, .falls = true, .condition = THUMB_ALWAYS};
        return;
    }
    uint32_t pc = directory_number(d), size = directory_below(d, 5);
    const uint8_t *bytes = size == 2 || size == 4 ? weft_read_bytes(&d->in, size) : NULL;
    uint32_t condition = directory_below(d, 15);
    s->place = (cfg_place){.procedure = directory_number(d), .branch = CFG_NO_BRANCH};
    f->static_function[at] = directory_below(d, strings);
    f->static_file[at] = directory_below(d, strings);
    f->static_line[at] = directory_number(d);
    if (!bytes)
        directory_bad(d);
    if (directory_good(d))
        thumb_decode_as(&s->insn, f->version < WET_VERSION_V8 ? THUMB_V7 : THUMB_V8, pc, bytes, size, condition);
}

static void read_statics(directory *d)
{
    wet_file *f = d->f;
    f->static_count = directory_count(d);
    f->statics = memory_zero(f->static_count + 1, sizeof *f->statics);
    f->static_function = memory_zero(f->static_count + 1, sizeof(uint32_t));
    f->static_file = memory_zero(f->static_count + 1, sizeof(uint32_t));
    f->static_line = memory_zero(f->static_count + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < f->static_count && directory_good(d); i++)
        read_static(d, i);
}

static void read_statement(directory *d, wet_statement *s)
{
    full_event *event = memory_zero(1, sizeof *event);
    s->instruction = directory_below(d, d->f->static_count);
    s->passed = event->passed = directory_below(d, 2);
    s->written = event->written = weft_read_varint64(&d->in);
    event->access_count = directory_below(d, FULL_ACCESSES_MAX + 1);
    if (__builtin_popcountll(s->written) > (int)FULL_VALUES_MAX)
        directory_bad(d);
    for (uint32_t i = 0; i < event->access_count && directory_good(d); i++) {
        uint32_t access = directory_number(d);
        event->accesses[i].size = (uint8_t)(access / 2);
        event->accesses[i].store = access % 2;
        if (access / 2 != 1 && access / 2 != 2 && access / 2 != 4 && access / 2 != 8)
            directory_bad(d);
    }
    /* An exception has all its eight accesses, or none when it is chained. */
    if (directory_good(d) && d->f->statics[s->instruction].exception &&
        event->access_count != (d->f->statics[s->instruction].exception == 3 ? 0 : 8))
        directory_bad(d);
    if (directory_good(d))
        wet_statement_split(s, &d->f->statics[s->instruction], event, d->f->version >= WET_VERSION_FLOATS);
    for (uint32_t i = 0; i < s->slot_count && directory_good(d); i++)
        s->slots[i].computed = directory_below(d, 2);
    free(event);
}

static void read_statements(directory *d)
{
    wet_file *f = d->f;
    f->statement_count = directory_count(d);
    f->statements = memory_zero(f->statement_count + 1, sizeof *f->statements);
    for (uint32_t i = 0; i < f->statement_count && directory_good(d); i++)
        read_statement(d, &f->statements[i]);
}

void directory_program(directory *d)
{
    wet_file *f = d->f;
    f->tier = (int)directory_below(d, 3);
    f->time = directory_number(d);
    f->executed = weft_read_varint64(&d->in);
    f->producer_count = 1;
    read_strings(d);
    if (directory_good(d))
        read_symbols(d);
    if (directory_good(d))
        read_statics(d);
    if (directory_good(d))
        read_statements(d);
}
