/* SPDX-License-Identifier: MIT */
#include "tools/lib/input/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/kind.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/input/is_container.h"
#include "tools/lib/input/names.h"
#include "tools/lib/recording/chosen.h"

enum { BLOCK = 1 << 16, TOKEN_MAX = 1 << 12 };

struct input {
    FILE *file;
    input_format format;
    uint8_t block[BLOCK];
    size_t at, filled;
    uint64_t byte;  /* offset of block[at] */
    uint64_t token; /* items read so far */
    name_table names;
    char error[200];
};

bool input_format_parse(const char *name, input_format *format)
{
    static const char *const formats[] = {"text", "chars", "u8", "u16", "u32", "i64"};
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(name, formats[i])) {
            *format = (input_format)i;
            return true;
        }
    return false;
}

/* The open file, or NULL and errno. */
static FILE *open_file(const char *path)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_CUR) == 0 && file != stdin) {
        int byte = getc(file); /* a directory opens but does not read */
        if (byte == EOF && ferror(file)) {
            int error = errno;
            fclose(file);
            errno = error;
            return NULL;
        }
        if (byte != EOF)
            ungetc(byte, file);
    }
    return file;
}

input *input_open(const char *path, input_format format)
{
    FILE *file = open_file(path);
    if (!file)
        return NULL;
    input *in = calloc(1, sizeof *in);
    if (!in) {
        if (file != stdin)
            fclose(file);
        return NULL;
    }
    in->file = file;
    in->format = format;
    return in;
}

bool input_open_next(input *in, const char *path)
{
    FILE *file = open_file(path);
    if (!file)
        return false;
    if (in->file != stdin)
        fclose(in->file);
    in->file = file;
    in->at = in->filled = 0;
    in->byte = in->token = 0;
    return true;
}

void input_close(input *in)
{
    if (!in)
        return;
    if (in->file != stdin)
        fclose(in->file);
    names_free(&in->names);
    free(in);
}

static bool refill(input *in)
{
    in->byte += in->filled;
    in->at = 0;
    in->filled = fread(in->block, 1, BLOCK, in->file);
    if (in->filled == 0 && ferror(in->file))
        snprintf(in->error, sizeof in->error, "cannot read at byte %llu: %s", (unsigned long long)in->byte,
                 strerror(errno));
    if (in->byte == 0 && input_begins_as_container(in->block, in->filled)) {
        snprintf(in->error, sizeof in->error,
                 "byte 0: it is a recording, not a stream; a command that reads recordings needs the name of a file");
        in->filled = 0;
    }
    if (in->byte == 0 && recording_chosen() > 1) {
        snprintf(in->error, sizeof in->error, "byte 0: a stream is one recording; it has no recording %llu",
                 (unsigned long long)recording_chosen());
        in->filled = 0;
    }
    const char *other = in->byte || in->error[0]   ? NULL
                        : in->format == INPUT_TEXT ? kind_of(in->block, in->filled)
                                                   : kind_no_stream(in->block, in->filled);
    if (other) {
        snprintf(in->error, sizeof in->error, "byte 0: %s", other);
        in->filled = 0;
    }
    return in->filled > 0;
}

static int next_byte(input *in)
{
    if (in->at == in->filled && !refill(in))
        return EOF;
    return in->block[in->at++];
}

static bool is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next token, zero-terminated; its length, 0 at the end, or -1 at an error. */
static int next_token(input *in, char *token)
{
    int c;
    while (is_space(c = next_byte(in)))
        ;
    int size = 0;
    for (; c != EOF && !is_space(c); c = next_byte(in)) {
        if (size == TOKEN_MAX - 1 || c == 0) {
            snprintf(in->error, sizeof in->error, "token %llu, at byte %llu: %s", (unsigned long long)in->token + 1,
                     (unsigned long long)(in->byte + in->at), c ? "longer than 4095 bytes" : "holds a zero byte");
            return -1;
        }
        token[size++] = (char)c;
    }
    token[size] = 0;
    if (in->error[0])
        return -1;
    in->token += size > 0;
    return size;
}

bool input_find(const input *in, const char *token, uint32_t *symbol)
{
    return names_find(&in->names, token, symbol);
}

uint32_t input_name_count(const input *in)
{
    return in->names.count;
}

/* Binary items of 1, 2, 4 or 8 bytes; false at the end, or at an item that is cut. */
/* Byte by byte, where the block ends within an item. */
static bool next_split(input *in, unsigned size, uint64_t *bits)
{
    for (unsigned i = 0; i < size; i++) {
        int c = next_byte(in);
        if (c != EOF) {
            *bits |= (uint64_t)(unsigned)c << (8 * i);
            continue;
        }
        if (i && !in->error[0])
            snprintf(in->error, sizeof in->error, "byte %llu: the last item has %u of %u bytes",
                     (unsigned long long)(in->byte + in->at), i, size);
        return false;
    }
    return true;
}

static bool next_binary(input *in, unsigned size, uint64_t *value)
{
    uint64_t bits = 0;
    if (in->filled - in->at >= size) {
        for (unsigned i = 0; i < size; i++)
            bits |= (uint64_t)in->block[in->at + i] << (8 * i);
        in->at += size;
    } else if (!next_split(in, size, &bits)) {
        return false;
    }
    in->token++;
    *value = bits;
    return true;
}

static unsigned item_size(input_format format)
{
    return format == INPUT_U8 ? 1 : format == INPUT_U16 ? 2 : format == INPUT_U32 ? 4 : 8;
}

static bool next_symbol(input *in, uint32_t *symbol)
{
    char token[TOKEN_MAX];
    uint64_t value;
    int c;
    switch (in->format) {
    case INPUT_CHARS:
        while ((c = next_byte(in)) == '\n')
            ;
        *symbol = (uint32_t)c;
        in->token += c != EOF;
        return c != EOF;
    case INPUT_TEXT:
        if (next_token(in, token) <= 0)
            return false;
        *symbol = names_number(&in->names, token);
        return true;
    case INPUT_I64:
        if (!next_binary(in, 8, &value))
            return false;
        snprintf(token, sizeof token, "%lld", (long long)value);
        *symbol = names_number(&in->names, token);
        return true;
    default:
        if (!next_binary(in, item_size(in->format), &value))
            return false;
        *symbol = (uint32_t)value;
        return true;
    }
}

bool input_number(const char *token, int64_t *number)
{
    char *end;
    bool hex = token[0] == '0' && (token[1] == 'x' || token[1] == 'X'); /* 010 is ten */
    errno = 0;
    *number = hex ? (int64_t)strtoull(token, &end, 16) : (int64_t)strtoll(token, &end, 10);
    return !errno && end != token && !*end;
}

static bool next_number(input *in, int64_t *number)
{
    char token[TOKEN_MAX];
    uint64_t value;
    uint32_t symbol;
    switch (in->format) {
    case INPUT_CHARS:
        if (!next_symbol(in, &symbol))
            return false;
        *number = symbol;
        return true;
    case INPUT_TEXT: {
        if (next_token(in, token) <= 0)
            return false;
        if (!input_number(token, number)) {
            snprintf(in->error, sizeof in->error, "token %llu: '%.40s' is not a 64-bit number",
                     (unsigned long long)in->token, token);
            return false;
        }
        return true;
    }
    default:
        if (!next_binary(in, item_size(in->format), &value))
            return false;
        *number = (int64_t)value;
        return true;
    }
}

/* Whole u32 items that lie in the block already. */
static size_t symbols_of_block(input *in, uint32_t *symbols, size_t max)
{
    size_t count = (in->filled - in->at) / 4;
    count = count < max ? count : max;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *b = in->block + in->at + 4 * i;
        symbols[i] = b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24;
    }
    in->at += 4 * count;
    in->token += count;
    return count;
}

size_t input_symbols(input *in, uint32_t *symbols, size_t max)
{
    size_t count = 0;
    while (in->format == INPUT_U32 && count < max) {
        size_t fast = symbols_of_block(in, symbols + count, max - count);
        count += fast;
        if (!fast && !next_symbol(in, symbols + count++))
            return count - 1;
    }
    while (count < max && next_symbol(in, symbols + count))
        count++;
    return count;
}

size_t input_numbers(input *in, int64_t *numbers, size_t max)
{
    size_t count = 0;
    while (count < max && next_number(in, numbers + count))
        count++;
    return count;
}

const char *input_error(const input *in)
{
    return in->error[0] ? in->error : NULL;
}

int64_t *input_all_numbers(input *in, size_t *count)
{
    size_t max = 0;
    int64_t *all = NULL;
    *count = 0;
    do
        all = memory_room(all, *count, &max, sizeof *all);
    while ((*count += input_numbers(in, all + *count, max - *count)) == max);
    if (!input_error(in))
        return all;
    free(all);
    return NULL;
}

const char *input_name(const input *in, uint32_t symbol, char buffer[24])
{
    if (in && (in->format == INPUT_TEXT || in->format == INPUT_I64))
        return symbol < in->names.count ? names_text(&in->names, symbol) : "?";
    if (in && in->format == INPUT_CHARS) {
        buffer[0] = (char)symbol;
        buffer[1] = 0;
        return buffer;
    }
    char *at = buffer + 23; /* not by snprintf, which is slow for millions of numbers */
    *at = 0;
    do
        *--at = (char)('0' + symbol % 10);
    while ((symbol /= 10) != 0);
    return at;
}

bool input_write_value(int64_t value, input_format format, void *file)
{
    if (format == INPUT_TEXT)
        return fprintf(file, "%lld\n", (long long)value) > 0;
    unsigned size = format == INPUT_CHARS ? 1 : item_size(format);
    if (size < 8 && (value < 0 || value >> (8 * size)))
        return false;
    uint8_t bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)((uint64_t)value >> 8 * i);
    return fwrite(bytes, 1, size, file) == size;
}
