/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* the unlocked functions of stdio */
#include "tools/lib/input/grammar.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_tree.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/wpp.h"
#include "tools/lib/image/places.h"
#include "tools/lib/input/terminals.h"

/* ---- writing ---- */

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

static bool is_rule_name(const char *token)
{
    if (token[0] != 'R' || !token[1])
        return false;
    return token[1 + strspn(token + 1, "0123456789")] == 0;
}

/* The `^n` that a token ends with, or NULL. */
static char *count_of(char *token)
{
    char *mark = strrchr(token, '^');
    return mark && mark > token && mark[1] && !mark[1 + strspn(mark + 1, "0123456789")] ? mark : NULL;
}

static void print_name(const input *in, input_format format, uint32_t symbol, FILE *file)
{
    char buffer[24];
    const char *name = input_name(in, symbol, buffer);
    if (format == INPUT_CHARS && (symbol <= ' ' || symbol >= 0x7f))
        fprintf(file, "\\x%02x", symbol);
    else
        fprintf(file, "%s%s", name[0] == '\\' || is_rule_name(name) ? "\\" : "", name);
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
    FILE *file = memory_got(open_memstream(memory, &size));
    size_t *start = memory_zero(g->terminal_count, sizeof *start);
    char **names = memory_zero(g->terminal_count, sizeof *names);
    for (size_t i = 0; i < g->terminal_count; i++) {
        start[i] = (size_t)ftell(file);
        print(in, format, g->terminals[i], file);
        putc(0, file);
    }
    if (fclose(file))
        memory_got(NULL);
    for (size_t i = 0; i < g->terminal_count; i++) {
        names[i] = *memory + start[i];
        names[i][strcspn(names[i], "\n")] = 0; /* json_finish writes one */
    }
    free(start);
    return names;
}

void grammar_print(const grammar *g, const input *in, input_format format, FILE *file)
{
    char *memory;
    char **names = names_of(g, in, format, print_name, &memory);
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
            if (grammar_count(g, i) > 1 || (g->counts && !(s & GRAMMAR_RULE) && count_of(names[s]))) {
                putc_unlocked('^', file);
                put_number(grammar_count(g, i), file);
            }
        }
        putc_unlocked('\n', file);
    }
    free(names);
    free(memory);
}

static void print_places(const grammar *g, struct program *app, FILE *file)
{
    fputs(",\"places\":", file);
    json *j = json_begin(file);
    json_array(j, NULL);
    for (size_t i = 0; i < g->terminal_count; i++)
        places_json(app, g->terminals[i], j);
    json_end_array(j);
    json_finish(j);
}

void grammar_print_json(const grammar *g, const input *in, input_format format, struct program *app, FILE *file)
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
    if (app)
        print_places(g, app, file);
    fputs("}\n", file);
    free(names);
    free(memory);
}

/* ---- reading ---- */

/* A file under construction: right sides in any order of rules, and the names met so far. */
typedef struct reading {
    grammar_file *file;
    size_t symbols_max, counts_max, rules_max, names_max;
    bool runs;       /* the elements have counts */
    uint32_t *table; /* of names: index + 1 */
    size_t table_size;
    char *error;
} reading;

static void reading_begin(reading *r, char *error)
{
    *r = (reading){.file = memory_zero(1, sizeof *r->file), .error = error};
    r->file->rules = memory_zero(1, sizeof *r->file->rules);
}

void grammar_file_free(grammar_file *file)
{
    if (!file)
        return;
    for (size_t i = 0; i < file->name_count; i++)
        free(file->names[i]);
    free(file->names);
    grammar_free(file->rules);
    free(file);
}

static uint32_t hash_text(const char *text)
{
    uint64_t hash = 14695981039346656037u;
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 1099511628211u;
    return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t *name_slot(const reading *r, const char *name)
{
    size_t slot = hash_text(name) & (r->table_size - 1);
    while (r->table[slot] && strcmp(r->file->names[r->table[slot] - 1], name))
        slot = (slot + 1) & (r->table_size - 1);
    return r->table + slot;
}

static uint32_t intern(reading *r, const char *name)
{
    grammar_file *f = r->file;
    if (2 * f->name_count >= r->table_size) {
        r->table_size = r->table_size ? 2 * r->table_size : 256;
        free(r->table);
        r->table = memory_zero(r->table_size, sizeof *r->table);
        for (size_t i = 0; i < f->name_count; i++)
            *name_slot(r, f->names[i]) = (uint32_t)i + 1;
    }
    uint32_t *slot = name_slot(r, name);
    if (*slot)
        return *slot - 1;
    f->names = memory_room(f->names, f->name_count, &r->names_max, sizeof *f->names);
    f->names[f->name_count] = memory_text(name);
    *slot = (uint32_t)++f->name_count;
    return *slot - 1;
}

static void begin_rule(reading *r)
{
    grammar *g = r->file->rules;
    g->start = memory_room(g->start, g->rules + 1, &r->rules_max, sizeof *g->start);
    if (!g->rules)
        g->start[0] = 0;
    g->start[g->rules + 1] = g->start[g->rules];
    g->rules++;
}

static void add_symbol(reading *r, uint32_t symbol, uint64_t count)
{
    grammar *g = r->file->rules;
    size_t size = g->start[g->rules];
    g->symbols = memory_room(g->symbols, size, &r->symbols_max, sizeof *g->symbols);
    g->counts = memory_room(g->counts, size, &r->counts_max, sizeof *g->counts);
    g->symbols[size] = symbol;
    g->counts[size] = count;
    r->runs |= count != 1;
    g->start[g->rules]++;
}

/* Ends a reading: with the file if it is a grammar, else with NULL and a message. */
static grammar_file *reading_end(reading *r, bool well)
{
    free(r->table);
    grammar *g = r->file->rules;
    if (!r->runs) {
        free(g->counts);
        g->counts = NULL;
    }
    if (well && !g->rules) {
        snprintf(r->error, 200, "it holds no rule");
        well = false;
    }
    if (well) {
        g->terminal_count = r->file->name_count;
        g->terminals = memory_zero(g->terminal_count, sizeof *g->terminals);
        for (size_t i = 0; i < g->terminal_count; i++)
            g->terminals[i] = (uint32_t)i;
        well = grammar_measure(g);
        if (!well)
            snprintf(r->error, 200,
                     "a rule is used that is not there, or uses itself, or a count is 0, or the stream is too long");
    }
    if (well)
        return r->file;
    grammar_file_free(r->file);
    return NULL;
}

/* A token of a right side; changes it in place. False: a backslash that means nothing. */
static bool read_token(reading *r, char *token)
{
    unsigned byte;
    char *end, *mark = r->runs ? count_of(token) : NULL;
    uint64_t count = 1;
    if (mark) {
        count = strtoull(mark + 1, NULL, 10);
        *mark = 0;
    }
    if (is_rule_name(token)) {
        unsigned long number = strtoul(token + 1, &end, 10);
        add_symbol(r, GRAMMAR_RULE | (number < GRAMMAR_RULE ? (uint32_t)number : GRAMMAR_RULE - 1), count);
        return true;
    }
    if (token[0] == '\\') {
        if (token[1] == 'x' && strlen(token) == 4 && sscanf(token + 2, "%2x", &byte) == 1) {
            token[0] = (char)byte;
            token[1] = 0;
        } else if (token[1] == '\\' || is_rule_name(token + 1)) {
            token++;
        } else {
            return false;
        }
    }
    add_symbol(r, intern(r, token), count);
    return true;
}

/* One line, without its end. False, and a message, if it is no rule. */
static bool read_line(reading *r, char *line, size_t number)
{
    char *rest = NULL;
    char *token = strtok_r(line, " \t\r", &rest);
    if (!token || token[0] == '#')
        return true;
    char expected[24];
    snprintf(expected, sizeof expected, "R%zu", r->file->rules->rules);
    char *arrow = strtok_r(NULL, " \t\r", &rest);
    bool first = r->file->rules->rules == 0;
    const char *wanted = (first ? arrow && !strcmp(arrow, "=>") : r->runs) ? "=>" : "->";
    if (strcmp(token, expected) || !arrow || strcmp(arrow, wanted)) {
        snprintf(r->error, 200, "line %zu does not begin with '%s %s'", number, expected, wanted);
        return false;
    }
    r->runs = wanted[0] == '=';
    begin_rule(r);
    for (size_t at = 1; (token = strtok_r(NULL, " \t\r", &rest)); at++)
        if (!read_token(r, token)) {
            snprintf(r->error, 200, "line %zu, symbol %zu: no such escape", number, at);
            return false;
        }
    return true;
}

static grammar_file *read_text(const char *bytes, size_t size, char error[200])
{
    reading r;
    reading_begin(&r, error);
    bool well = !memchr(bytes, 0, size);
    if (!well)
        snprintf(error, 200, "a zero byte at byte %zu", (size_t)((char *)memchr(bytes, 0, size) - bytes));
    const char *end = bytes + size;
    for (size_t number = 1; well && bytes < end; number++) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        stop = stop ? stop : end;
        size_t length = (size_t)(stop - bytes);
        char *line = memory_zero(length + 1, 1);
        memcpy(line, bytes, length);
        well = read_line(&r, line, number);
        free(line);
        bytes = stop + (stop < end);
    }
    return reading_end(&r, well);
}

/* A whole number from `least` on that is a member of an object. */
static bool read_member(yajl_val object, const char *name, uint64_t least, uint64_t *number)
{
    const char *const path[] = {name, NULL};
    yajl_val value = yajl_tree_get(object, (const char **)path, yajl_t_number);
    if (!value || !YAJL_IS_INTEGER(value) || YAJL_GET_INTEGER(value) < (long long)least)
        return false;
    *number = (uint64_t)YAJL_GET_INTEGER(value);
    return true;
}

/* The text of a symbol, or NULL. */
static const char *name_in(yajl_val value)
{
    return YAJL_IS_NUMBER(value) ? YAJL_GET_NUMBER(value) : YAJL_GET_STRING(value);
}

/* One element of a rule in JSON. */
static bool read_element(reading *r, yajl_val value)
{
    static const char *const symbol[] = {"symbol", NULL}, *const counted[] = {"count", NULL};
    uint64_t rule, count = 1;
    if (YAJL_IS_OBJECT(value)) {
        if (yajl_tree_get(value, (const char **)counted, yajl_t_any) && !read_member(value, "count", 1, &count))
            return false;
        if (read_member(value, "rule", 0, &rule)) {
            if (rule >= GRAMMAR_RULE)
                return false;
            add_symbol(r, GRAMMAR_RULE | (uint32_t)rule, count);
            return true;
        }
        value = yajl_tree_get(value, (const char **)symbol, yajl_t_any);
    }
    const char *name = name_in(value);
    if (name)
        add_symbol(r, intern(r, name), count);
    return name != NULL;
}

static bool read_rules(reading *r, yajl_val rules)
{
    if (!YAJL_IS_ARRAY(rules)) {
        snprintf(r->error, 200, "the JSON has no array 'grammar'");
        return false;
    }
    for (size_t i = 0; i < rules->u.array.len; i++) {
        yajl_val rule = rules->u.array.values[i];
        begin_rule(r);
        for (size_t s = 0; YAJL_IS_ARRAY(rule) && s < rule->u.array.len; s++)
            if (!read_element(r, rule->u.array.values[s])) {
                snprintf(r->error, 200, "rule %zu, symbol %zu is no number, string or rule", i, s);
                return false;
            }
        if (!YAJL_IS_ARRAY(rule)) {
            snprintf(r->error, 200, "rule %zu is no array", i);
            return false;
        }
    }
    return true;
}

static grammar_file *read_json(const char *bytes, size_t size, char error[200])
{
    static const char *const path[] = {"grammar", NULL};
    char *text = memory_zero(size + 1, 1);
    char parse_error[150] = "";
    memcpy(text, bytes, size);
    yajl_val tree = strlen(text) == size ? yajl_tree_parse(text, parse_error, sizeof parse_error) : NULL;
    free(text);
    if (!tree) {
        parse_error[strcspn(parse_error, "\n")] = 0;
        snprintf(error, 200, "not JSON: %s", parse_error[0] ? parse_error : "a zero byte");
        return NULL;
    }
    reading r;
    reading_begin(&r, error);
    bool well = read_rules(&r, yajl_tree_get(tree, (const char **)path, yajl_t_any));
    yajl_tree_free(tree);
    return reading_end(&r, well);
}

static grammar_file *read_binary(const char *bytes, size_t size, uint64_t limit, char error[200])
{
    grammar *g = wpp_read((const uint8_t *)bytes, size, limit);
    if (!g) {
        snprintf(error, 200, "a damaged whole program path, or one of more than %" PRIu64 " symbols", limit);
        return NULL;
    }
    grammar_file *f = memory_zero(1, sizeof *f);
    f->rules = g;
    f->numbers = true;
    f->name_count = g->terminal_count;
    f->names = memory_zero(f->name_count, sizeof *f->names);
    for (size_t i = 0; i < f->name_count; i++) {
        f->names[i] = memory_zero(12, 1);
        snprintf(f->names[i], 12, "%u", g->terminals[i]);
        g->terminals[i] = (uint32_t)i;
    }
    return f;
}

grammar_file *grammar_read(const char *bytes, size_t size, uint64_t limit, char error[200])
{
    if (wpp_is((const uint8_t *)bytes, size))
        return read_binary(bytes, size, limit, error);
    size_t at = 0;
    while (at < size && strchr(" \t\r\n", bytes[at]) && bytes[at])
        at++;
    return at < size && bytes[at] == '{' ? read_json(bytes, size, error) : read_text(bytes, size, error);
}
