/* SPDX-License-Identifier: MIT */
/* Losses are counted in 64 bits, and who lost the events is named rightly: the sink, the event ring of the port, or one
 * of both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tests/lib/model.h"
#include "tools/lib/recording/container.h"

WEFT_RECORDER_DEF(trace, 400, 4, 0);
static model_sink kept;
static bool broken;

static weft_status keep(void *context, const uint8_t *frame, size_t size)
{
    return broken ? WEFT_AGAIN : model_write(context, frame, size);
}

static const weft_sink sink = {&kept, keep};

/* Records a few paths; then the sink refuses `refused` paths, and the port counts `early` ones; then comes the end. */
static bool record(uint32_t refused, uint64_t early)
{
    const weft_counts lost = {.paths = early};
    free(kept.bytes);
    kept = (model_sink){0};
    trace_config.sink = &sink;
    if (weft_recorder_init(&trace, &trace_config) != WEFT_OK)
        return false;
    for (uint32_t i = 0; i < 5; i++)
        weft_recorder_path(&trace, 0, i);
    broken = refused > 0;
    if (refused && weft_recorder_flush(&trace) != WEFT_AGAIN)
        return false;
    for (uint32_t i = 0; i < refused; i++)
        weft_recorder_path(&trace, 0, i);
    broken = false;
    weft_recorder_path(&trace, 0, 7);
    if (early)
        weft_recorder_lost(&trace, &lost);
    weft_recorder_path(&trace, 0, 8);
    return weft_recorder_finish(&trace) == WEFT_OK;
}

/* Whether a gap says so, and the sum of all is right. */
static bool says(const char *text, uint64_t lost)
{
    char line[256], message[200];
    container *file = container_open_bytes(kept.bytes, kept.size, "test", message, sizeof message);
    bool found = false;
    if (!file)
        return false;
    for (size_t i = 0; i < container_gap_count(file); i++) {
        container_gap_text(container_gap_at(file, i), line, sizeof line);
        found |= strstr(line, text) != NULL;
    }
    bool right = container_lost(file).paths == lost;
    container_close(file);
    return found && right;
}

static void who_lost_the_events_is_named(void)
{
    CHECK(record(3, 0));
    CHECK(says("the sink refused; 3 paths", 3));
    CHECK(record(0, 4));
    CHECK(says("the event ring was full; 4 paths", 4));
    CHECK(record(3, 4));
    CHECK(says("the sink refused or the event ring was full; ", 7));
}

static void losses_beyond_32_bits_are_counted(void)
{
    char text[60];
    for (unsigned bits = 31; bits < 63; bits += 3) {
        uint64_t lost = ((uint64_t)1 << bits) + 5;
        CHECK(record(0, lost));
        CHECK_EQ(trace.lost.paths, lost);
        snprintf(text, sizeof text, "the event ring was full; %llu paths", (unsigned long long)lost);
        CHECK(says(text, lost));
    }
}

int main(void)
{
    RUN(who_lost_the_events_is_named);
    RUN(losses_beyond_32_bits_are_counted);
    free(kept.bytes);
    return check_failed();
}
