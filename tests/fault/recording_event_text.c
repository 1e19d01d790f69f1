/* SPDX-License-Identifier: MIT */
/* Names of events that are formats, filled in as snprintf would; and the names of a hostile recording. */
#include <stdio.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/recording/event_text.h"

static char made[EVENT_TEXT_MAX];

static bool is(const char *text, const char *name, uint32_t first, uint32_t second, uint32_t count)
{
    return event_text(made, name, (uint32_t[]){first, second}, count, NULL) && strcmp(made, text) == 0;
}

static void numbers_become_text(void)
{
    CHECK(is("level 5 of 9", "level %u of %u", 5, 9, 2));
    CHECK(is("-1 is ffffffff", "%d is %x", UINT32_MAX, UINT32_MAX, 2));
    CHECK(is("at 0x2000BEEF", "at 0x%08lX", 0x2000beef, 0, 1));
    CHECK(is("50 % [A]", "%u %% [%c]", 50, 'A', 2));
    CHECK(is("[?]", "[%c]", 7, 0, 1));
    CHECK(is("7 of 9", "%zu of %lu", 7, 9, 2));
    CHECK(is("-1, 8", "%lld, %jd", UINT32_MAX, 8, 2)); /* a number has 32 bits */
    CHECK(is("queue 0x20000010", "queue %p", 0x20000010, 0, 1));
}

static void addresses_are_objects(void)
{
    image_symbol all[] = {{.address = 0x20000000, .size = 16, .loaded = true, .name = "pool"}};
    image_symbols symbols = {.all = all, .count = 1, .max = 1};
    const uint32_t values[] = {0x20000000, 0x2000000c};
    CHECK(event_text(made, "%p, %p", values, 2, &symbols) && strcmp(made, "pool, pool+12") == 0);
    CHECK(event_text(made, "%p", (uint32_t[]){0x20000010}, 1, &symbols) && strcmp(made, "0x20000010") == 0);
}

/* The library's own printf is the model. */
static void widths_are_those_of_printf(void)
{
    static const char *const formats[] = {"<%d>",     "<%5d>",  "<%-5d>", "<%05d>", "<%03d>",  "<%12d>", "<%012d>",
                                          "<%-012d>", "<%+d>",  "<% 6i>", "<%.3d>", "<%8.4d>", "<%hd>",  "<%hhd>",
                                          "<%#x>",    "<%#8o>", "<%.4X>", "<%hu>",  "<%hhx>"};
    static const int32_t numbers[] = {0, 7, -7, 12345, -12345, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            char wanted[64];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"
            snprintf(wanted, sizeof wanted, formats[i], numbers[k]);
#pragma GCC diagnostic pop
            CHECK(is(wanted, formats[i], (uint32_t)numbers[k], 0, 1));
        }
}

static void other_names_stay_names(void)
{
    static const char *const names[] = {"", "level", "100 %%", "%", "%s", "%n", "%99999d", "%-", "%u %u", "%*d", "a%"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK(!event_text(made, names[i], (uint32_t[]){1}, 1, NULL));
    CHECK(!event_text(made, "%u", (uint32_t[]){1, 2}, 2, NULL));
}

static void long_texts_are_cut(void)
{
    char name[2 * EVENT_TEXT_MAX];
    for (size_t start = EVENT_TEXT_MAX - 110; start < EVENT_TEXT_MAX + 3; start++) {
        memset(name, 'a', start);
        memcpy(name + start, "%99u", 5);
        if (event_text(made, name, (uint32_t[]){1}, 1, NULL))
            CHECK(strlen(made) < EVENT_TEXT_MAX);
    }
}

int main(void)
{
    RUN(numbers_become_text);
    RUN(addresses_are_objects);
    RUN(widths_are_those_of_printf);
    RUN(other_names_stay_names);
    RUN(long_texts_are_cut);
    return check_failed();
}
