/* SPDX-License-Identifier: MIT */
/* A number's names, given in any order: those of threads whose memory is used again are all kept. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "core/frame.h"
#include "tests/lib/check.h"
#include "tools/lib/recording/given_names.h"

enum { BODY = 4000, NUMBER = NAMES_CONTEXT(600) };
static uint8_t bytes[2 * BODY];

/* A recording with one frame of names, which are divided by '|' and all of one number. Its size. */
static size_t record(const char *given)
{
    static const weft_frame head = {.version = WEFT_FORMAT_VERSION, .kind = WEFT_FRAME_NAMES};
    uint8_t *frame = bytes + WEFT_CONTAINER_HEAD_SIZE;
    size_t shift = WEFT_FRAME_SHIFT(BODY);
    weft_writer out;
    memcpy(bytes, WEFT_CONTAINER_HEAD, WEFT_CONTAINER_HEAD_SIZE);
    weft_writer_init(&out, frame + shift, BODY);
    weft_frame_head(&out, &head);
    for (const char *at = given, *end; at; at = *end ? end + 1 : NULL) {
        end = strchrnul(at, '|');
        weft_write_varint(&out, NUMBER);
        weft_write_varint(&out, (uint32_t)(end - at));
        weft_write_bytes(&out, (const uint8_t *)at, (size_t)(end - at));
    }
    return WEFT_CONTAINER_HEAD_SIZE + weft_frame_seal(frame, shift, out.size);
}

/* What the names come to. */
static bool becomes(const char *given, const char *wanted)
{
    char message[200] = "";
    given_names names = {0};
    container *file = container_open_bytes(bytes, record(given), "test", message, sizeof message);
    EXPECT(file != NULL);
    given_names_read(&names, file);
    const char *text = given_names_text(&names, 0, NUMBER);
    bool right = names.count == 1 && text && !strcmp(text, wanted);
    if (!right)
        printf("# %s: %s\n", given, text);
    given_names_free(&names);
    container_close(file);
    return right;
}

static void a_name_may_be_given_again(void)
{
    CHECK(becomes("Rx", "Rx"));
    CHECK(becomes("Rx|Rx|Rx", "Rx"));
    CHECK(becomes("thread|Rx|Rx", "thread, then Rx"));
}

static void what_has_ended_keeps_its_name(void)
{
    CHECK(becomes("Rx|", "Rx"));
    CHECK(becomes("Rx|||", "Rx"));
    CHECK(becomes("", "ended thread"));
}

static void a_number_that_is_used_again_has_both_names(void)
{
    CHECK(becomes("Rx||Tx", "Rx, then Tx"));
    CHECK(becomes("Rx||Rx", "Rx"));
    CHECK(becomes("Rx||Tx|Tx||", "Rx, then Tx"));
    CHECK(becomes("Rx|Tx|", "Rx, then Tx"));
    CHECK(becomes("|Tx", "ended thread, then Tx"));
    CHECK(becomes("a||b||a", "a, then b, then a"));
}

static void many_names_are_cut(void)
{
    char given[1000] = "first";
    for (int i = 0; i < 100; i++)
        snprintf(given + strlen(given), sizeof given - strlen(given), "||n%d", i);
    char message[200] = "";
    given_names names = {0};
    container *file = container_open_bytes(bytes, record(given), "test", message, sizeof message);
    given_names_read(&names, file);
    const char *text = given_names_text(&names, 0, NUMBER);
    CHECK(text && !strncmp(text, "first, then n0, then n1, ", 25) && strstr(text, ", then others") &&
          strlen(text) < 150);
    given_names_free(&names);
    container_close(file);
}

int main(void)
{
    RUN(a_name_may_be_given_again);
    RUN(what_has_ended_keeps_its_name);
    RUN(a_number_that_is_used_again_has_both_names);
    RUN(many_names_are_cut);
    return check_failed();
}
