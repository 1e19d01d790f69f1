/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>

#include "tools/lib/base/memory.h"

struct json {
    yajl_gen gen;
    FILE *file;
    bool between; /* nothing was written since the last newline */
    bool remarked;
    unsigned depth; /* of open objects and arrays */
};

static struct {
    const char *key, *text;
} remarks[8];

void json_remark(const char *key, const char *text)
{
    size_t i = 0;
    while (i + 1 < sizeof remarks / sizeof *remarks && remarks[i].key && strcmp(remarks[i].key, key) != 0)
        i++;
    remarks[i].key = key;
    remarks[i].text = text;
}

static void print(void *context, const char *text, size_t size)
{
    json *j = context;
    j->between = false;
    fwrite(text, 1, size, j->file);
}

json *json_begin(FILE *file)
{
    json *j = memory_zero(1, sizeof *j);
    j->gen = memory_got(yajl_gen_alloc(NULL));
    j->file = file;
    j->between = true;
    yajl_gen_config(j->gen, yajl_gen_print_callback, print, j);
    return j;
}

void json_finish(json *j)
{
    if (!j->between)
        putc('\n', j->file);
    json_leave(j);
}

void json_leave(json *j)
{
    yajl_gen_free(j->gen);
    free(j);
}

void json_next(json *j)
{
    yajl_gen_reset(j->gen, "\n");
    j->between = true;
}

size_t json_utf8(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t size = *s < 0x80                 ? 1
                  : *s >= 0xc2 && *s < 0xe0 ? 2
                  : *s >= 0xe0 && *s < 0xf0 ? 3
                  : *s >= 0xf0 && *s < 0xf5 ? 4
                                            : 0;
    for (size_t i = 1; i < size; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) || (*s == 0xf0 && s[1] < 0x90) ||
        (*s == 0xf4 && s[1] > 0x8f))
        return 0;
    return size;
}

char *json_fit(const char *text)
{
    char *fit = memory_grow(NULL, 3 * strlen(text) + 1, 1), *to = fit;
    for (size_t size; *text; text += size ? size : 1) {
        size = json_utf8(text);
        memcpy(to, size ? text : "\xef\xbf\xbd", size ? size : 3);
        to += size ? size : 3;
    }
    *to = 0;
    return fit;
}

static void string(json *j, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t good = 0;
    for (size_t n; s[good] && (n = json_utf8(text + good)); good += n)
        ;
    if (!s[good]) {
        yajl_gen_string(j->gen, s, good);
        return;
    }
    char *fit = json_fit(text);
    yajl_gen_string(j->gen, (const unsigned char *)fit, strlen(fit));
    free(fit);
}

static void key_of(json *j, const char *key)
{
    if (key)
        string(j, key);
}

void json_object(json *j, const char *key)
{
    key_of(j, key);
    j->depth++;
    yajl_gen_map_open(j->gen);
}

void json_array(json *j, const char *key)
{
    key_of(j, key);
    j->depth++;
    yajl_gen_array_open(j->gen);
}

void json_end_object(json *j)
{
    bool whole = --j->depth == 0 && j->file == stdout && !j->remarked;
    for (size_t i = 0; whole && i < sizeof remarks / sizeof *remarks && remarks[i].key; i++)
        if (remarks[i].text)
            json_string(j, remarks[i].key, remarks[i].text);
    j->remarked |= whole;
    yajl_gen_map_close(j->gen);
}

void json_print_remarks(FILE *file)
{
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks && remarks[i].key; i++)
        if (remarks[i].text) /* both are words of the program's own */
            fprintf(file, ",\"%s\":\"%s\"", remarks[i].key, remarks[i].text);
}

void json_end_array(json *j)
{
    j->depth--;
    yajl_gen_array_close(j->gen);
}

void json_integer(json *j, const char *key, int64_t value)
{
    key_of(j, key);
    yajl_gen_integer(j->gen, value);
}

void json_unsigned(json *j, const char *key, uint64_t value)
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    key_of(j, key);
    yajl_gen_number(j->gen, digits, (size_t)size);
}

void json_real(json *j, const char *key, double value)
{
    key_of(j, key);
    yajl_gen_double(j->gen, value);
}

void json_thousandths(json *j, const char *key, uint64_t value)
{
    char text[32];
    int size = snprintf(text, sizeof text, "%" PRIu64 ".%03" PRIu64, value / 1000, value % 1000);
    key_of(j, key);
    yajl_gen_number(j->gen, text, (size_t)size);
}

void json_bool(json *j, const char *key, bool value)
{
    key_of(j, key);
    yajl_gen_bool(j->gen, value);
}

void json_string(json *j, const char *key, const char *text)
{
    key_of(j, key);
    if (text)
        string(j, text);
    else
        yajl_gen_null(j->gen);
}

void json_null(json *j, const char *key)
{
    json_string(j, key, NULL);
}

void json_place(json *j, const char *file, uint32_t line)
{
    json_string(j, "file", file);
    if (line)
        json_integer(j, "line", line);
    else
        json_null(j, "line");
}
