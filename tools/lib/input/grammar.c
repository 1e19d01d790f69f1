/* SPDX-License-Identifier: MIT */
#include "tools/lib/input/grammar.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json_tree.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/wpp.h"
#include "tools/lib/input/grammar_tokens.h"
#include "tools/lib/input/names.h"

/* A grammar that is being read: its rules, and the names so far. */
typedef struct reading {
    grammar_file *file;
    name_table names;
    size_t symbols_max, counts_max, rules_max;
    bool runs; /* the elements have counts */
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
    grammar_file *f = r->file;
    grammar *g = f->rules;
    f->name_count = r->names.count;
    f->names = memory_zero(f->name_count, sizeof *f->names);
    for (uint32_t i = 0; i < r->names.count; i++)
        f->names[i] = memory_text(names_text(&r->names, i));
    names_free(&r->names);
    if (!r->runs) {
        free(g->counts);
        g->counts = NULL;
    }
    if (well && !g->rules) {
        snprintf(r->error, 200, "it holds no rule");
        well = false;
    }
    if (well) {
        g->terminal_count = f->name_count;
        g->terminals = memory_zero(g->terminal_count, sizeof *g->terminals);
        for (size_t i = 0; i < g->terminal_count; i++)
            g->terminals[i] = (uint32_t)i;
        well = grammar_measure(g);
        if (!well)
            snprintf(r->error, 200,
                     "a rule is used that is not there, or uses itself, or a count is 0, or the stream is too long");
    }
    if (well)
        return f;
    grammar_file_free(f);
    return NULL;
}

/* Reads a token of a right side, and changes it in place. False: a backslash that means nothing. */
static bool read_token(reading *r, char *token)
{
    unsigned byte;
    char *end, *mark = r->runs ? grammar_count_of(token) : NULL;
    uint64_t count = 1;
    if (mark) {
        count = strtoull(mark + 1, NULL, 10);
        *mark = 0;
    }
    if (grammar_is_rule_name(token)) {
        unsigned long number = strtoul(token + 1, &end, 10);
        add_symbol(r, GRAMMAR_RULE | (number < GRAMMAR_RULE ? (uint32_t)number : GRAMMAR_RULE - 1), count);
        return true;
    }
    if (token[0] == '\\') {
        if (token[1] == 'x' && strlen(token) == 4 && sscanf(token + 2, "%2x", &byte) == 1) {
            token[0] = (char)byte;
            token[1] = 0;
        } else if (token[1] == '\\' || grammar_is_rule_name(token + 1)) {
            token++;
        } else {
            return false;
        }
    }
    add_symbol(r, names_number(&r->names, token), count);
    return true;
}

/* Reads one line, without its end. False, and a message: it is not a rule. */
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
        add_symbol(r, names_number(&r->names, name), count);
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
                snprintf(r->error, 200, "rule %zu, symbol %zu is not a number, a string or a rule", i, s);
                return false;
            }
        if (!YAJL_IS_ARRAY(rule)) {
            snprintf(r->error, 200, "rule %zu is not an array", i);
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
    yajl_val tree = strlen(text) == size ? json_tree(text, parse_error, sizeof parse_error) : NULL;
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

const char *grammar_no_path(uint64_t limit, char error[200])
{
    snprintf(error, 200, "a damaged whole program path, or one of more than %" PRIu64 " symbols", limit);
    return error;
}

static grammar_file *read_binary(const char *bytes, size_t size, uint64_t limit, char error[200])
{
    grammar *g = wpp_read((const uint8_t *)bytes, size, limit);
    if (!g) {
        grammar_no_path(limit, error);
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
