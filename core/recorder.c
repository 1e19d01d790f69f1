/* SPDX-License-Identifier: MIT */
#include "core/recorder.h"

#include <string.h>

#include "core/recorder_fast.h"

/* The largest item of each region: with less room left the frame is cut. */
static const uint8_t item_max[WEFT_REGIONS] = {WEFT_RECORDER_ITEM_MAX, WEFT_RECORDER_ENTRY_MAX,
                                               WEFT_RECORDER_ADDRESS_MAX, WEFT_RECORDER_VALUE_MAX, 0};

static bool bad_count(size_t count)
{
    return (count & (count - 1)) != 0;
}

static size_t region_min(const weft_recorder *recorder, unsigned index)
{
    if (index == WEFT_REGION_CONTROL && recorder->config.control_coder) {
        size_t least = recorder->config.control_coder->size_min(recorder->config.control_coder_state);
        return least > WEFT_RECORDER_ITEM_MAX ? least : WEFT_RECORDER_ITEM_MAX;
    }
    if (index == WEFT_REGION_MODELS && recorder->config.model_coder)
        return recorder->config.model_coder->size_min(recorder->config.model_coder_state);
    return item_max[index];
}

/* Bytes from the start of the buffer to the head: room for the COBS coding to work in place. */
static size_t shift_of(const weft_recorder *recorder)
{
    return WEFT_FRAME_SHIFT(recorder->config.bytes_size);
}

static uint8_t log2_of(uint32_t mask)
{
    uint8_t bits = 0;
    for (; mask; mask >>= 1)
        bits++;
    return bits;
}

static uint64_t lost_total(const weft_recorder *recorder)
{
    return recorder->lost.paths + recorder->lost.accesses + recorder->lost.values;
}

static uint8_t bus_coder_id(const weft_recorder *recorder)
{
    return (uint8_t)((recorder->config.model_coder ? WEFT_BUS_TRE : 0) |
                     (recorder->config.bus_coder ? WEFT_BUS_BFCM : WEFT_BUS_PLAIN));
}

static uint8_t slots_log2(const weft_number_coder *coder, const void *state, uint32_t mask)
{
    return coder ? coder->slots_log2(state) : log2_of(mask);
}

/* What the head of a TRACE frame says of its interval. */
typedef struct interval {
    uint64_t time;
    uint32_t sequence, paths, accesses, values, accesses_tail, values_tail;
    uint32_t used[WEFT_REGIONS];
} interval;

static void write_head(const weft_recorder *recorder, weft_writer *out, const interval *now)
{
    const weft_recorder_config *config = &recorder->config;
    weft_frame frame = {.version = WEFT_FORMAT_VERSION,
                        .kind = WEFT_FRAME_TRACE,
                        .sequence = now->sequence,
                        .lost = lost_total(recorder),
                        .time = now->time};
    weft_frame_head(out, &frame);
    weft_write_u8(out, config->control_coder ? config->control_coder->id : (uint8_t)WEFT_CONTROL_RAW);
    weft_write_u8(out, log2_of(recorder->followers_mask));
    weft_write_u8(out, bus_coder_id(recorder));
    weft_write_u8(out, slots_log2(config->bus_coder, config->bus_coder_state, recorder->slots_mask));
    weft_write_u8(out, config->value_coder ? WEFT_VALUE_BFCM : WEFT_VALUE_PLAIN);
    weft_write_u8(out, slots_log2(config->value_coder, config->value_coder_state, recorder->value_slots_mask));
    weft_write_varint64(out, recorder->before.paths);
    weft_write_varint64(out, recorder->before.accesses);
    weft_write_varint64(out, recorder->before.values);
    weft_write_varint(out, now->paths);
    weft_write_varint(out, now->accesses);
    weft_write_varint(out, now->values);
    weft_write_varint(out, recorder->first_context);
    weft_write_varint(out, now->accesses_tail);
    weft_write_varint(out, now->values_tail);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        weft_write_varint(out, now->used[i]);
}

/* The most bytes that the head of the interval that begins now can take. */
static size_t head_max(const weft_recorder *recorder)
{
    interval most = {.time = UINT64_MAX, .sequence = recorder->sequence + 2};
    /* Plain values take a byte at least. */
    bool dense = recorder->config.value_coder || recorder->config.profile_only;
    weft_writer measure;
    most.paths = most.accesses = most.accesses_tail = UINT32_MAX;
    most.values = most.values_tail = dense ? UINT32_MAX : (uint32_t)recorder->config.bytes_size;
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        most.used[i] = (uint32_t)recorder->config.bytes_size;
    weft_writer_init(&measure, NULL, 0);
    write_head(recorder, &measure, &most);
    /* The first context may still change, and the sequence number's size at 2^32. */
    return measure.size + 2 * WEFT_VARINT32_MAX - 2 <= WEFT_FRAME_HEAD_MAX + WEFT_RECORDER_BODY_MAX
               ? measure.size + 2 * WEFT_VARINT32_MAX - 2
               : WEFT_FRAME_HEAD_MAX + WEFT_RECORDER_BODY_MAX;
}

/* What a bus coder holds is in no section yet, but must fit: as far as it says, of 256 parts of `rest`. */
static uint32_t models_share(const weft_recorder *recorder, uint32_t rest)
{
    if (!recorder->config.model_coder)
        return 0;
    size_t share =
        recorder->config.model_coder->size_wanted(recorder->config.model_coder_state) / ((rest >> 8) + 1) + 1;
    return share < 64 ? (uint32_t)share : 64;
}

/* Deals the buffer out to the regions: each its least, and the rest in proportion to the last frame's use, with a
 * thirty-second of it for each so that a section that was empty can start, a quarter for models. */
static void deal(weft_recorder *recorder)
{
    uint8_t *at = recorder->config.bytes + shift_of(recorder) + head_max(recorder);
    /* The CRC and the delimiter follow the last region. */
    uint8_t *end = recorder->config.bytes + recorder->config.bytes_size - WEFT_FRAME_CRC_SIZE - 1;
    uint32_t rest = (uint32_t)(end - at);
    uint32_t sum = 1;
    for (unsigned i = 0; i < WEFT_REGIONS; i++) {
        rest -= (uint32_t)region_min(recorder, i);
        sum += recorder->used[i];
    }
    uint32_t models = models_share(recorder, rest), parts = 224 - models;
    for (unsigned i = 0; i < WEFT_REGIONS; i++) {
        weft_region *region = &recorder->region[i];
        /* used <= 2^24, so the products fit 32 bits; parts + 4 * 8 + models make 256 at most. */
        uint32_t share = recorder->used[i] * parts / sum + (i == WEFT_REGION_MODELS ? models : 8);
        region->start = region->at = at;
        at += region_min(recorder, i) + (rest >> 8) * share + ((rest & 255) * share >> 8);
        region->end = at;
        region->limit = at - item_max[i];
    }
    recorder->run_left = recorder->bus_left = WEFT_RECORDER_RUN_MAX;
    if (recorder->config.control_coder) {
        weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
        weft_writer_init(&recorder->control, control->start, (size_t)(control->end - control->start));
        control->limit = recorder->config.bytes; /* never the raw path */
    }
    if (recorder->config.model_coder || recorder->config.bus_coder)
        recorder->region[WEFT_REGION_BUS].limit = recorder->config.bytes; /* never the plain path */
}

/* Restarts the predictors: every slot is stale. `frame`: a frame begins, too. */
static void next_epoch(weft_recorder *recorder, bool frame)
{
    const weft_recorder_config *config = &recorder->config;
    recorder->address = 0;
    recorder->value = 0;
    if (config->bus_coder)
        config->bus_coder->restart(config->bus_coder_state, frame);
    if (config->value_coder)
        config->value_coder->restart(config->value_coder_state, frame);
    if (++recorder->epoch)
        return;
    /* Once in 2^16 times the stamps come round. */
    for (uint32_t i = 0; i <= recorder->slots_mask; i++)
        recorder->slots[i].epoch = 0;
    for (uint32_t i = 0; i <= recorder->value_slots_mask; i++)
        recorder->value_slots[i].epoch = 0;
    recorder->epoch = 1;
}

static void begin_stretch(weft_recorder *recorder)
{
    recorder->accesses_start = recorder->accesses_done = recorder->accesses;
    recorder->values_start = recorder->values_done = recorder->values;
}

/* Starts an interval: counts from 0. */
static void begin_interval(weft_recorder *recorder)
{
    recorder->before.paths += recorder->paths;
    recorder->before.accesses += recorder->accesses;
    recorder->before.values += recorder->values;
    recorder->paths = recorder->accesses = recorder->values = 0;
    recorder->first_context = recorder->context;
    begin_stretch(recorder);
    next_epoch(recorder, true);
    recorder->path = 0;
    memset(recorder->followers, 0, (recorder->followers_mask + 1u) * sizeof *recorder->followers);
    deal(recorder);
}

/* Readies the buffer, which is free, for an interval that has begun. */
static void begin_frame(weft_recorder *recorder)
{
    const weft_model_coder *coder = recorder->config.model_coder;
    const weft_region *models = &recorder->region[WEFT_REGION_MODELS];
    weft_writer_init(&recorder->models, models->start, (size_t)(models->end - models->start));
    if (coder)
        coder->begin(recorder->config.model_coder_state, &recorder->models);
}

weft_status weft_recorder_init(weft_recorder *recorder, const weft_recorder_config *config)
{
    static const uint32_t first_use[WEFT_REGIONS] = {4, 1, 8, 0, 0};
    static const uint32_t first_use_paths[WEFT_REGIONS] = {12, 1, 0, 0, 0};
    static const uint32_t first_use_values[WEFT_REGIONS] = {4, 1, 8, 12, 0};
    if (!config->sink || !config->sink->write || !config->bytes || bad_count(config->slots_max) ||
        bad_count(config->value_slots_max) || (config->slots_max && !config->slots) ||
        (config->value_slots_max && !config->value_slots) || bad_count(config->followers_max) ||
        (config->followers_max && !config->followers) || config->followers_max > 1u << 16 ||
        config->build_id_size > WEFT_RECORDER_BUILD_ID_MAX)
        return WEFT_CONFIG;
    size_t least = WEFT_RECORDER_BYTES_MIN;
    if (config->control_coder) {
        size_t control = config->control_coder->size_min(config->control_coder_state);
        least += control + control / 254 + 1;
    }
    if (config->model_coder) {
        size_t models = config->model_coder->size_min(config->model_coder_state);
        least += models + models / 254 + 1;
    }
    if (config->bytes_size < least || config->bytes_size > (size_t)1 << 24)
        return WEFT_CONFIG;
    if (config->profile_only && (!config->profiler || config->probes & ~(uint32_t)WEFT_PROBE_PATHS))
        return WEFT_CONFIG; /* without the paths nothing tells which sites accesses belong to */
    if (config->profiler && config->bytes_size < WEFT_RECORDER_PROFILE_MIN(config->profiler->part_min))
        return WEFT_CONFIG;
    memset(recorder, 0, sizeof *recorder);
    recorder->config = *config;
    if (!config->control_paths_max)
        recorder->config.control_paths_max = WEFT_RECORDER_CODED_PATHS_MAX;
    recorder->control_fresh = true;
    recorder->slots = config->slots_max ? config->slots : &recorder->own_slot;
    recorder->slots_mask = config->slots_max ? (uint32_t)config->slots_max - 1 : 0;
    recorder->followers = config->followers_max ? config->followers : &recorder->own_follower;
    recorder->followers_mask = config->followers_max ? (uint32_t)config->followers_max - 1 : 0;
    recorder->value_slots = config->value_slots_max ? config->value_slots : &recorder->own_value_slot;
    recorder->value_slots_mask = config->value_slots_max ? (uint32_t)config->value_slots_max - 1 : 0;
    recorder->access = config->model_coder ? config->model_coder->access
                       : config->bus_coder ? config->bus_coder->access
                                           : weft_recorder_access_bus;
    recorder->epoch = UINT16_MAX; /* the first epoch clears the slots */
    memcpy(recorder->used,
           config->probes & WEFT_PROBE_VALUES     ? first_use_values
           : config->probes & WEFT_PROBE_ACCESSES ? first_use
                                                  : first_use_paths,
           sizeof recorder->used);
    begin_interval(recorder);
    begin_frame(recorder);
    return WEFT_OK;
}

static uint64_t now(const weft_recorder *recorder)
{
    const weft_clock *clock = recorder->config.clock;
    return clock && clock->now ? clock->now(clock->context) : 0;
}

static weft_status to_sink(weft_recorder *recorder, const uint8_t *bytes, size_t size)
{
    const weft_sink *sink = recorder->config.sink;
    weft_status status = sink->write(sink->context, bytes, size);
    if (status == WEFT_OK)
        return WEFT_OK;
    recorder->refused++;
    return WEFT_AGAIN;
}

static void write_field(weft_writer *writer, uint32_t key, uint64_t value)
{
    weft_write_varint(writer, key);
    weft_write_varint64(writer, value);
}

static void write_text(weft_writer *writer, uint32_t key, const uint8_t *bytes, size_t size)
{
    weft_write_varint(writer, key);
    weft_write_varint(writer, (uint32_t)size);
    weft_write_bytes(writer, bytes, size);
}

static size_t note_size(const char *note)
{
    size_t size = 0;
    while (size < WEFT_RECORDER_NOTE_MAX && note[size])
        size++;
    return size;
}

enum { SMALL_FRAME = 208 }; /* content of META and STATS frames at most */

typedef struct small_frame {
    weft_writer writer;
    uint8_t bytes[WEFT_FRAME_WIRE_MAX(SMALL_FRAME) + 1];
} small_frame;

static void small_begin(const weft_recorder *recorder, small_frame *small, weft_frame_kind kind)
{
    weft_frame frame = {.version = WEFT_FORMAT_VERSION,
                        .kind = (uint8_t)kind,
                        .sequence = recorder->sequence,
                        .lost = lost_total(recorder),
                        .time = now(recorder)};
    weft_writer_init(&small->writer, small->bytes + WEFT_FRAME_SHIFT(SMALL_FRAME), SMALL_FRAME - WEFT_FRAME_CRC_SIZE);
    weft_frame_head(&small->writer, &frame);
}

static weft_status small_send(weft_recorder *recorder, small_frame *small)
{
    size_t size = weft_frame_seal(small->bytes, WEFT_FRAME_SHIFT(SMALL_FRAME), small->writer.size);
    weft_status status = to_sink(recorder, small->bytes, size);
    if (status == WEFT_OK)
        recorder->sequence++;
    return status;
}

/* The container's head goes before everything else, once. False: the sink refused it. */
static bool send_head(weft_recorder *recorder)
{
    if (!recorder->head_sent)
        recorder->head_sent =
            to_sink(recorder, (const uint8_t *)WEFT_CONTAINER_HEAD, WEFT_CONTAINER_HEAD_SIZE) == WEFT_OK;
    return recorder->head_sent;
}

/* META when it is due. A refusal is no loss: it is tried again at the next cut. Not while a frame waits, whose
 * sequence number is sealed in. */
static void send_meta(weft_recorder *recorder)
{
    const weft_recorder_config *config = &recorder->config;
    if (recorder->meta_due || !send_head(recorder))
        return;
    small_frame small;
    weft_writer *out = &small.writer;
    small_begin(recorder, &small, WEFT_FRAME_META);
    write_field(out, WEFT_META_CLOCK_HZ, config->clock ? config->clock->hz : 0);
    write_field(out, WEFT_META_PROBES, config->probes);
    write_field(out, WEFT_META_CONTROL_CODER, config->control_coder ? config->control_coder->id : WEFT_CONTROL_RAW);
    write_field(out, WEFT_META_BUS_CODER, bus_coder_id(recorder));
    write_field(out, WEFT_META_FRAME_SIZE, config->bytes_size);
    write_field(out, WEFT_META_SLOTS,
                1u << slots_log2(config->bus_coder, config->bus_coder_state, recorder->slots_mask));
    write_field(out, WEFT_META_VALUE_SLOTS,
                1u << slots_log2(config->value_coder, config->value_coder_state, recorder->value_slots_mask));
    if (config->profiler && config->profiler->meta)
        config->profiler->meta(config->profiler_state, out);
    if (config->build_id_size)
        write_text(out, WEFT_META_BUILD_ID, config->build_id, config->build_id_size);
    if (config->note)
        write_text(out, WEFT_META_NOTE, (const uint8_t *)config->note, note_size(config->note));
    if (small_send(recorder, &small) == WEFT_OK)
        recorder->meta_due = WEFT_RECORDER_META_EVERY;
}

/* Seals head and sections at the start of the buffer; the frame then waits. */
static void seal(weft_recorder *recorder)
{
    interval end = {.time = now(recorder),
                    .sequence = recorder->sequence,
                    .paths = recorder->paths,
                    .accesses = recorder->accesses,
                    .values = recorder->values,
                    .accesses_tail = recorder->accesses - recorder->accesses_done,
                    .values_tail = recorder->values - recorder->values_done};
    weft_frame_piece pieces[1 + WEFT_REGIONS];
    for (unsigned i = 0; i < WEFT_REGIONS; i++) {
        const weft_region *region = &recorder->region[i];
        recorder->used[i] = end.used[i] = (uint32_t)(region->at - region->start);
        pieces[1 + i] = (weft_frame_piece){region->start, end.used[i]};
    }
    /* deal has left room for the head before the first region. */
    uint8_t *head = recorder->config.bytes + shift_of(recorder);
    weft_writer writer;
    weft_writer_init(&writer, head, (size_t)(recorder->region[0].start - head));
    write_head(recorder, &writer, &end);
    pieces[0] = (weft_frame_piece){head, writer.size};
    recorder->wire_size = weft_frame_seal_pieces(recorder->config.bytes, pieces, WEFT_COUNT(pieces));
    if (recorder->wire_size > recorder->used_high)
        recorder->used_high = recorder->wire_size;
    recorder->waiting = true;
}

/* Offers the waiting frame. On WEFT_OK the buffer is free. */
static weft_status offer(weft_recorder *recorder)
{
    if (!recorder->waiting)
        return WEFT_OK;
    if (!send_head(recorder) || to_sink(recorder, recorder->config.bytes, recorder->wire_size) != WEFT_OK)
        return WEFT_AGAIN;
    recorder->waiting = false;
    recorder->sequence++;
    if (recorder->meta_due)
        recorder->meta_due--;
    return WEFT_OK;
}

/* While a frame waits no item "fits": every position lies behind the buffer's first byte. */
static void close_regions(weft_recorder *recorder)
{
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        recorder->region[i].limit = recorder->region[i].end = recorder->config.bytes;
}

/* Closes the interval's frame and offers it. Afterwards a new interval runs: of a fresh frame on WEFT_OK, of events that
 * are lost on WEFT_AGAIN. `next` is the context that it starts in. */
static weft_status cut(weft_recorder *recorder, uint32_t next)
{
    if (recorder->config.control_coder && !recorder->control_fresh) {
        recorder->config.control_coder->flush(recorder->config.control_coder_state, &recorder->control);
        recorder->control_fresh = true;
    }
    if (recorder->config.control_coder)
        recorder->region[WEFT_REGION_CONTROL].at = recorder->control.bytes + recorder->control.size;
    else
        recorder->region[WEFT_REGION_CONTROL].at =
            weft_put_run(recorder->region[WEFT_REGION_CONTROL].at, recorder->run_left);
    recorder->region[WEFT_REGION_BUS].at = weft_put_run(recorder->region[WEFT_REGION_BUS].at, recorder->bus_left);
    if (recorder->config.model_coder) {
        recorder->config.model_coder->flush(recorder->config.model_coder_state, &recorder->models);
        recorder->region[WEFT_REGION_MODELS].at = recorder->models.bytes + recorder->models.size;
    }
    send_meta(recorder);
    seal(recorder);
    recorder->context = next;
    begin_interval(recorder);
    if (offer(recorder) != WEFT_OK) {
        close_regions(recorder);
        return WEFT_AGAIN;
    }
    begin_frame(recorder);
    return WEFT_OK;
}

/* Writes the next part of the profile into the free buffer as a sealed frame. */
static void seal_part(weft_recorder *recorder)
{
    size_t shift = shift_of(recorder);
    weft_frame frame = {.version = WEFT_FORMAT_VERSION,
                        .kind = WEFT_FRAME_PROFILE,
                        .sequence = recorder->sequence,
                        .lost = lost_total(recorder),
                        .time = now(recorder)};
    weft_writer out;
    weft_writer_init(&out, recorder->config.bytes + shift,
                     recorder->config.bytes_size - shift - WEFT_FRAME_CRC_SIZE - 1);
    weft_frame_head(&out, &frame);
    weft_write_u8(&out, recorder->config.profile_only ? 1 : 0);
    weft_write_varint64(&out, recorder->profile_start);
    weft_write_varint64(&out, recorder->before.paths);
    weft_write_varint(&out, recorder->profile_part);
    size_t head = out.size;
    recorder->profiling = recorder->config.profiler->flush(recorder->config.profiler_state, &out) == WEFT_AGAIN;
    recorder->profile_part++;
    if (out.size == head)
        return; /* an empty profile */
    recorder->wire_size = weft_frame_seal(recorder->config.bytes, shift, out.size);
    recorder->waiting = true;
}

/* Writes what is left of the profile. WEFT_AGAIN: the sink refused. */
static weft_status write_profile(weft_recorder *recorder)
{
    while (recorder->profiling) {
        seal_part(recorder);
        if (offer(recorder) != WEFT_OK)
            return WEFT_AGAIN;
    }
    return WEFT_OK;
}

/* The interval's events are lost; another one begins. */
static void lose(weft_recorder *recorder)
{
    recorder->lost.paths += recorder->paths;
    recorder->lost.accesses += recorder->accesses;
    recorder->lost.values += recorder->values;
    begin_interval(recorder);
}

/* True when an open frame can take events: none waits, or the sink took it just now. */
static bool open_frame(weft_recorder *recorder)
{
    if (!recorder->waiting && !recorder->profiling)
        return true;
    if (offer(recorder) != WEFT_OK || write_profile(recorder) != WEFT_OK) {
        /* Before 32 bits overflow. Not while parts of a profile are to come: they tell the paths before this interval. */
        if ((recorder->paths | recorder->accesses | recorder->values) >> 31 && !recorder->profiling) {
            lose(recorder);
            close_regions(recorder);
        }
        return false;
    }
    lose(recorder); /* what came since the cut */
    begin_frame(recorder);
    if (recorder->profile_part) {
        recorder->profile_part = 0;
        recorder->profile_start = recorder->before.paths;
    }
    return true;
}

/* Writes a control symbol, raw or coded. False: no room, nothing was written. */
static bool put_symbol(weft_recorder *recorder, uint32_t symbol)
{
    weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
    if (recorder->config.control_coder) {
        if (recorder->paths >= recorder->config.control_paths_max && !recorder->control_fresh)
            return false;
        if (recorder->config.control_coder->push(recorder->config.control_coder_state, symbol, &recorder->control) !=
            WEFT_OK)
            return false;
        recorder->control_fresh = false;
        return true;
    }
    if (control->at > control->limit || recorder->paths >= WEFT_RECORDER_PATHS_MAX)
        return false;
    if (symbol < WEFT_SYMBOL_PATH) {
        uint8_t *to = weft_put_run(control->at, recorder->run_left);
        recorder->run_left = WEFT_RECORDER_RUN_MAX;
        *to++ = WEFT_CODE_OTHER;
        *to++ = (uint8_t)(symbol + 1);
        control->at = to;
        return true;
    }
    if (weft_recorder_put_path(recorder, symbol - WEFT_SYMBOL_PATH))
        return true;
    control->at = weft_put_run(control->at, 0);
    recorder->run_left = WEFT_RECORDER_RUN_MAX;
    return weft_recorder_put_path(recorder, symbol - WEFT_SYMBOL_PATH);
}

/* An entry of the contexts section, about the stretch that ends (FORMAT.md, "Stretches"). */
static void put_entry(weft_recorder *recorder, uint32_t context)
{
    weft_region *contexts = &recorder->region[WEFT_REGION_CONTEXTS];
    uint32_t accesses = recorder->accesses - recorder->accesses_start;
    uint32_t values = recorder->values - recorder->values_start;
    uint8_t *to = weft_put_varint(contexts->at, context << 2 | (values ? 2u : 0u) | (accesses ? 1u : 0u));
    if (accesses) {
        to = weft_put_varint(to, accesses);
        to = weft_put_varint(to, recorder->accesses - recorder->accesses_done);
    }
    if (values) {
        to = weft_put_varint(to, values);
        to = weft_put_varint(to, recorder->values - recorder->values_done);
    }
    contexts->at = to;
}

/* Makes `context` the current one in an open frame. False: the frame was cut on the way and waits. */
static bool enter(weft_recorder *recorder, uint32_t context)
{
    weft_region *contexts = &recorder->region[WEFT_REGION_CONTEXTS];
    recorder->switches++;
    if (recorder->paths == 0 && recorder->accesses == 0 && recorder->values == 0 && recorder->control_fresh &&
        contexts->at == contexts->start) {
        recorder->context = recorder->first_context = context; /* nothing was recorded before */
        return true;
    }
    bool tail = recorder->accesses != recorder->accesses_done || recorder->values != recorder->values_done;
    /* Whoever reads a bus coder's sections must know all sites, so a tail ends its frame. */
    if (contexts->at > contexts->limit || (tail && recorder->config.model_coder) ||
        !put_symbol(recorder, WEFT_SYMBOL_CONTEXT))
        return cut(recorder, context) == WEFT_OK; /* the next frame's head names the context */
    put_entry(recorder, context);
    if (tail)
        next_epoch(recorder, false);
    recorder->context = context;
    begin_stretch(recorder);
    return true;
}

/* The way of all events that the fast paths leave: a frame that waits, another context. False: the event is lost. */
bool weft_recorder_ready(weft_recorder *recorder, uint32_t context)
{
    if (open_frame(recorder)) {
        if (context == recorder->context)
            return true;
        if (enter(recorder, context))
            return true;
    }
    recorder->context = context;
    return false;
}

/* Out of line, so that the fast path keeps few registers. */
static __attribute__((noinline)) void slow_path(weft_recorder *recorder, uint32_t context, uint32_t path)
{
    uint32_t symbol = path + WEFT_SYMBOL_PATH;
    if (weft_recorder_ready(recorder, context) && !put_symbol(recorder, symbol) && cut(recorder, context) == WEFT_OK)
        (void)put_symbol(recorder, symbol);
    weft_recorder_path_done(recorder);
}

void weft_recorder_path(weft_recorder *recorder, uint32_t context, uint32_t path)
{
    if (!weft_recorder_path_fast(recorder, context, path))
        slow_path(recorder, context, path);
}

weft_status weft_recorder_cut(weft_recorder *recorder)
{
    return cut(recorder, recorder->context);
}

bool weft_recorder_fits(const weft_recorder *recorder, unsigned region)
{
    return recorder->region[region].end - recorder->region[region].at >= item_max[region];
}

bool weft_recorder_make_room(weft_recorder *recorder, uint32_t context, unsigned region)
{
    return weft_recorder_ready(recorder, context) &&
           (weft_recorder_fits(recorder, region) || cut(recorder, context) == WEFT_OK);
}

void weft_recorder_access_bus(weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address)
{
    const weft_number_coder *coder = recorder->config.bus_coder;
    if (coder)
        coder->access(recorder, context, site, address);
    else if (weft_recorder_make_room(recorder, context, WEFT_REGION_BUS))
        weft_recorder_put_address(recorder, site, address);
    else
        recorder->accesses++;
}

void weft_recorder_access(weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address)
{
    if (!weft_recorder_access_fast(recorder, context, site, address))
        recorder->access(recorder, context, site, address);
}

/* A frame with events is cut, and the lost ones are an interval of their own: that of the waiting frame, if it has to wait. */
void weft_recorder_lost(weft_recorder *recorder, const weft_counts *lost)
{
    bool open = weft_recorder_flush(recorder) == WEFT_OK;
    recorder->paths += (uint32_t)lost->paths;
    recorder->accesses += (uint32_t)lost->accesses;
    recorder->values += (uint32_t)lost->values;
    if (!open)
        return;
    lose(recorder);
    begin_frame(recorder);
}

weft_status weft_recorder_flush(weft_recorder *recorder)
{
    if (!open_frame(recorder))
        return WEFT_AGAIN;
    if (recorder->paths == 0 && recorder->accesses == 0 && recorder->values == 0)
        return WEFT_OK;
    if (!recorder->config.profile_only)
        return cut(recorder, recorder->context);
    begin_interval(recorder); /* the profile holds the paths */
    return WEFT_OK;
}

weft_status weft_recorder_profile(weft_recorder *recorder)
{
    if (!recorder->config.profiler || weft_recorder_flush(recorder) != WEFT_OK)
        return recorder->config.profiler ? WEFT_AGAIN : WEFT_CONFIG;
    recorder->profiling = true;
    recorder->profile_part = 0;
    if (write_profile(recorder) != WEFT_OK) {
        close_regions(recorder);
        return WEFT_AGAIN;
    }
    begin_interval(recorder); /* the parts used the buffer */
    begin_frame(recorder);
    recorder->profile_part = 0;
    recorder->profile_start = recorder->before.paths;
    return WEFT_OK;
}

bool weft_recorder_open(weft_recorder *recorder)
{
    return open_frame(recorder);
}

void weft_recorder_uncoded(weft_recorder *recorder, uint32_t context)
{
    recorder->context = context;
    weft_recorder_path_done(recorder);
    if (recorder->paths >> 31)
        (void)weft_recorder_flush(recorder); /* before 32 bits overflow: counts from 0 again */
}

weft_status weft_recorder_finish(weft_recorder *recorder)
{
    const weft_recorder_config *config = &recorder->config;
    if (weft_recorder_flush(recorder) != WEFT_OK)
        return WEFT_AGAIN;
    if (config->profiler && weft_recorder_profile(recorder) != WEFT_OK)
        return WEFT_AGAIN;
    send_meta(recorder); /* a recording without events has its head and META too */
    if (!send_head(recorder))
        return WEFT_AGAIN;
    small_frame small;
    weft_writer *out = &small.writer;
    small_begin(recorder, &small, WEFT_FRAME_STATS);
    write_field(out, WEFT_STATS_PATHS, recorder->before.paths);
    write_field(out, WEFT_STATS_ACCESSES, recorder->before.accesses);
    write_field(out, WEFT_STATS_VALUES, recorder->before.values);
    write_field(out, WEFT_STATS_LOST_PATHS, recorder->lost.paths);
    write_field(out, WEFT_STATS_LOST_ACCESSES, recorder->lost.accesses);
    write_field(out, WEFT_STATS_LOST_VALUES, recorder->lost.values);
    write_field(out, WEFT_STATS_FRAMES, recorder->sequence);
    write_field(out, WEFT_STATS_REFUSED, recorder->refused);
    write_field(out, WEFT_STATS_SWITCHES, recorder->switches);
    write_field(out, WEFT_STATS_FRAME_HIGH, recorder->used_high);
    write_field(out, WEFT_STATS_FRAME_SIZE, config->bytes_size);
    if (config->control_coder && config->control_coder->stats)
        config->control_coder->stats(config->control_coder_state, out);
    if (config->model_coder && config->model_coder->stats)
        config->model_coder->stats(config->model_coder_state, out);
    if (config->profiler && config->profiler->stats)
        config->profiler->stats(config->profiler_state, out);
    return small_send(recorder, &small);
}
