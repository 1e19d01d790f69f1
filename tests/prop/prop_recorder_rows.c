/* SPDX-License-Identifier: MIT */
/* A site whose addresses are affine keeps its engine, in frames of any size, and its addresses come back. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/any_coder.h"
#include "tests/lib/model.h"
#include "tools/lib/recording/control.h"

/* Each path is one access, at site 5. */
static const replay_script *one_access(void *context, uint32_t path)
{
    static replay_item item = {.kind = REPLAY_ACCESS, .id = 5, .size = 4, .group = REPLAY_NO_GROUP};
    static replay_script script = {.before_count = 1, .count = 1, .accesses = 1, .items = &item};
    (void)context;
    script.path = path;
    return &script;
}

/* Rows of `length` words, 64 of them 400 bytes apart, and again. */
static uint32_t in_rows(uint32_t length, uint32_t i)
{
    return 0x20000000 + i / length % 64 * 400 + i % length * 4;
}

static bool rows_come_back(const model_sink *kept, uint32_t length, uint32_t accesses)
{
    char message[200];
    container *file = container_open_bytes(kept->bytes, kept->size, "rows", message, sizeof message);
    EXPECT(file != NULL);
    replay *events = replay_open(file, (replay_model){NULL, one_access});
    uint32_t count = 0;
    for (replay_event e; replay_next(events, &e);)
        if (e.kind == REPLAY_ACCESS) {
            EXPECT(e.address == in_rows(length, count));
            count++;
        }
    EXPECT(count == accesses && !replay_error(events));
    replay_close(events);
    container_close(file);
    return true;
}

/* From some 800 bytes on, a site keeps its engine wherever in its loops a frame begins. In smaller frames the records
 * of loops that are cut may take more bytes than their accesses are worth. */
static bool short_rows_keep_their_engine(uint32_t length, size_t bytes)
{
    model_sink kept = {0};
    weft_sink sink = {&kept, model_write};
    weft_recorder_config config = config_of(bytes, 16);
    weft_recorder recorder;
    config.sink = &sink;
    config.spare = bytes % 2 ? spare_frame : NULL;
    EXPECT(weft_recorder_init(&recorder, &config) == WEFT_OK);
    uint32_t accesses = 40 * 64 * length;
    for (uint32_t i = 0; i < accesses; i++) {
        weft_recorder_access(&recorder, 0, 5, in_rows(length, i));
        weft_recorder_path(&recorder, 0, i * 2654435761u >> 24); /* fills frames */
    }
    EXPECT(weft_recorder_finish(&recorder) == WEFT_OK);
    EXPECT(engines.frames > 4);
    EXPECT(config.bytes_size < 830 || engines.taken > accesses - 16);
    bool good = rows_come_back(&kept, length, accesses);
    free(kept.bytes);
    return good;
}

static void a_site_of_short_rows_keeps_its_engine(void)
{
    const unsigned lengths = check_amount(10, 10, 1); /* one in this many */
    for (size_t bytes = WEFT_RECORDER_BYTES_MIN; bytes < 1200; bytes += check_amount(3, 1, 1))
        for (uint32_t length = 2 + bytes % lengths; length < 12; length += lengths)
            if (!short_rows_keep_their_engine(length, bytes)) {
                printf("# bytes %zu length %u\n", bytes, length);
                return;
            }
}

int main(void)
{
    bus_coder = WEFT_BUS_PLAIN | WEFT_BUS_TRE;
    RUN(a_site_of_short_rows_keeps_its_engine);
    return check_failed();
}
