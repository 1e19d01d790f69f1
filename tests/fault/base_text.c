/* SPDX-License-Identifier: MIT */
/* Foreign text on a terminal: no control characters and no invalid UTF-8 get through. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/base/json.h"
#include "tools/lib/base/text.h"

static bool shows(const char *text, const char *wanted)
{
    char out[100], *printed = NULL;
    size_t length = text_safe(out, sizeof out, text), size;
    FILE *file = open_memstream(&printed, &size);
    text_print(file, text);
    fclose(file);
    bool same = length == strlen(out) && !strcmp(out, wanted) && !strcmp(printed, wanted);
    free(printed);
    return same;
}

static void plain_text_stays(void)
{
    CHECK(shows("", ""));
    CHECK(shows("main (größe.c:12) = -3 \\ \"x\"", "main (größe.c:12) = -3 \\ \"x\""));
    CHECK(shows("日本 \xf0\x9f\x8c\x8d", "日本 \xf0\x9f\x8c\x8d"));
}

static void control_characters_become_visible(void)
{
    CHECK(shows("\x1b[2J", "\\x1b[2J"));
    CHECK(shows("a\tb\nc\rd\x7f", "a\\x09b\\x0ac\\x0dd\\x7f"));
    CHECK(shows("\xc2\x9b", "\\xc2\\x9b"));          /* CSI of 8 bits */
    CHECK(shows("\xe2\x80\xae", "\\xe2\\x80\\xae")); /* right to left */
}

static void what_is_not_utf8_becomes_visible(void)
{
    CHECK(shows("\x9b", "\\x9b"));
    CHECK(shows("\xc3", "\\xc3"));
    CHECK(shows("\xe2\x80", "\\xe2\\x80"));
    CHECK(shows("\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80"));
}

static void no_character_is_cut(void)
{
    char out[8];
    for (size_t room = 1; room < sizeof out; room++) {
        CHECK_EQ(text_safe(out, room,
                           "\x1b"
                           "ö"),
                 room > 6   ? 6
                 : room > 4 ? 4
                            : 0);
        CHECK(strlen(out) < room);
    }
}

static bool is_cell(const char *text, unsigned width, const char *wanted)
{
    char *printed = NULL;
    size_t size;
    FILE *file = open_memstream(&printed, &size);
    text_cell(file, width, text);
    fclose(file);
    bool same = !strcmp(printed, wanted);
    free(printed);
    return same;
}

static void a_cell_has_its_width_in_characters(void)
{
    CHECK(is_cell("", 4, "    "));
    CHECK(is_cell("main", 6, "main  "));
    CHECK(is_cell("main", 4, "main"));
    CHECK(is_cell("mains", 4, "ma.."));
    CHECK(is_cell("größe", 6, "größe "));
    CHECK(is_cell("größen", 5, "grö.."));
    CHECK(is_cell("a\x1b", 5, "a\\x1b"));
}

static bool folds(const char *lines, unsigned columns, unsigned indent, const char *wanted)
{
    char *printed = NULL;
    size_t size;
    FILE *file = open_memstream(&printed, &size);
    text_folded(file, columns, indent, lines);
    fclose(file);
    bool same = !strcmp(printed, wanted);
    free(printed);
    return same;
}

static void long_lines_are_folded_at_blanks(void)
{
    CHECK(folds("", 40, 4, ""));
    CHECK(folds("one\n\ntwo\n", 40, 4, "one\n\ntwo\n"));
    CHECK(folds("one", 40, 4, "one\n"));
    CHECK(folds("one two three four", 10, 2, "one two\n  three\n  four\n"));
    CHECK(folds("  one two three\nfour", 10, 2, "  one two\n    three\nfour\n"));
    CHECK(folds("one,two,three", 10, 1, "one,two,\n three\n"));
    CHECK(folds("onetwothreefour", 10, 1, "onetwothre\n efour\n"));
    CHECK(folds("ööööö", 5, 0, "öö\nöö\nö\n"));
    CHECK(folds("                     deep", 10, 4, "     deep\n"));
    CHECK(folds("one two three", UINT_MAX, 4, "one two three\n"));
}

/* Every string of two bytes: what is shown is UTF-8 without control characters. */
static void all_pairs(void)
{
    for (unsigned a = 1; a < 256; a++)
        for (unsigned b = 1; b < 256; b++) {
            char text[3] = {(char)a, (char)b, 0}, out[20];
            text_safe(out, sizeof out, text);
            for (size_t i = 0, size; out[i]; i += size) {
                size = json_utf8(out + i);
                CHECK(size > 0 && (unsigned char)out[i] >= 0x20 && out[i] != 0x7f);
                CHECK(!(size == 2 && (unsigned char)out[i] == 0xc2 && (unsigned char)out[i + 1] < 0xa0));
            }
        }
}

int main(void)
{
    RUN(plain_text_stays);
    RUN(control_characters_become_visible);
    RUN(what_is_not_utf8_becomes_visible);
    RUN(no_character_is_cut);
    RUN(a_cell_has_its_width_in_characters);
    RUN(long_lines_are_folded_at_blanks);
    RUN(all_pairs);
    return check_failed();
}
