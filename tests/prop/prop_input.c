/* SPDX-License-Identifier: MIT */
/* The reader of raw streams against what was written, in every format, across block borders. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/check.h"
#include "tools/lib/input/input.h"

static char path[] = "/tmp/weft-input.XXXXXX";

static bool write_file(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(bytes, 1, size, file) == size;
    return file && fclose(file) == 0 && good;
}

static void numbers_come_back_in_each_binary_format(void)
{
    enum { COUNT = 50001 };
    static int64_t values[COUNT];
    static const struct {
        input_format format;
        unsigned bits;
    } kinds[] = {{INPUT_U8, 8}, {INPUT_U16, 16}, {INPUT_U32, 32}, {INPUT_I64, 64}, {INPUT_TEXT, 64}};
    check_random random = {99};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        FILE *file = fopen(path, "wb");
        CHECK(file != NULL);
        for (int i = 0; i < COUNT; i++) {
            uint64_t bits = (uint64_t)check_random_next(&random) << 32 | check_random_next(&random);
            values[i] = (int64_t)(kinds[k].bits == 64 ? bits : bits >> (64 - kinds[k].bits));
            CHECK(input_write_value(values[i], kinds[k].format, file));
        }
        CHECK_EQ(fclose(file), 0);
        input *in = input_open(path, kinds[k].format);
        CHECK(in != NULL);
        size_t count;
        int64_t *back = input_all_numbers(in, &count);
        CHECK(back != NULL);
        CHECK_EQ(count, COUNT);
        CHECK(memcmp(back, values, sizeof values) == 0);
        free(back);
        input_close(in);
    }
}

/* All symbols at once, from malloc. */
static uint32_t *all_symbols(input *in, size_t *count)
{
    enum { MAX = 1 << 20 };
    uint32_t *all = malloc(MAX * sizeof *all);
    *count = all ? input_symbols(in, all, MAX) : 0;
    if (!input_error(in))
        return all;
    free(all);
    return NULL;
}

static void tokens_are_numbered_in_order_of_appearance(void)
{
    static const char text[] = "  b a\tb\n\nccc a\r\n b";
    static const uint32_t want[] = {0, 1, 0, 2, 1, 0};
    char buffer[24];
    size_t count;
    uint32_t symbol;
    CHECK(write_file(text, sizeof text - 1));
    input *in = input_open(path, INPUT_TEXT);
    CHECK(in != NULL);
    uint32_t *symbols = all_symbols(in, &count);
    CHECK(symbols != NULL);
    CHECK_EQ(count, 6);
    CHECK(memcmp(symbols, want, sizeof want) == 0);
    CHECK(strcmp(input_name(in, 2, buffer), "ccc") == 0);
    CHECK(input_find(in, "a", &symbol) && symbol == 1);
    CHECK(!input_find(in, "*", &symbol));
    free(symbols);
    input_close(in);
}

static void chars_are_all_bytes_but_newlines(void)
{
    size_t count;
    CHECK(write_file("ab\nc\r", 5));
    input *in = input_open(path, INPUT_CHARS);
    CHECK(in != NULL);
    uint32_t *symbols = all_symbols(in, &count);
    CHECK(symbols != NULL);
    CHECK_EQ(count, 4);
    CHECK(symbols[0] == 'a' && symbols[2] == 'c' && symbols[3] == '\r');
    free(symbols);
    input_close(in);
}

/* Reads all numbers of `text`; true if reading ends in an error whose message holds `part`. */
static bool fails_with(const void *text, size_t size, input_format format, const char *part)
{
    size_t count;
    EXPECT(write_file(text, size));
    input *in = input_open(path, format);
    EXPECT(in != NULL);
    int64_t *numbers = input_all_numbers(in, &count);
    EXPECT(numbers == NULL && input_error(in) && strstr(input_error(in), part));
    input_close(in);
    return true;
}

static void bad_items_are_named_with_their_place(void)
{
    static char longest[5000];
    memset(longest, 'x', sizeof longest);
    (void)(fails_with("1 2 x3", 6, INPUT_TEXT, "token 3") &&
           fails_with("1 99999999999999999999", 22, INPUT_TEXT, "token 2") &&
           fails_with("1 0x 5", 6, INPUT_TEXT, "token 2") && fails_with("1\0 2", 4, INPUT_TEXT, "token 1") &&
           fails_with(longest, sizeof longest, INPUT_TEXT, "longer than") &&
           fails_with("\1\2\3\4\5\6\7", 7, INPUT_U32, "byte 7"));
}

static void an_empty_stream_is_no_error(void)
{
    for (int format = INPUT_TEXT; format <= INPUT_I64; format++) {
        size_t count = 1;
        CHECK(write_file("", 0));
        input *in = input_open(path, (input_format)format);
        CHECK(in != NULL);
        uint32_t *symbols = all_symbols(in, &count);
        CHECK(symbols != NULL && input_error(in) == NULL);
        CHECK_EQ(count, 0);
        free(symbols);
        input_close(in);
    }
}

static void what_cannot_be_opened_says_why(void)
{
    CHECK(input_open("/nonexistent/file", INPUT_U8) == NULL && errno == ENOENT);
    CHECK(input_open("/tmp", INPUT_U8) == NULL && errno == EISDIR);
}

int main(void)
{
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    RUN(numbers_come_back_in_each_binary_format);
    RUN(tokens_are_numbered_in_order_of_appearance);
    RUN(chars_are_all_bytes_but_newlines);
    RUN(bad_items_are_named_with_their_place);
    RUN(an_empty_stream_is_no_error);
    RUN(what_cannot_be_opened_says_why);
    unlink(path);
    return check_failed();
}
