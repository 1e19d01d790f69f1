/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* the unlocked functions of stdio */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/places.h"
#include "tools/lib/input/grammar.h"
#include "tools/lib/input/grammar_tokens.h"
#include "tools/lib/input/terminals.h"

/* Decimal digits, faster than printf: grammars have millions of symbols. */
static void put_number(uint64_t number, FILE *file)
{
    char digits[20];
    int at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    fwrite_unlocked(digits + at, 1, sizeof digits - (size_t)at, file);
}

static void print_name(const input *in, input_format format, uint32_t symbol, FILE *file)
{
    char buffer[24];
    const char *name = input_name(in, symbol, buffer);
    if (format == INPUT_CHARS && (symbol <= ' ' || symbol >= 0x7f))
        fprintf(file, "\\x%02x", symbol);
    else
        fprintf(file, "%s%s", name[0] == '\\' || grammar_is_rule_name(name) ? "\\" : "", name);
}

static void print_safe_name(const input *in, input_format format, uint32_t symbol, FILE *file)
{
    char *name;
    size_t size;
    FILE *raw = memory_stream(&name, &size);
    print_name(in, format, symbol, raw);
    fclose(raw);
    text_print(file, name);
    free(name);
}

static void print_json_name(const input *in, input_format format, uint32_t symbol, FILE *file)
{
    json *j = json_begin(file);
    terminals_json(in, format, symbol, j);
    json_finish(j);
}

typedef void print_function(const input *in, input_format format, uint32_t symbol, FILE *file);

/* The printed form of each terminal, one after the other in one allocation, each ended by a zero. */
static char **names_of(const grammar *g, const input *in, input_format format, print_function *print, char **memory)
{
    size_t size;
    FILE *file = memory_stream(memory, &size);
    size_t *start = memory_zero(g->terminal_count, sizeof *start);
    char **names = memory_zero(g->terminal_count, sizeof *names);
    for (size_t i = 0; i < g->terminal_count; i++) {
        start[i] = (size_t)ftell(file);
        print(in, format, g->terminals[i], file);
        putc(0, file);
    }
    fclose(file);
    for (size_t i = 0; i < g->terminal_count; i++) {
        names[i] = *memory + start[i];
        names[i][strcspn(names[i], "\n")] = 0; /* json_finish writes one */
    }
    free(start);
    return names;
}

void grammar_print(const grammar *g, const input *in, input_format format, bool shown, FILE *file)
{
    char *memory;
    char **names = names_of(g, in, format, shown ? print_safe_name : print_name, &memory);
    for (size_t rule = 0; rule < g->rules; rule++) {
        putc_unlocked('R', file);
        put_number(rule, file);
        fputs(g->counts ? " =>" : " ->", file);
        for (size_t i = g->start[rule]; i < g->start[rule + 1]; i++) {
            uint32_t s = g->symbols[i];
            putc_unlocked(' ', file);
            if (s & GRAMMAR_RULE) {
                putc_unlocked('R', file);
                put_number(s & ~GRAMMAR_RULE, file);
            } else {
                fputs_unlocked(names[s], file);
            }
            if (grammar_count(g, i) > 1 || (g->counts && !(s & GRAMMAR_RULE) && grammar_count_of(names[s]))) {
                putc_unlocked('^', file);
                put_number(grammar_count(g, i), file);
            }
        }
        putc_unlocked('\n', file);
    }
    free(names);
    free(memory);
}

static void print_places(const grammar *g, const path_places *where, FILE *file)
{
    fputs(",\"places\":", file);
    json *j = json_begin(file);
    json_array(j, NULL);
    for (size_t i = 0; i < g->terminal_count; i++)
        places_json(where, g->terminals[i], j);
    json_end_array(j);
    json_leave(j);
}

void grammar_print_json(const grammar *g, const input *in, input_format format, const path_places *where, FILE *file)
{
    char *memory;
    char **names = names_of(g, in, format, print_json_name, &memory);
    fprintf(file, "{\"length\":%" PRIu64 ",\"rules\":%zu,\"symbols\":%zu,", g->length, g->rules, grammar_symbols(g));
    fputs("\"grammar\":[", file);
    for (size_t rule = 0; rule < g->rules; rule++) {
        fputs(rule ? ",[" : "[", file);
        for (size_t i = g->start[rule]; i < g->start[rule + 1]; i++) {
            if (i != g->start[rule])
                putc_unlocked(',', file);
            uint32_t s = g->symbols[i];
            uint64_t count = grammar_count(g, i);
            if (s & GRAMMAR_RULE) {
                fputs_unlocked("{\"rule\":", file);
                put_number(s & ~GRAMMAR_RULE, file);
            } else {
                fputs_unlocked(count > 1 ? "{\"symbol\":" : "", file);
                fputs_unlocked(names[s], file);
            }
            if (count > 1) {
                fputs_unlocked(",\"count\":", file);
                put_number(count, file);
            }
            if (s & GRAMMAR_RULE || count > 1)
                putc_unlocked('}', file);
        }
        putc_unlocked(']', file);
    }
    putc(']', file);
    if (where)
        print_places(g, where, file);
    json_print_remarks(file);
    fputs("}\n", file);
    free(names);
    free(memory);
}
