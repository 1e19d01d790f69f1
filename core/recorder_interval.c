/* SPDX-License-Identifier: MIT */
/* An interval of the recording, and the buffer that holds it: dealt out to regions at its start, sealed as a TRACE
 * frame at its end. */
#include <string.h>

#include "core/own.h"
#include "core/recorder_parts.h"

/* Bytes of the largest item of each region. With less room left, the frame is cut. */
static const uint8_t item_max[WEFT_REGIONS] = {WEFT_RECORDER_ITEM_MAX, WEFT_RECORDER_ENTRY_MAX,
                                               WEFT_RECORDER_ADDRESS_MAX, WEFT_RECORDER_VALUE_MAX, 0};
bool weft_recorder_is_empty(const weft_recorder *recorder)
{
    const weft_region *marks = &recorder->region[WEFT_REGION_MARKS];
    return weft_recorder_paths(recorder) == 0 && weft_recorder_accesses(recorder) == 0 && recorder->values == 0 &&
           recorder->control_fresh && marks->at == marks->start;
}

bool weft_recorder_fits(const weft_recorder *recorder, unsigned region)
{
    return recorder->region[region].end - recorder->region[region].at >= item_max[region];
}

static size_t region_min(const weft_recorder *recorder, unsigned index)
{
    if (index == WEFT_REGION_CONTROL && recorder->config.control_coder) {
        size_t least = recorder->config.control_coder->size_min(recorder->config.control_coder_state);
        return least > WEFT_RECORDER_ITEM_MAX ? least : WEFT_RECORDER_ITEM_MAX;
    }
    if (index == WEFT_REGION_MODELS && recorder->config.model_coder)
        return recorder->config.model_coder->size_min(recorder->config.model_coder_state);
    if (index == WEFT_REGION_MODELS && recorder->packing)
        return WEFT_RECORDER_PACK_MAX;
    return item_max[index];
}

static uint8_t log2_of(uint32_t mask)
{
    uint8_t bits = 0;
    for (; mask; mask >>= 1)
        bits++;
    return bits;
}

uint8_t weft_recorder_bus_id(const weft_recorder *recorder)
{
    return (uint8_t)((recorder->config.model_coder ? WEFT_BUS_TRE : 0) |
                     (recorder->config.bus_coder ? WEFT_BUS_BFCM : WEFT_BUS_PLAIN));
}

static uint8_t slots_log2(const weft_number_coder *coder, const void *state, uint32_t mask)
{
    return coder ? coder->slots_log2(state) : log2_of(mask);
}

uint8_t weft_recorder_slots_log2(const weft_recorder *recorder)
{
    return slots_log2(recorder->config.bus_coder, recorder->config.bus_coder_state, recorder->slots_mask);
}

uint8_t weft_recorder_value_slots_log2(const weft_recorder *recorder)
{
    return slots_log2(recorder->config.value_coder, recorder->config.value_coder_state, recorder->value_slots_mask);
}

static uint8_t packs_log2(const weft_recorder *recorder)
{
    return recorder->config.packs_max ? log2_of((uint32_t)recorder->config.packs_max - 1) : 0;
}

static void write_frame_head(const weft_recorder *recorder, weft_writer *out, weft_frame_kind kind, uint32_t sequence,
                             uint64_t time, uint64_t lost)
{
    weft_frame frame = {.version = WEFT_FORMAT_VERSION,
                        .kind = (uint8_t)kind,
                        .sequence = sequence,
                        .lost = lost,
                        .time = time,
                        .identity = recorder->config.identity,
                        .run = recorder->config.run};
    weft_frame_head(out, &frame);
}

void weft_recorder_write_head(const weft_recorder *recorder, weft_writer *out, weft_frame_kind kind, uint64_t time,
                              uint64_t lost)
{
    write_frame_head(recorder, out, kind, recorder->sequence, time, lost);
}

static void write_trace_head(const weft_recorder *recorder, weft_writer *out, const weft_recorder_frame *frame,
                             uint32_t sequence)
{
    const weft_recorder_config *config = &recorder->config;
    uint8_t plain = frame->packs ? WEFT_CONTROL_WORDS : WEFT_CONTROL_COPIES;
    write_frame_head(recorder, out, WEFT_FRAME_TRACE, sequence, frame->time, frame->lost);
    const uint8_t coders[] = {config->control_coder ? config->control_coder->id : plain,
                              (uint8_t)(log2_of(recorder->history.found_mask) + 2),
                              weft_recorder_bus_id(recorder),
                              weft_recorder_slots_log2(recorder),
                              config->value_coder ? WEFT_VALUE_BFCM : WEFT_VALUE_PLAIN,
                              weft_recorder_value_slots_log2(recorder)};
    weft_write_bytes(out, coders, sizeof coders);
    weft_write_varint64(out, frame->before.paths);
    weft_write_varint64(out, frame->before.accesses);
    weft_write_varint64(out, frame->before.values);
    weft_write_varint64(out, frame->before.marks);
    weft_write_varint64(out, frame->begun);
    weft_write_varint(out, frame->paths);
    weft_write_varint(out, frame->accesses);
    weft_write_varint(out, frame->values);
    weft_write_varint(out, frame->first_context);
    weft_write_varint(out, frame->accesses_tail);
    weft_write_varint(out, frame->values_tail);
    if (frame->packs) {
        weft_write_varint(out, frame->packs);
        weft_write_varint(out, packs_log2(recorder));
    }
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        weft_write_varint(out, frame->used[i]);
}

static uint32_t varint_size(uint64_t value)
{
    uint32_t size = 1;
    while (value >>= 7)
        size++;
    return size;
}

/* The most bytes that the head of the interval that begins now can take, body head included: what write_trace_head
 * writes, less what is known now to be short. */
static size_t head_max(const weft_recorder *recorder)
{
    const weft_recorder_config *config = &recorder->config;
    const weft_counts *before = &recorder->before;
    const uint64_t known[] = {weft_recorder_all_lost(recorder),
                              before->paths,
                              before->accesses,
                              before->values,
                              before->marks,
                              recorder->begun};
    /* Plain values take at least a byte each, as what regions hold does. Others may take less. */
    uint32_t sizes = WEFT_REGIONS + (config->value_coder || config->profile_only ? 0u : 2u);
    size_t size = WEFT_FRAME_HEAD_MAX + WEFT_RECORDER_BODY_MAX;
    size -= sizes * (WEFT_VARINT32_MAX - varint_size((uint32_t)config->bytes_size));
    size -= WEFT_VARINT32_MAX - varint_size(config->run);
    size -= weft_recorder_may_pack(recorder) ? 0 : WEFT_RECORDER_PACKS_HEAD;
    for (unsigned i = 0; i < WEFT_COUNT(known); i++)
        size -= WEFT_VARINT64_MAX - varint_size(known[i]);
    return size;
}

/* The share of `rest` that words of packs get as others do, or a model coder asks for, in parts of 256. What the coder
 * holds is in no section yet, but must fit. */
static uint32_t models_share(const weft_recorder *recorder, uint32_t rest)
{
    if (!recorder->config.model_coder)
        return recorder->packing ? 8 : 0;
    size_t share =
        recorder->config.model_coder->size_wanted(recorder->config.model_coder_state) / ((rest >> 8) + 1) + 1;
    return share < 64 ? (uint32_t)share : 64;
}

static void start_packs(weft_recorder *recorder)
{
    const weft_recorder_config *config = &recorder->config;
    weft_packs *packs = &recorder->packs;
    bool packing = recorder->packing;
    packs->word = packs->count = packs->written = 0;
    packs->table = packing && config->packs_max ? config->packs : packing ? &packs->own : &packs->none;
    packs->shift = 32u - (packing ? packs_log2(recorder) : 0);
    packs->limit = weft_recorder_buffer(recorder); /* never */
    if (!packing)
        return;
    packs->limit = recorder->region[WEFT_REGION_MODELS].end - WEFT_RECORDER_PACK_MAX;
    memset(packs->table, 0, (config->packs_max ? config->packs_max : 1) * sizeof *packs->table);
}

/* Deals the buffer out to the regions. Each gets its least. The rest goes in proportion to the last frame's use,
 * but a thirty-second of it goes to each region, so that a section that was empty can start, and up to a quarter
 * to models. */
static void deal(weft_recorder *recorder)
{
    uint8_t *buffer = weft_recorder_buffer(recorder);
    uint8_t *at = buffer + weft_recorder_shift(recorder) + head_max(recorder);
    /* The check sum and the delimiter follow the last region. */
    uint8_t *end = buffer + recorder->config.bytes_size - WEFT_FRAME_CHECK_SIZE - 1;
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
    if (recorder->config.control_coder) {
        weft_region *control = &recorder->region[WEFT_REGION_CONTROL];
        weft_writer_init(&recorder->control, control->start, (size_t)(control->end - control->start));
        control->limit = buffer; /* never the raw path */
    }
    if (recorder->config.value_coder)
        recorder->region[WEFT_REGION_VALUES].limit = buffer; /* likewise */
    if (recorder->config.model_coder || recorder->config.bus_coder)
        recorder->region[WEFT_REGION_BUS].limit = buffer;
    start_packs(recorder);
}

void weft_recorder_begin_packing(weft_recorder *recorder)
{
    recorder->packing = true;
    if (weft_recorder_is_empty(recorder))
        deal(recorder);
}

void weft_recorder_next_epoch(weft_recorder *recorder, bool frame)
{
    const weft_recorder_config *config = &recorder->config;
    recorder->address = 0;
    recorder->value = 0;
    if (config->bus_coder)
        config->bus_coder->restart(config->bus_coder_state, frame);
    if (config->value_coder)
        config->value_coder->restart(config->value_coder_state, frame);
    if (++recorder->epoch <= UINT16_MAX)
        return;
    /* Once in 2^16 times the stamps start again. */
    for (uint32_t i = 0; i <= recorder->slots_mask; i++)
        recorder->slots[i].state = 0;
    for (uint32_t i = 0; i <= recorder->value_slots_mask; i++)
        recorder->value_slots[i].epoch = 0;
    recorder->epoch = 1;
}

void weft_recorder_add(weft_counts *to, const weft_counts *counts)
{
    to->paths += counts->paths;
    to->accesses += counts->accesses;
    to->values += counts->values;
    to->marks += counts->marks;
}

uint64_t weft_recorder_all(const weft_counts *counts)
{
    return counts->paths + counts->accesses + counts->values + counts->marks;
}

/* Of the interval. */
static weft_counts counts_of(const weft_recorder *recorder)
{
    return (weft_counts){weft_recorder_paths(recorder), weft_recorder_accesses(recorder), recorder->values,
                         recorder->marks};
}

void weft_recorder_move_counts(weft_recorder *recorder, weft_counts *to)
{
    weft_counts counts = counts_of(recorder);
    weft_recorder_add(to, &counts);
    recorder->paths = recorder->accesses = recorder->values = recorder->marks = 0;
}

void weft_recorder_begin_interval(weft_recorder *recorder)
{
    weft_recorder_move_counts(recorder, &recorder->before);
    recorder->turn &= ~WEFT_TURN_RUN;
    recorder->begun = recorder->stamp = weft_recorder_now(recorder);
    recorder->first_context = recorder->context;
    weft_recorder_begin_stretch(recorder);
    weft_recorder_next_epoch(recorder, true);
    weft_history_restart(&recorder->history);
    recorder->paths_max = WEFT_RECORDER_PATHS_MAX;
    recorder->run_ended = NULL;
    deal(recorder);
}

void weft_recorder_begin_frame(weft_recorder *recorder)
{
    const weft_model_coder *coder = recorder->config.model_coder;
    const weft_region *models = &recorder->region[WEFT_REGION_MODELS];
    weft_writer_init(&recorder->models, models->start, (size_t)(models->end - models->start));
    if (coder)
        coder->begin(recorder->config.model_coder_state, &recorder->models);
}

void weft_recorder_lose(weft_recorder *recorder)
{
    weft_counts counts = counts_of(recorder);
    weft_recorder_add(&recorder->lost, &counts);
    weft_recorder_add(&recorder->lost, &recorder->aside);
    weft_recorder_add(&recorder->before, &recorder->aside);
    recorder->aside = (weft_counts){0};
    weft_recorder_begin_interval(recorder);
}

/* Every position lies after the buffer's first byte, so no item "fits". */
void weft_recorder_close_regions(weft_recorder *recorder)
{
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        recorder->region[i].limit = recorder->region[i].end = weft_recorder_buffer(recorder);
    recorder->packs.limit = weft_recorder_buffer(recorder);
}

void weft_recorder_end_sections(weft_recorder *recorder)
{
    if (recorder->config.control_coder && !recorder->control_fresh) {
        recorder->config.control_coder->flush(recorder->config.control_coder_state, &recorder->control);
        recorder->control_fresh = true;
    }
    if (recorder->config.control_coder)
        recorder->region[WEFT_REGION_CONTROL].at = recorder->control.bytes + recorder->control.size;
    else
        weft_recorder_end_run(recorder);
    recorder->region[WEFT_REGION_BUS].at =
        weft_put_run(recorder->region[WEFT_REGION_BUS].at, recorder->turn & WEFT_TURN_RUN);
    weft_recorder_end_pack_run(recorder);
    if (recorder->config.model_coder) {
        recorder->config.model_coder->flush(recorder->config.model_coder_state, &recorder->models);
        recorder->region[WEFT_REGION_MODELS].at = recorder->models.bytes + recorder->models.size;
    }
}

uint64_t weft_recorder_now(const weft_recorder *recorder)
{
    const weft_clock *clock = recorder->config.clock;
    return clock && clock->now ? clock->now(clock->context) : 0;
}

void weft_recorder_end_frame(weft_recorder *recorder)
{
    weft_recorder_frame *frame = &recorder->queue[recorder->ended % 2];
    frame->buffer = weft_recorder_buffer(recorder);
    frame->begun = recorder->begun;
    frame->time = weft_recorder_now(recorder);
    frame->lost = weft_recorder_all_lost(recorder);
    frame->before = recorder->before;
    frame->paths = weft_recorder_paths(recorder);
    frame->accesses = weft_recorder_accesses(recorder);
    frame->values = recorder->values;
    frame->accesses_tail = frame->accesses - weft_recorder_accesses_done(recorder);
    frame->values_tail = frame->values - recorder->values_done;
    frame->packs = recorder->packs.count;
    frame->first_context = recorder->first_context;
    frame->wire_size = 0;
    for (unsigned i = 0; i < WEFT_REGIONS; i++) {
        const weft_region *region = &recorder->region[i];
        frame->start[i] = region->start;
        recorder->used[i] = frame->used[i] = (uint32_t)(region->at - region->start);
    }
    recorder->ended++;
}

void weft_recorder_seal(weft_recorder *recorder, weft_recorder_frame *frame)
{
    weft_frame_piece pieces[1 + WEFT_REGIONS];
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        pieces[1 + i] = (weft_frame_piece){frame->start[i], frame->used[i]};
    /* There is room for the head before the first region: see deal. */
    uint8_t *head = frame->buffer + weft_recorder_shift(recorder);
    weft_writer writer;
    weft_writer_init(&writer, head, (size_t)(frame->start[0] - head));
    write_trace_head(recorder, &writer, frame, recorder->sequence);
    pieces[0] = (weft_frame_piece){head, writer.size};
    frame->wire_size = weft_frame_seal_pieces(frame->buffer, pieces, WEFT_COUNT(pieces));
    if (frame->wire_size > recorder->used_high)
        recorder->used_high = frame->wire_size;
}

void weft_recorder_lend(weft_recorder *recorder)
{
    uint32_t paths = recorder->paths_max - weft_recorder_paths(recorder);
    if (weft_recorder_control_fits(recorder) && (int32_t)paths > 0 && !recorder->config.profiler)
        weft_history_lend(&recorder->history, recorder->context, paths);
    weft_recorder_see(recorder);
}

void weft_recorder_keep(weft_recorder *recorder)
{
    weft_recorder_look_back(recorder);
    weft_history_keep(&recorder->history);
    weft_recorder_see(recorder);
}
