/* SPDX-License-Identifier: MIT */
#include "tools/lib/input/terminals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"

bool terminals_is_number(const char *text, int64_t *number)
{
    const char *digits = text + (*text == '-');
    if (*digits < '0' || *digits > '9' || (*digits == '0' && (digits[1] || digits != text)))
        return false;
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return !errno && !*end;
}

void terminals_print(const input *in, input_format format, const uint32_t *symbols, size_t count, FILE *file)
{
    char buffer[24];
    for (size_t i = 0; i < count; i++) {
        if (i && format != INPUT_CHARS)
            putc(' ', file);
        if (format == INPUT_CHARS)
            putc((int)symbols[i], file);
        else
            fputs(input_name(in, symbols[i], buffer), file);
    }
}

void terminals_show(const input *in, input_format format, const uint32_t *symbols, size_t count, FILE *file)
{
    char *text;
    size_t size;
    FILE *raw = memory_stream(&text, &size);
    terminals_print(in, format, symbols, count, raw);
    fclose(raw);
    for (size_t at = 0; at < size; at += strlen(text + at) + 1) {
        fputs(at ? "\\x00" : "", file); /* a symbol of chars */
        text_print(file, text + at);
    }
    free(text);
}

void terminals_character(uint32_t byte, char buffer[24])
{
    buffer[0] = (char)(0xc0 | byte >> 6);
    buffer[1] = (char)(0x80 | (byte & 0x3f));
    buffer[2] = 0;
}

void terminals_json(const input *in, input_format format, uint32_t symbol, json *j)
{
    char buffer[24];
    int64_t number;
    const char *name = input_name(in, symbol, buffer);
    if (format == INPUT_CHARS && symbol >= 0x80) {
        terminals_character(symbol, buffer);
        name = buffer;
    }
    if (format != INPUT_CHARS && terminals_is_number(name, &number))
        json_integer(j, NULL, number);
    else
        json_string(j, NULL, name);
}

typedef struct ranked {
    const char *name;
    int64_t number;
    uint32_t symbol;
    bool is_number;
} ranked;

static int by_rank(const void *left, const void *right)
{
    const ranked *l = left, *r = right;
    if (l->is_number != r->is_number)
        return l->is_number ? -1 : 1;
    if (l->is_number)
        return (l->number > r->number) - (l->number < r->number);
    return strcmp(l->name, r->name);
}

uint32_t *terminals_ranks(const input *in, input_format format)
{
    if (format != INPUT_TEXT && format != INPUT_I64)
        return NULL;
    uint32_t count = input_name_count(in);
    ranked *all = memory_zero(count, sizeof *all);
    char buffer[24];
    for (uint32_t i = 0; i < count; i++) {
        all[i].symbol = i;
        all[i].name = input_name(in, i, buffer);
        all[i].is_number = terminals_is_number(all[i].name, &all[i].number);
    }
    qsort(all, count, sizeof *all, by_rank);
    uint32_t *rank = memory_zero(count, sizeof *rank);
    for (uint32_t i = 0; i < count; i++)
        rank[all[i].symbol] = i;
    free(all);
    return rank;
}
