/* SPDX-License-Identifier: MIT */
/* Black boxes begin again where anything of what lies in RAM does not fit. */
#include <string.h>

#include "core/blackbox.h"
#include "core/blackbox_packed.h"
#include "tests/lib/check.h"

static uint32_t box_ram[(sizeof(weft_blackbox_packed) + 300) / 4];

static int plain_begin(size_t bytes, weft_blackbox_form form)
{
    weft_blackbox *box = (weft_blackbox *)(void *)box_ram;
    weft_blackbox_found found;
    if (weft_blackbox_begin(box, bytes, form, 7, &found) != WEFT_OK)
        return -1;
    weft_blackbox_open(box, found);
    return (int)found;
}

static void plain_boxes_go_on_only_where_all_fits(void)
{
    weft_blackbox *box = (weft_blackbox *)(void *)box_ram;
    size_t size = sizeof *box + 64;
    for (unsigned form = WEFT_BLACKBOX_PLAIN16; form <= WEFT_BLACKBOX_PLAIN32; form++) {
        memset(box_ram, 0x5a, sizeof box_ram);
#define BEGIN(bytes) plain_begin(bytes, (weft_blackbox_form)form)
        CHECK_EQ(BEGIN(sizeof *box + 15), -1);
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_NOTHING);
        CHECK(box->size == 64 && box->mask == (form == WEFT_BLACKBOX_PLAIN16 ? 31u : 15u) && box->run == 1);
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_WENT_ON);
        CHECK(box->count == 1 && box->run == 2); /* the mark of a reset */
        uint32_t mark = form == WEFT_BLACKBOX_PLAIN16 ? WEFT_BLACKBOX_RESET & 0xffff : WEFT_BLACKBOX_RESET;
        uint32_t first =
            form == WEFT_BLACKBOX_PLAIN16 ? *(uint16_t *)(void *)(box + 1) : *(uint32_t *)(void *)(box + 1);
        CHECK_EQ(first, mark);
        weft_blackbox_resume(box); /* it is not held */
        CHECK_EQ(box->count, 1);
        weft_blackbox_hold(box);
        box->count = 99; /* a probe may still count */
        weft_blackbox_hold(box);
        CHECK_EQ(box->held_count, 1);
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_HELD);
        weft_blackbox_resume(box);
        CHECK_EQ(box->count, 2); /* and the mark of a pause */
        memset(box_ram, 0x5a, 8);
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_NOTHING);
        CHECK_WITH(box->version, 9, BEGIN(size) == WEFT_BLACKBOX_NOTHING);
        CHECK_WITH(box->form, 3, BEGIN(size) == WEFT_BLACKBOX_NOTHING);
        CHECK_EQ(BEGIN(size + 64), WEFT_BLACKBOX_NOTHING); /* another size */
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_NOTHING);
        box->identity = 8;
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_NOTHING);
        box->run++; /* the check sum */
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_NOTHING);
        box->mask = 3;
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_NOTHING);
        CHECK_EQ(BEGIN(size), WEFT_BLACKBOX_WENT_ON);
#undef BEGIN
    }
}

static int packed_begin(size_t bytes)
{
    weft_blackbox_packed *box = (weft_blackbox_packed *)(void *)box_ram;
    weft_blackbox_found found;
    if (weft_blackbox_packed_begin(box, bytes, 7, &found) != WEFT_OK)
        return -1;
    weft_blackbox_packed_open(box, found);
    return (int)found;
}

static void packed_boxes_go_on_only_where_all_fits(void)
{
    weft_blackbox_packed *box = (weft_blackbox_packed *)(void *)box_ram;
    size_t size = sizeof *box + 256;
    memset(box_ram, 0x5a, sizeof box_ram);
    CHECK_EQ(packed_begin(sizeof *box + 63), -1);
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_WENT_ON);
    weft_blackbox_packed_resume(box); /* it is not held */
    uint32_t count = weft_blackbox_packed_count(box);
    box->busy = 1; /* torn during a push, with a place that is damaged */
    box->undo_at = UINT32_MAX;
    box->undo_count = 0;
    box->undo_state = 3;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_WENT_ON);
    CHECK(box->busy == 0 && weft_blackbox_packed_count(box) >= 1 && count >= 1);
    weft_blackbox_packed cut = *box; /* while a push is at work, the symbols are those before it */
    cut.busy = 1;
    cut.undo_count = 5;
    cut.undo_state = 3u << 16;
    CHECK_EQ(weft_blackbox_packed_count(&cut), 8);
    box->busy = 1;
    box->undo_at = 5;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_WENT_ON);
    CHECK(box->busy == 0 && box->at >= 5);
    box->version++;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    box->form++;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    box->sets_log2++;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    box->identity++;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    box->run++;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    box->at = 2 * 256;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    box->size -= 4;
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_WENT_ON);
}

/* What `open` writes follows what was undone: so the box is only begun. */
static bool torn_at(size_t size, uint32_t set, uint32_t pair)
{
    weft_blackbox_packed *box = (weft_blackbox_packed *)(void *)box_ram;
    weft_blackbox_found found;
    box->busy = 1;
    box->undo_set = set;
    box->undo_pair = pair;
    box->undo_at = box->undo_count = 0;
    box->undo_state = 3;
    return weft_blackbox_packed_begin(box, size, 7, &found) == WEFT_OK && found == WEFT_BLACKBOX_WENT_ON;
}

static void a_torn_push_is_undone_in_its_own_set(void)
{
    weft_blackbox_packed *box = (weft_blackbox_packed *)(void *)box_ram;
    size_t size = sizeof *box + 256;
    memset(box_ram, 0x5a, sizeof box_ram);
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    uint32_t sets = (uint32_t)1 << box->sets_log2;
    CHECK(sets >= 4);
    for (uint32_t set = 0; set < 2 * sets; set++) {
        uint32_t run = box->run;
        memset(weft_blackbox_table(box), 0, sets * sizeof(uint32_t));
        CHECK(torn_at(size, set, 0x10002)); /* a number that is too large is damaged: it stays within the table */
        CHECK_EQ(box->run, run + 1);
        for (uint32_t i = 0; i < sets; i++)
            CHECK_EQ(weft_blackbox_table(box)[i], i == set % sets ? 0x10002 : 0);
    }
}

static void a_packed_ring_counts_its_laps(void)
{
    weft_blackbox_packed *box = (weft_blackbox_packed *)(void *)box_ram;
    memset(box_ram, 0x5a, sizeof box_ram);
    CHECK_EQ(packed_begin(sizeof *box + 256), WEFT_BLACKBOX_NOTHING);
    uint32_t laps = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        uint32_t at = box->at;
        weft_blackbox_packed_path(box, 0, i * i % 5000);
        laps += box->at < at;
        CHECK_EQ(box->laps, laps);
    }
    CHECK(laps > 3);
}

/* A sum stays with what it is of: not where the box went on since, or is held again. */
static void a_sum_is_kept_with_what_is_held(void)
{
    weft_blackbox *box = (weft_blackbox *)(void *)box_ram;
    size_t size = sizeof *box + 64;
    memset(box_ram, 0x5a, sizeof box_ram);
    CHECK_EQ(plain_begin(size, WEFT_BLACKBOX_PLAIN16), WEFT_BLACKBOX_NOTHING);
    weft_blackbox_keep_sum(box, 0, 5); /* it is not held */
    CHECK_EQ(box->held_sum, 0);
    weft_blackbox_hold(box);
    uint32_t sum = weft_blackbox_sum(box);
    CHECK(sum != 0);
    weft_blackbox_keep_sum(box, 1, sum); /* of something else */
    CHECK_EQ(box->held_sum, 0);
    weft_blackbox_keep_sum(box, box->held_count, sum);
    CHECK_EQ(box->held_sum, sum);
    weft_blackbox_keep_sum(box, box->held_count, 5); /* the first one stays */
    box->count = 99;                                 /* a probe may still count, and write its path */
    *(uint16_t *)(void *)(box + 1) = 3;
    CHECK_EQ(weft_blackbox_sum(box), sum);
    CHECK_EQ(plain_begin(size, WEFT_BLACKBOX_PLAIN16), WEFT_BLACKBOX_HELD);
    CHECK_EQ(box->held_sum, sum);
    weft_blackbox_resume(box);
    weft_blackbox_hold(box);
    CHECK(box->held_sum == 0 && weft_blackbox_sum(box) != sum);
    for (size_t i = 2; i < 64; i++) { /* each entry, but the one where paths go meanwhile */
        uint8_t *byte = (uint8_t *)(box + 1) + i;
        sum = weft_blackbox_sum(box);
        *byte ^= 4;
        CHECK(weft_blackbox_sum(box) != sum);
    }
    weft_blackbox_hold(box);
    sum = weft_blackbox_sum(box);
    ((uint8_t *)(box + 1))[64] ^= 1; /* after the box */
    CHECK_EQ(weft_blackbox_sum(box), sum);
    weft_blackbox_empty(box);
    CHECK_EQ(plain_begin(size, WEFT_BLACKBOX_PLAIN16), WEFT_BLACKBOX_HELD); /* the power goes here: an empty box */
    CHECK(box->held_count == 0 && box->held_first == WEFT_BLACKBOX_EMPTY);
    *(uint16_t *)(void *)(box + 1) = 3; /* a path that was pushed meanwhile */
    box->count = 1;
    weft_blackbox_open(box, WEFT_BLACKBOX_NOTHING);
    CHECK_EQ(*(uint16_t *)(void *)(box + 1), 0xffff);
    CHECK(box->held_sum == 0 && box->count == 0 && box->mask == 31);
    CHECK_EQ(plain_begin(size, WEFT_BLACKBOX_PLAIN32), WEFT_BLACKBOX_NOTHING); /* with entries of four bytes */
    weft_blackbox_hold(box);
    sum = weft_blackbox_sum(box);
    *(uint32_t *)(void *)(box + 1) = 3;
    CHECK_EQ(weft_blackbox_sum(box), sum);
    ((uint8_t *)(box + 1))[4] ^= 1;
    CHECK(weft_blackbox_sum(box) != sum);
}

static void a_packed_box_keeps_its_sum_likewise(void)
{
    weft_blackbox_packed *box = (weft_blackbox_packed *)(void *)box_ram;
    size_t size = sizeof *box + 256;
    memset(box_ram, 0x5a, sizeof box_ram);
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_NOTHING);
    for (uint32_t i = 0; i < 40; i++)
        weft_blackbox_packed_path(box, 0, i * i);
    weft_blackbox_packed_keep_sum(box, weft_blackbox_packed_count(box), 5);
    CHECK_EQ(box->held_sum, 0);
    weft_blackbox_packed_hold(box);
    uint32_t sum = weft_blackbox_packed_sum(box), count = weft_blackbox_packed_count(box);
    CHECK(sum != 0);
    weft_blackbox_packed_keep_sum(box, count + 1, sum);
    CHECK_EQ(box->held_sum, 0);
    weft_blackbox_packed_keep_sum(box, count, sum);
    weft_blackbox_packed_keep_sum(box, count, 5);
    weft_blackbox_packed_hold(box); /* it is */
    weft_blackbox_packed_path(box, 3, 7);
    CHECK(box->held_sum == sum && weft_blackbox_packed_sum(box) == sum);
    CHECK_EQ(packed_begin(size), WEFT_BLACKBOX_HELD);
    CHECK_EQ(box->held_sum, sum);
    weft_blackbox_packed_resume(box);
    weft_blackbox_packed_hold(box);
    CHECK(box->held_sum == 0 && weft_blackbox_packed_sum(box) != sum);
    for (size_t i = 0; i < 256; i++) {
        uint8_t *byte = (uint8_t *)(box + 1) + i;
        sum = weft_blackbox_packed_sum(box);
        *byte ^= 4;
        CHECK(weft_blackbox_packed_sum(box) != sum);
    }
    weft_blackbox_packed_empty(box);
    CHECK(box->held_sum == 0 && box->open == WEFT_BLACKBOX_CLOSED);
    weft_blackbox_packed_open(box, WEFT_BLACKBOX_NOTHING);
    CHECK_EQ(box->open, 0);
}

/* Marks go to one entry after the other. */
static void wide_entries_are_words(void)
{
    weft_blackbox *box = (weft_blackbox *)(void *)box_ram;
    const uint32_t *entries = (const uint32_t *)(box + 1);
    size_t size = sizeof *box + 64;
    memset(box_ram, 0x5a, sizeof box_ram);
    CHECK_EQ(plain_begin(size, WEFT_BLACKBOX_PLAIN32), WEFT_BLACKBOX_NOTHING);
    CHECK_EQ(plain_begin(size, WEFT_BLACKBOX_PLAIN32), WEFT_BLACKBOX_WENT_ON);
    CHECK_EQ(plain_begin(size, WEFT_BLACKBOX_PLAIN32), WEFT_BLACKBOX_WENT_ON);
    weft_blackbox_hold(box);
    weft_blackbox_resume(box);
    CHECK(entries[0] == WEFT_BLACKBOX_RESET && entries[1] == WEFT_BLACKBOX_RESET);
    CHECK(entries[2] == WEFT_BLACKBOX_PAUSE && entries[3] == WEFT_BLACKBOX_EMPTY);
}

int main(void)
{
    RUN(a_sum_is_kept_with_what_is_held);
    RUN(a_packed_box_keeps_its_sum_likewise);
    RUN(wide_entries_are_words);
    RUN(plain_boxes_go_on_only_where_all_fits);
    RUN(packed_boxes_go_on_only_where_all_fits);
    RUN(a_torn_push_is_undone_in_its_own_set);
    RUN(a_packed_ring_counts_its_laps);
    return check_failed();
}
