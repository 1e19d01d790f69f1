/* SPDX-License-Identifier: MIT */
/* Golden files: each container in tests/golden/vN must always decode to the events in the file beside it. They are
 * never edited. `golden make NAME SIZE REFUSE [CODER]` records NAME.events, to make a new golden file.
 *
 * Their program is made up: path p has p % 4 accesses, to sites 4 p, 4 p + 1, ...; those of odd sites have a value.
 * The sink refused the lines after "lost". The recordings in tests/golden/packs are of a real program. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/recorder_bfcm.h"
#include "core/recorder_grammar.h"
#include "core/recorder_loops.h"
#include "core/recorder_tre.h"
#include "tests/lib/check.h"
#include "tests/lib/faulty_sink.h"
#include "tests/lib/file_sink.h"
#include "tests/lib/replay_source.h"
#include "tools/lib/image/descriptor.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/given_names.h"
#include "tools/lib/recording/replay.h"

enum { PATHS = 4096 };
static replay_script scripts[PATHS];
static replay_item items[PATHS][6];

static const replay_script *script_of(void *context, uint32_t path)
{
    (void)context;
    if (path >= PATHS)
        return NULL;
    replay_script *s = &scripts[path];
    if (s->items)
        return s;
    *s = (replay_script){.path = path, .span = true, .items = items[path]};
    for (uint32_t i = 0; i < path % 4; i++) {
        uint32_t site = 4 * path + i;
        s->items[s->count++] = (replay_item){.kind = REPLAY_ACCESS, .id = site, .size = 4};
        s->accesses++;
        if (site & 1) {
            s->items[s->count++] = (replay_item){.kind = REPLAY_VALUE, .id = site, .size = 4};
            s->values++;
        }
    }
    s->before_count = s->count;
    return s;
}

static bool is_event(const replay_event *e, source_event *event)
{
    if (e->kind == REPLAY_MARK) {
        const trace_mark *mark = e->mark;
        bool one = mark->kind == WEFT_MARK_EVENT && mark->count == 1;
        *event = mark->kind == WEFT_MARK_STAMP   ? (source_event){SOURCE_STAMP, e->context, 0, e->time}
                 : mark->kind == WEFT_MARK_PLACE ? (source_event){SOURCE_PLACE, e->context, 0, 2 * mark->argument}
                 : mark->kind == WEFT_MARK_FRAME
                     ? (source_event){SOURCE_FRAME, e->context, mark->value[0], mark->argument}
                 : mark->kind == WEFT_MARK_STACKED
                     ? (source_event){SOURCE_STACKED, e->context,
                                      mark->value[WEFT_STACKED_FRAME] + (uint32_t)(mark->argument & 3),
                                      (mark->argument >> 2) << 56 | (uint64_t)mark->value[WEFT_STACKED_HIGH] << 32 |
                                          mark->value[WEFT_STACKED_LOW]}
                     : (source_event){SOURCE_EVENT, e->context, (uint32_t)mark->argument, mark->value[0]};
        return one || event->kind != SOURCE_EVENT;
    }
    if (e->kind != REPLAY_PATH && e->kind != REPLAY_ACCESS && e->kind != REPLAY_VALUE)
        return false;
    *event = (source_event){e->kind == REPLAY_PATH     ? SOURCE_PATH
                            : e->kind == REPLAY_ACCESS ? SOURCE_ACCESS
                                                       : SOURCE_VALUE,
                            e->context, e->id, e->kind == REPLAY_ACCESS ? e->address : e->value};
    return true;
}

/* The decoded events are those of the file, without the ones that a gap swallowed. */
static bool same_events(replay *events, FILE *text, const char *name)
{
    replay_source source = {text, 0};
    source_event want, have;
    replay_event e;
    while (replay_next(events, &e)) {
        uint64_t skip = e.kind == REPLAY_GAP          ? e.paths + e.accesses + e.values + e.marks
                        : e.kind == REPLAY_UNRESOLVED ? e.accesses + e.values
                                                      : 0;
        while (skip--)
            EXPECT(replay_source_next(&source, &want) == WEFT_OK);
        if (!is_event(&e, &have))
            continue;
        EXPECT(replay_source_next(&source, &want) == WEFT_OK);
        if (want.kind != have.kind || want.context != have.context || want.id != have.id || want.data != have.data) {
            printf("# %s: line %llu differs\n", name, (unsigned long long)source.line);
            EXPECT(false);
        }
    }
    EXPECT(replay_error(events) == NULL);
    EXPECT(replay_source_next(&source, &want) == WEFT_FULL);
    return true;
}

static bool golden_holds(const char *directory, const char *file_name)
{
    char path[512], message[200];
    snprintf(path, sizeof path, "%s/%s", directory, file_name);
    container *file = container_open(path, message, sizeof message);
    memcpy(path + strlen(path) - 5, ".events", 8);
    FILE *text = fopen(path, "r");
    EXPECT(file != NULL && text != NULL);
    replay *events = replay_open(file, (replay_model){NULL, script_of});
    bool good = same_events(events, text, path);
    replay_close(events);
    container_close(file);
    fclose(text);
    return good;
}

static unsigned containers_of(const char *directory)
{
    unsigned count = 0;
    DIR *all = opendir(directory);
    if (!all)
        return 0;
    for (struct dirent *one; (one = readdir(all));) {
        size_t size = strlen(one->d_name);
        if (size < 6 || strcmp(one->d_name + size - 5, ".weft") != 0)
            continue;
        count++;
        if (!golden_holds(directory, one->d_name))
            printf("# %s\n", one->d_name);
    }
    closedir(all);
    return count;
}

static void every_container_of_version_1_decodes_to_its_events(void)
{
    CHECK(containers_of("tests/golden/v1") >= 12);
}

static void every_container_of_version_2_decodes_to_its_events(void)
{
    CHECK(containers_of("tests/golden/v2") >= 5);
}

static void every_container_of_version_3_decodes_to_its_events(void)
{
    CHECK(containers_of("tests/golden/v3") >= 4);
}

/* Each path: its context and its number. */
static bool packs_hold(const descriptors *known, const char *name, const char *events_name, uint64_t packs)
{
    char message[200];
    unsigned context, path;
    container *file = container_open(name, message, sizeof message);
    FILE *text = fopen(events_name, "r");
    EXPECT(file && text && container_packs(file) == packs);
    container_know(file, known);
    control *events = control_open(file);
    for (control_event e; control_next(events, &e);)
        if (e.kind == CONTROL_PATH) {
            EXPECT(fscanf(text, "%u %u", &context, &path) == 2);
            EXPECT(e.context == context && e.path == path);
        }
    EXPECT(fscanf(text, "%u", &context) == EOF);
    EXPECT(control_unread(events) == 0);
    control_close(events);
    container_close(file);
    fclose(text);
    return true;
}

static descriptors *descriptors_of(const char *name)
{
    uint8_t bytes[4096];
    char message[200];
    FILE *section = fopen(name, "rb");
    size_t size = section ? fread(bytes, 1, sizeof bytes, section) : 0;
    if (section)
        fclose(section);
    return descriptors_parse(bytes, size, message, sizeof message);
}

/* The thermostat's paths in records of several paths; its descriptors are the section .weft.desc of its image. Those of
 * the first two recordings are as the emulator saw them. */
static void records_of_several_paths_decode_to_these(void)
{
    const char *events = "tests/golden/packs/thermostat.events";
    descriptors *known = descriptors_of("tests/golden/packs/thermostat.desc");
    CHECK(known && known->packed);
    CHECK(packs_hold(known, "tests/golden/packs/words.weft", events, 134));
    CHECK(packs_hold(known, "tests/golden/packs/marks.weft", events, 134));
    descriptors_free(known);
    known = descriptors_of("tests/golden/packs/models.desc");
    CHECK(known && known->packed);
    CHECK(packs_hold(known, "tests/golden/packs/models.weft", "tests/golden/packs/models.events", 67));
    descriptors_free(known);
}

static void names_of_version_2_are_read(void)
{
    char message[200];
    container *file = container_open("tests/golden/v2/marks.weft", message, sizeof message);
    given_names names = {0};
    CHECK(file != NULL);
    given_names_read(&names, file);
    CHECK_EQ(names.count, 2);
    CHECK(names.count == 2 && !strcmp(given_names_text(&names, 0, NAMES_CONTEXT(16)), "timer"));
    CHECK(names.count == 2 && !strcmp(given_names_text(&names, 0, NAMES_EVENT(5)), "fünf"));
    CHECK(given_names_text(&names, 0, NAMES_EVENT(6)) == NULL);
    given_names_free(&names);
    container_close(file);
}

static uint64_t ticks(void *context)
{
    return *(uint64_t *)context += 1000;
}

WEFT_LOOPNEST_DEF(nest, 32, 6);
WEFT_SEQ_DEF(grammar, 128, 128, 40, 64, false);
WEFT_TRE_POOL_DEF(engines, 4, 3);
WEFT_BFCM_CODER_DEF(addresses, 16);
WEFT_BFCM_CODER_DEF(values, 16);

static void set_coder(weft_recorder_config *config, const char *coder)
{
    if (!strcmp(coder, "loops") && weft_loopnest_init(&nest, &nest_config) == WEFT_OK) {
        config->control_coder = &weft_control_coder_loops;
        config->control_coder_state = &nest;
    } else if (!strcmp(coder, "grammar") && weft_seq_init(&grammar, &grammar_config) == WEFT_OK) {
        config->control_coder = &weft_control_coder_grammar;
        config->control_coder_state = &grammar;
    }
    if (strstr(coder, "tre") && weft_tre_pool_init(&engines, &engines_config) == WEFT_OK) {
        config->model_coder = &weft_model_coder_tre;
        config->model_coder_state = &engines;
    }
    if (strstr(coder, "bfcm") && weft_bfcm_coder_init(&addresses, &addresses_config) == WEFT_OK &&
        weft_bfcm_coder_init(&values, &values_config) == WEFT_OK) {
        config->bus_coder = &weft_bus_coder_bfcm;
        config->bus_coder_state = &addresses;
        config->value_coder = &weft_value_coder_bfcm;
        config->value_coder_state = &values;
    }
}

static void record_all(weft_recorder *recorder, replay_source *source)
{
    source_event event;
    uint32_t pc = 0;
    while (replay_source_next(source, &event) == WEFT_OK) {
        uint32_t value = (uint32_t)event.data;
        if (event.kind == SOURCE_PATH)
            weft_recorder_path(recorder, event.context, event.id);
        else if (event.kind == SOURCE_ACCESS)
            weft_recorder_access(recorder, event.context, event.id, value);
        else if (event.kind == SOURCE_EVENT)
            weft_recorder_event(recorder, event.context, event.id, &value, 1);
        else if (event.kind == SOURCE_STAMP)
            weft_recorder_stamp(recorder, event.data);
        else if (event.kind == SOURCE_PLACE)
            pc = value;
        else if (event.kind == SOURCE_STACKED)
            weft_recorder_place(recorder, event.context,
                                &(weft_place){.pc = pc,
                                              .frame = event.id & ~3u,
                                              .exception = (uint32_t)(event.data >> 56),
                                              .floats = event.id >> 1 & 1,
                                              .under_way = event.id & 1,
                                              .hashes = {value, (uint32_t)(event.data >> 32) & 0xffffff}});
        else
            weft_recorder_value(recorder, event.context, event.id, event.data);
    }
}

/* Records NAME.events into NAME.weft. */
static int make(const char *name, size_t size, uint64_t refuse, const char *coder)
{
    static uint8_t bytes[1 << 16];
    static weft_slot slots[16];
    static weft_value_slot value_slots[8];
    static uint32_t history[WEFT_HISTORY_WORDS(16)];
    static weft_recorder_name_entry names[2];
    static const uint8_t build_id[] = {0xde, 0xad, 0xbe, 0xef};
    uint64_t time = 0;
    char path[512];
    snprintf(path, sizeof path, "%s.events", name);
    FILE *in = fopen(path, "r");
    snprintf(path, sizeof path, "%s.weft", name);
    FILE *out = fopen(path, "wbx"); /* x: never overwrites a golden file */
    if (!in || !out || size > sizeof bytes)
        return 1;
    weft_sink to = file_sink(out);
    faulty_sink faulty = {.to = &to, .refuse_from = refuse, .refuse_count = refuse ? 12 : 0};
    weft_sink sink = {&faulty, faulty_sink_write};
    weft_clock clock = {&time, ticks, 1000000};
    weft_recorder_config config = {.sink = &sink,
                                   .clock = &clock,
                                   .bytes = bytes,
                                   .bytes_size = size,
                                   .slots = slots,
                                   .slots_max = 16,
                                   .value_slots = value_slots,
                                   .value_slots_max = 8,
                                   .history = history,
                                   .history_max = 16,
                                   .probes = 7,
                                   .build_id = build_id,
                                   .build_id_size = sizeof build_id,
                                   .identity = 0x600df00d,
                                   .run = 3,
                                   .note = "golden",
                                   .names = names,
                                   .names_max = 2};
    weft_recorder recorder;
    replay_source source = {in, 0};
    set_coder(&config, coder);
    if (weft_recorder_init(&recorder, &config) != WEFT_OK)
        return 1;
    weft_recorder_name(&recorder, 2 * 16, "timer");
    weft_recorder_name(&recorder, 2 * 5 + 1, "fünf");
    record_all(&recorder, &source);
    while (weft_recorder_finish(&recorder) != WEFT_OK)
        ;
    fclose(in);
    return fclose(out);
}

int main(int argc, char **argv)
{
    if (argc >= 5 && !strcmp(argv[1], "make"))
        return make(argv[2], strtoul(argv[3], NULL, 0), strtoul(argv[4], NULL, 0), argc > 5 ? argv[5] : "raw");
    RUN(every_container_of_version_1_decodes_to_its_events);
    RUN(every_container_of_version_2_decodes_to_its_events);
    RUN(every_container_of_version_3_decodes_to_its_events);
    RUN(names_of_version_2_are_read);
    RUN(records_of_several_paths_decode_to_these);
    return check_failed();
}
