/* SPDX-License-Identifier: MIT */
/* Step 3, the program: strings, symbols, static instructions and statements. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/packing.h"

typedef struct strings {
    squeeze_bytes bytes;
    char **all;
    uint32_t count;
    size_t max;
} strings;

static uint32_t string_number(strings *s, const char *text)
{
    if (!text)
        return 0;
    for (uint32_t i = s->count; i-- > 0;)
        if (!strcmp(s->all[i], text))
            return i + 1;
    s->all = memory_room(s->all, s->count, &s->max, sizeof *s->all);
    s->all[s->count++] = memory_text(text);
    squeeze_bytes_varint(&s->bytes, strlen(text));
    squeeze_bytes_add(&s->bytes, text, strlen(text));
    return s->count;
}

static void write_statics(const wet_trace *t, strings *s, squeeze_bytes *out)
{
    squeeze_bytes_varint(out, t->static_count);
    for (uint32_t i = 0; i < t->static_count; i++) {
        const wet_static *w = &t->statics[i];
        squeeze_bytes_varint(out, w->exception);
        if (w->exception) {
            squeeze_bytes_varint(out, w->from);
            squeeze_bytes_varint(out, w->to);
            continue;
        }
        const image_symbol *function = image_function(&t->im->symbols, w->insn.pc);
        const image_line *line = image_line_at(t->im, w->insn.pc);
        squeeze_bytes_varint(out, w->insn.pc);
        squeeze_bytes_varint(out, w->insn.size);
        squeeze_bytes_add(out, w->insn.bytes, w->insn.size);
        squeeze_bytes_varint(out, w->insn.condition);
        squeeze_bytes_varint(out, w->place.procedure);
        squeeze_bytes_varint(out, string_number(s, function ? function->name : NULL));
        squeeze_bytes_varint(out, string_number(s, line ? line->file : NULL));
        squeeze_bytes_varint(out, line ? line->line : 0);
    }
}

static void write_symbols(const wet_trace *t, strings *s, squeeze_bytes *out)
{
    squeeze_bytes_varint(out, t->im->symbols.count);
    for (size_t i = 0; i < t->im->symbols.count; i++) {
        const image_symbol *symbol = &t->im->symbols.all[i];
        squeeze_bytes_varint(out, symbol->address);
        squeeze_bytes_varint(out, symbol->size);
        squeeze_bytes_varint(out, symbol->function);
        squeeze_bytes_varint(out, string_number(s, symbol->name));
    }
}

static void write_statements(const wet_trace *t, squeeze_bytes *out)
{
    squeeze_bytes_varint(out, t->statement_count);
    for (uint32_t i = 0; i < t->statement_count; i++) {
        const wet_statement *s = &t->statements[i];
        squeeze_bytes_varint(out, s->instruction);
        squeeze_bytes_varint(out, s->passed);
        squeeze_bytes_varint(out, s->written);
        squeeze_bytes_varint(out, s->access_count);
        for (uint32_t k = 0; k < s->access_count; k++)
            squeeze_bytes_varint(out, s->accesses[k].size * 2u + s->accesses[k].store);
        for (uint32_t k = 0; k < s->slot_count; k++)
            squeeze_bytes_varint(out, s->slots[k].computed);
    }
}

void pack_program(const wet_trace *t, int tier, squeeze_bytes *directory)
{
    strings s = {0};
    squeeze_bytes rest = {0};
    write_symbols(t, &s, &rest);
    write_statics(t, &s, &rest);
    write_statements(t, &rest);
    squeeze_bytes_varint(directory, (uint64_t)tier);
    squeeze_bytes_varint(directory, t->time);
    squeeze_bytes_varint(directory, t->executed);
    squeeze_bytes_varint(directory, s.count);
    squeeze_bytes_add(directory, s.bytes.data, s.bytes.size);
    squeeze_bytes_add(directory, rest.data, rest.size);
    squeeze_bytes_varint(directory, t->node_count);
    for (uint32_t i = 0; i < s.count; i++)
        free(s.all[i]);
    free(s.all);
    squeeze_bytes_free(&s.bytes);
    squeeze_bytes_free(&rest);
}
