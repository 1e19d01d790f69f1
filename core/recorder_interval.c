/* SPDX-License-Identifier: MIT */
/* An interval of the recording, and the buffer that holds it: dealt out to regions at its start, sealed as a TRACE
 * frame at its end. */
#include <stddef.h>
#include <string.h>

#include "core/own.h"
#include "core/recorder_parts.h"

/* Bytes of the largest item of each region. With less room left, the frame is cut. */
static const uint8_t item_max[WEFT_REGIONS] = {WEFT_RECORDER_ITEM_MAX, WEFT_RECORDER_ENTRY_MAX,
                                               WEFT_RECORDER_ADDRESS_MAX, WEFT_RECORDER_VALUE_MAX, 0};

__attribute__((noinline)) uint8_t *weft_put_run_apart(uint8_t *to, uint32_t run)
{
    return weft_put_run_here(to, run);
}

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
    size_t least = index == WEFT_REGION_MODELS && recorder->packing ? WEFT_RECORDER_PACK_MAX : item_max[index];
    return recorder->coded ? recorder->coded->region_min(&recorder->config, index, least) : least;
}

void weft_recorder_moment(const weft_recorder *recorder, weft_moment *moment)
{
    moment->time = weft_recorder_now(recorder);
    moment->lost = weft_recorder_all_lost(recorder);
}

void weft_recorder_write_head(const weft_recorder *recorder, weft_writer *out, weft_frame_kind kind,
                              const weft_moment *moment)
{
    weft_frame_start(out, WEFT_FORMAT_VERSION, (uint8_t)kind, recorder->sequence);
    weft_frame_moment(out, moment->lost, moment->time);
    weft_frame_origin(out, recorder->config.identity, recorder->config.run);
}

/* Writes an interval's adjacent fields: the counts before it, and when it began. */
enum { LONG_NUMBERS = sizeof(weft_counts) / sizeof(uint64_t) + 1 };
_Static_assert(offsetof(weft_recorder, begun) == offsetof(weft_recorder, before) + sizeof(weft_counts) &&
                   offsetof(weft_recorder_frame, begun) == offsetof(weft_recorder_frame, before) + sizeof(weft_counts),
               "one after the other");

static void write_numbers(weft_writer *out, const uint32_t *at, unsigned count)
{
    for (const uint32_t *end = at + count; at != end; at++)
        weft_write_varint(out, *at);
}

static void write_trace_head(const weft_recorder *recorder, weft_writer *out, const weft_recorder_frame *frame)
{
    const uint8_t *coders = recorder->coders;
    weft_recorder_write_head(recorder, out, WEFT_FRAME_TRACE, &frame->end);
    weft_write_u8(out, frame->packs ? (uint8_t)WEFT_CONTROL_WORDS : coders[WEFT_HEAD_CONTROL]);
    weft_write_bytes(out, coders + WEFT_HEAD_HISTORY, WEFT_HEAD_CODERS - WEFT_HEAD_HISTORY);
    const void *before = frame;
    const weft_long_member *at = (const weft_long_member *)before + offsetof(weft_recorder_frame, before) / sizeof *at;
    for (unsigned i = 0; i < LONG_NUMBERS; i++)
        weft_write_varint64(out, at[i]);
    write_numbers(out, frame->number, WEFT_HEAD_NUMBERS);
    if (frame->packs) {
        weft_write_varint(out, frame->packs);
        weft_write_varint(out, 32 - recorder->packs.shift); /* as it is since the first pack */
    }
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        weft_write_varint(out, (uint32_t)frame->piece[1 + i].size);
}

/* The bytes of adjacent numbers. */
static uint32_t varint_sizes(const void *numbers, unsigned count)
{
    uint32_t size = count;
    for (const weft_long_member *at = numbers; count > 0; count--, at++)
        for (uint64_t value = *at; value >>= 7;)
            size++;
    return size;
}

/* The most bytes that the head of the interval that begins now can take, body head included: what write_trace_head
 * writes, less what is known now to be short. */
static size_t head_max(const weft_recorder *recorder)
{
    const weft_recorder_config *config = &recorder->config;
    const uint64_t known[] = {weft_recorder_all_lost(recorder), config->run}, most = config->bytes_size;
    const uint8_t *object = (const uint8_t *)recorder;
    /* Plain values take at least a byte each, as what regions hold does. Others may take less. */
    uint32_t sizes = WEFT_REGIONS + (config->value_coder || config->profile_only ? 0u : 2u);
    size_t size = WEFT_FRAME_HEAD_MAX + WEFT_RECORDER_BODY_MAX - WEFT_VARINT32_MAX -
                  (1 + LONG_NUMBERS) * WEFT_VARINT64_MAX + varint_sizes(known, WEFT_COUNT(known)) +
                  varint_sizes(object + offsetof(weft_recorder, before), LONG_NUMBERS);
    size -= sizes * (WEFT_VARINT32_MAX - varint_sizes(&most, 1));
    return weft_recorder_may_pack(recorder) ? size : size - WEFT_RECORDER_PACKS_HEAD;
}

/* The models section's share of `rest`, in parts of 256: for words of packs as for any section; for a model coder what
 * it asks for. */
static uint32_t models_share(const weft_recorder *recorder, uint32_t rest)
{
    if (recorder->packing)
        return 8;
    return recorder->coded ? recorder->coded->models_share(&recorder->config, rest) : 0;
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
    uint32_t least[WEFT_REGIONS];
    for (unsigned i = 0; i < WEFT_REGIONS; i++) {
        least[i] = (uint32_t)region_min(recorder, i);
        rest -= least[i];
        sum += recorder->used[i];
    }
    uint32_t models = models_share(recorder, rest), parts = 224 - models;
    for (unsigned i = 0; i < WEFT_REGIONS; i++) {
        weft_region *region = &recorder->region[i];
        /* used <= 2^24, so the products fit 32 bits; parts + 4 * 8 + models make 256 at most. */
        uint32_t share = recorder->used[i] * parts / sum + (i == WEFT_REGION_MODELS ? models : 8);
        region->start = region->at = at;
        at += least[i] + (rest >> 8) * share + ((rest & 255) * share >> 8);
        region->end = at;
        region->limit = at - item_max[i];
    }
    if (recorder->coded)
        recorder->coded->deal(recorder, buffer);
    recorder->packs.limit = buffer;
    if (recorder->packing)
        recorder->packing(recorder, true);
}

void weft_recorder_begin_packing(weft_recorder *recorder, void (*packing)(weft_recorder *recorder, bool begins))
{
    recorder->packing = packing;
    if (weft_recorder_is_empty(recorder))
        deal(recorder);
}

void weft_recorder_next_epoch(weft_recorder *recorder, bool frame)
{
    recorder->address = 0;
    recorder->value = 0;
    if (recorder->coded)
        recorder->coded->restart(&recorder->config, frame);
    if (++recorder->epoch <= UINT16_MAX)
        return;
    /* Once in 2^16 times the stamps start again. */
    memset(recorder->slots, 0, ((size_t)recorder->slots_mask + 1) * sizeof *recorder->slots);
    memset(recorder->value_slots, 0, ((size_t)recorder->value_slots_mask + 1) * sizeof *recorder->value_slots);
    recorder->epoch = 1;
}

void weft_recorder_add(weft_counts *to, const weft_counts *counts)
{
    void *sums = to;
    const void *terms = counts;
    for (unsigned i = 0; i < sizeof *to / sizeof(weft_long_member); i++)
        ((weft_long_member *)sums)[i] += ((const weft_long_member *)terms)[i];
}

uint64_t weft_recorder_all(const weft_counts *counts)
{
    return counts->paths + counts->accesses + counts->values + counts->marks;
}

void weft_recorder_move_counts(weft_recorder *recorder, weft_counts *to)
{
    const weft_counts counts = {weft_recorder_paths(recorder), weft_recorder_accesses(recorder), recorder->values,
                                recorder->marks};
    weft_recorder_add(to, &counts);
    recorder->paths = recorder->accesses = recorder->values = recorder->marks = 0;
    recorder->turn &= ~WEFT_TURN_RUN;
    weft_history_restart(&recorder->history);
}

__attribute__((noinline)) void weft_recorder_begin_stretch_apart(weft_recorder *recorder)
{
    weft_recorder_begin_stretch_here(recorder);
}

void weft_recorder_begin_interval(weft_recorder *recorder)
{
    weft_recorder_move_counts(recorder, &recorder->before);
    recorder->begun = recorder->stamp = weft_recorder_now(recorder);
    recorder->first_context = recorder->context;
    weft_recorder_begin_stretch(recorder);
    weft_recorder_next_epoch(recorder, true);
    recorder->paths_max = WEFT_RECORDER_PATHS_MAX;
    recorder->run_ended = NULL;
    deal(recorder);
}

void weft_recorder_begin_frame(weft_recorder *recorder)
{
    if (recorder->coded)
        recorder->coded->begin(recorder);
}

void weft_recorder_lose(weft_recorder *recorder)
{
    weft_recorder_move_counts(recorder, &recorder->aside);
    weft_recorder_add(&recorder->lost, &recorder->aside);
    weft_recorder_add(&recorder->before, &recorder->aside);
    recorder->aside = (weft_counts){0};
    weft_recorder_begin_interval(recorder);
}

/* Every position lies after the buffer's first byte, so no item "fits". */
void weft_recorder_close_regions(weft_recorder *recorder)
{
    uint8_t *never = weft_recorder_buffer(recorder);
    for (unsigned i = 0; i < WEFT_REGIONS; i++)
        recorder->region[i].limit = recorder->region[i].end = never;
    recorder->packs.limit = never;
}

void weft_recorder_end_sections(weft_recorder *recorder)
{
    weft_region *bus = &recorder->region[WEFT_REGION_BUS];
    weft_recorder_end_run(recorder);
    bus->at = weft_put_run(bus->at, recorder->turn & WEFT_TURN_RUN);
    if (recorder->packing)
        recorder->packing(recorder, false);
    if (recorder->coded)
        recorder->coded->end(recorder);
}

uint64_t weft_recorder_now(const weft_recorder *recorder)
{
    const weft_clock *clock = recorder->config.clock;
    return clock && clock->now ? clock->now(clock->context) : 0;
}

/* Out of line, so that short stores reach the frame's members. */
static __attribute__((noinline)) void fill_frame(weft_recorder *recorder, weft_recorder_frame *frame)
{
    uint32_t accesses = weft_recorder_accesses(recorder);
    frame->buffer = weft_recorder_buffer(recorder);
    frame->wire_size = 0;
    frame->before = recorder->before;
    frame->begun = recorder->begun;
    weft_recorder_moment(recorder, &frame->end);
    frame->number[WEFT_HEAD_PATHS] = weft_recorder_paths(recorder);
    frame->number[WEFT_HEAD_ACCESSES] = accesses;
    frame->number[WEFT_HEAD_VALUES] = recorder->values;
    frame->number[WEFT_HEAD_CONTEXT] = recorder->first_context;
    frame->number[WEFT_HEAD_ACCESSES_TAIL] = accesses - weft_recorder_accesses_done(recorder);
    frame->number[WEFT_HEAD_VALUES_TAIL] = recorder->values - recorder->values_done;
    frame->packs = recorder->packs.count;
    for (unsigned i = 0; i < WEFT_REGIONS; i++) {
        const weft_region *region = &recorder->region[i];
        recorder->used[i] = (uint32_t)(region->at - region->start);
        frame->piece[1 + i] = (weft_frame_piece){region->start, recorder->used[i]};
    }
}

void weft_recorder_end_frame(weft_recorder *recorder)
{
    fill_frame(recorder, &recorder->queue[recorder->ended % 2]);
    recorder->ended++;
}

void weft_recorder_seal(weft_recorder *recorder, weft_recorder_frame *frame)
{
    /* There is room for the head before the first region: see deal. */
    uint8_t *head = frame->buffer + weft_recorder_shift(recorder);
    weft_writer writer;
    weft_writer_init(&writer, head, (size_t)(frame->piece[1].bytes - head));
    write_trace_head(recorder, &writer, frame);
    frame->piece[0] = (weft_frame_piece){head, writer.size};
    frame->wire_size = weft_frame_seal_pieces(frame->buffer, frame->piece, WEFT_COUNT(frame->piece));
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
