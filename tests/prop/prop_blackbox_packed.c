/* SPDX-License-Identifier: MIT */
/* The compressed black box. Random streams of several kinds, in boxes of many sizes, are read back and compared with
 * a plain list. Pushes are torn by a reset, after any part of their changes. */
#include <stdlib.h>
#include <string.h>

#include "core/blackbox_packed.h"
#include "tools/lib/recording/blackbox.h"

#include "tests/lib/check.h"

enum { STREAM_MAX = 6000, STREAMS = 10000, BYTES_MAX = 4096 };

static uint32_t ram[BYTES_MAX / 4], before[BYTES_MAX / 4], torn[BYTES_MAX / 4];
static weft_blackbox_packed *const box = (weft_blackbox_packed *)ram;
static size_t bytes;
static uint32_t path[STREAM_MAX], context[STREAM_MAX];
static size_t count; /* of what should be in the box */
static check_random numbers = {1};

static uint32_t below(uint32_t n)
{
    return check_random_below(&numbers, n);
}

/* Compares each path with the list. The context of the oldest stretch may be unknown. */
typedef struct comparison {
    size_t first, at; /* in the list: of the oldest path in the box, and of the next */
    bool known, good;
} comparison;

static void compare(void *own, uint32_t c, uint32_t p)
{
    comparison *now = own;
    size_t at = now->at++;
    now->known |= at > now->first && context[at] != context[at - 1];
    now->good &= at < count && p == path[at] && (!now->known || c == context[at]);
}

/* What is read is the newest end of the list. */
static bool reads_back(const uint32_t *memory, size_t expected, size_t *held)
{
    blackbox b;
    char message[200];
    if (blackbox_find(&b, (const uint8_t *)memory, bytes, 0) != 0 ||
        !blackbox_read(&b, (const uint8_t *)memory, bytes, message, sizeof message))
        return false;
    bool good = b.count <= expected && (b.overwritten || b.count == expected);
    comparison now = {expected - b.count, expected - b.count, !b.overwritten, good};
    if (good)
        blackbox_each(&b, compare, &now);
    *held = b.count;
    blackbox_free(&b);
    return now.good && now.at == expected;
}

/* It can be read, and no sum is wrong, or missing. */
static bool says_nothing(const uint32_t *memory)
{
    blackbox b;
    char message[200];
    if (blackbox_find(&b, (const uint8_t *)memory, bytes, 0) != 0 ||
        !blackbox_read(&b, (const uint8_t *)memory, bytes, message, sizeof message))
        return false;
    bool unchanged = b.sum == BLACKBOX_UNCHANGED;
    blackbox_free(&b);
    return unchanged;
}

static void add(uint32_t p, uint32_t c)
{
    path[count] = p;
    context[count++] = c;
}

/* Paths as programs have them: loops of a few with exceptions; always the same path; or each path different. */
static uint32_t next_path(uint32_t kind, size_t i)
{
    return kind == 0   ? below(WEFT_BLACKBOX_PATHS_PACKED)
           : kind == 1 ? 7
           : kind == 2 ? (uint32_t)(i % 5) * 3 + (below(20) == 0)
           : kind == 3 ? below(4)
                       : (uint32_t)(i % 3) + 40 * below(2) + (below(50) == 0 ? below(60000) : 0);
}

static void start_with(size_t size)
{
    weft_blackbox_found found;
    memset(ram, (int)below(256), sizeof ram);
    bytes = size;
    (void)weft_blackbox_packed_begin(box, bytes, 9, &found);
    weft_blackbox_packed_open(box, found);
    count = 0;
}

static void start(void)
{
    start_with(sizeof *box + 64 + 4 * below(below(4) ? 100 : 900));
}

/* A push that a reset tears. Each of its changes is there or is not, but its notes of what to undo are always there. */
static bool tear(uint32_t p, uint32_t c)
{
    weft_blackbox_packed *t = (weft_blackbox_packed *)torn;
    size_t held;
    memcpy(before, ram, bytes);
    weft_blackbox_packed_path(box, c, p);
    if (memcmp(&((weft_blackbox_packed *)before)->undo_set, &box->undo_set, 6 * 4) == 0)
        return true; /* a hit: one word changed */
    for (unsigned tries = 0; tries < 4; tries++) {
        memcpy(torn, before, bytes);
        for (size_t i = 0; i < bytes; i++)
            if (below(2))
                ((uint8_t *)torn)[i] = ((uint8_t *)ram)[i];
        memcpy(&t->undo_set, &box->undo_set, 6 * 4);
        t->busy = 1;
        if (!reads_back(torn, count, &held))
            return false;
    }
    return true;
}

static void reset(void)
{
    weft_blackbox_found found;
    (void)weft_blackbox_packed_begin(box, bytes, 9, &found);
    weft_blackbox_packed_open(box, found);
    add(WEFT_BLACKBOX_RESET, 0);
}

static void pause(void)
{
    weft_blackbox_packed_hold(box);
    weft_blackbox_packed_path(box, 0, 1);
    weft_blackbox_packed_resume(box);
    add(WEFT_BLACKBOX_PAUSE, 0);
}

static bool stream(void)
{
    size_t length = below(below(8) ? 300 : STREAM_MAX - 1), held;
    uint32_t kind = below(5), handler = 0, interrupts = below(3) ? 0 : 40;
    start();
    for (size_t i = 0; i < length; i++) {
        uint32_t p = next_path(kind, i), what = below(400);
        if (interrupts && below(interrupts) == 0)
            handler = handler ? 0 : 15 + below(3);
        if (what == 0) {
            reset();
        } else if (what == 1) {
            pause();
        } else {
            if (what == 2 && context[count ? count - 1 : 0] == handler && !tear(p, handler))
                return false;
            if (what != 2 || context[count ? count - 1 : 0] != handler)
                weft_blackbox_packed_path(box, handler, p);
            add(p, handler);
        }
    }
    return reads_back(ram, count, &held);
}

static void random_streams_read_back(void)
{
    for (size_t i = check_quick() ? STREAMS / 10 : STREAMS; i; i--)
        CHECK(stream());
}

/* The example at the head of core/blackbox_packed.h. Also, a box of 256 bytes holds many passes of a loop. */
static void small_boxes_hold_loops(void)
{
    size_t held = 0;
    weft_blackbox_found found;
    bytes = 256;
    memset(ram, 0xee, sizeof ram);
    CHECK(weft_blackbox_packed_begin(box, bytes, 1, &found) == WEFT_OK && found == WEFT_BLACKBOX_NOTHING);
    weft_blackbox_packed_open(box, found);
    count = 0;
    for (size_t i = 0; i < 5000; i++) {
        weft_blackbox_packed_path(box, 0, (uint32_t)(i % 3));
        add((uint32_t)(i % 3), 0);
    }
    CHECK(reads_back(ram, count, &held));
    CHECK(held == 5000);
    CHECK(weft_blackbox_packed_begin(box, sizeof *box + 63, 1, &found) == WEFT_CONFIG);
}

static void compare_thirds(void *own, uint32_t c, uint32_t p)
{
    comparison *now = own;
    now->good &= c == 0 && p == now->at++ % 3;
}

/* More than the 16 bits of a box's own count hold. */
static void a_long_loop_is_counted(void)
{
    enum { LONG = 100000 };
    blackbox b;
    char message[200];
    weft_blackbox_found found;
    bytes = 1024;
    memset(ram, 0xee, sizeof ram);
    CHECK(weft_blackbox_packed_begin(box, bytes, 1, &found) == WEFT_OK);
    weft_blackbox_packed_open(box, found);
    bool right = true;
    for (uint32_t i = 0; i < LONG; i++) {
        weft_blackbox_packed_path(box, 0, i % 3);
        right &= weft_blackbox_packed_count(box) == i + 1;
    }
    CHECK(right);
    CHECK(blackbox_find(&b, (const uint8_t *)ram, bytes, 0) == 0);
    CHECK(blackbox_read(&b, (const uint8_t *)ram, bytes, message, sizeof message));
    CHECK_EQ(b.count, LONG);
    comparison now = {.at = LONG - b.count, .good = true};
    blackbox_each(&b, compare_thirds, &now);
    CHECK(right && now.good && now.at == LONG);
    blackbox_free(&b);
}

static void a_held_box_stays_through_resets(void)
{
    size_t held;
    weft_blackbox_found found;
    start();
    for (uint32_t i = 0; i < 20; i++) {
        weft_blackbox_packed_path(box, 0, i * i);
        add(i * i, 0);
    }
    weft_blackbox_packed_hold(box);
    CHECK(weft_blackbox_packed_begin(box, bytes, 9, &found) == WEFT_OK && found == WEFT_BLACKBOX_HELD);
    weft_blackbox_packed_path(box, 0, 99);
    CHECK(reads_back(ram, count, &held));
}

/* Each bit of memory, and any two of them, after the box was held. */
static void what_changes_in_a_held_box_is_noticed(void)
{
    static uint32_t held_ram[BYTES_MAX / 4];
    bool missed = false;
    for (unsigned round = 0; round < 12; round++) {
        size_t held, now;
        start_with(sizeof *box + 64 + 4 * below(100));
        for (uint32_t i = 0; i < 400; i++) {
            add(next_path(round % 5, i), 0);
            weft_blackbox_packed_path(box, 0, path[count - 1]);
        }
        weft_blackbox_packed_hold(box);
        weft_blackbox_packed_keep_sum(box, weft_blackbox_packed_count(box), weft_blackbox_packed_sum(box));
        CHECK(reads_back(ram, count, &held));
        for (size_t bit = 0; bit < 8 * bytes; bit++) {
            memcpy(held_ram, ram, bytes);
            for (unsigned flips = 1 + (unsigned)(bit & 1); flips; flips--) {
                size_t at = flips == 1 ? bit : below((uint32_t)(8 * bytes));
                ((uint8_t *)held_ram)[at / 8] ^= (uint8_t)(1u << at % 8);
            }
            missed |= says_nothing(held_ram) && !(reads_back(held_ram, count, &now) && now == held);
        }
    }
    CHECK(!missed);
}

int main(void)
{
    RUN(what_changes_in_a_held_box_is_noticed);
    RUN(random_streams_read_back);
    RUN(small_boxes_hold_loops);
    RUN(a_long_loop_is_counted);
    RUN(a_held_box_stays_through_resets);
    return check_failed();
}
