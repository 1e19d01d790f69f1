/* SPDX-License-Identifier: MIT */
/* Counts what filters, triggers and sampling leave out, for the end record. */
#include "core/own.h"
#include "port/cortex-m/controls_parts.h"
#include "port/cortex-m/exclusive.h"

/* Linked where activations.c is. */
#pragma weak weft_sampling_missed

static uint32_t out[4]; /* events by weft_event_tag */
static uint32_t activations;

static void write_counts(weft_writer *writer)
{
    static const uint8_t keys[4] = {WEFT_STATS_OUT_MARKS, WEFT_STATS_OUT_PATHS, WEFT_STATS_OUT_ACCESSES,
                                    WEFT_STATS_OUT_VALUES};
    for (unsigned kind = 0; kind < 4; kind++)
        if (out[kind])
            weft_write_field(writer, keys[kind], out[kind]);
    if (activations)
        weft_write_field(writer, WEFT_STATS_OUT_ACTIVATIONS, activations);
}

void weft_left_out_begin(weft_recorder *recorder)
{
    for (unsigned kind = 0; kind < 4; kind++)
        out[kind] = 0;
    activations = 0;
    recorder->left_out = write_counts;
}

/* It stops at 2^32 - 1. Where nothing records, nothing is left out. */
static void add(uint32_t *word, uint32_t count)
{
    if (!weft_target_recorder)
        return;
    uint32_t value, state;
    do
        value = weft_exclusive_load(word, &state);
    while (!weft_exclusive_store(word, value + count < value ? UINT32_MAX : value + count, state));
}

void weft_left_out(const weft_event_slot *event)
{
    if (weft_event_is_sampling(event) && weft_sampling_missed)
        weft_sampling_missed();
    if ((event->tag & WEFT_TAG_STAMP) == WEFT_TAG_STAMP || weft_event_is_sampling(event))
        return;
    bool passes = (event->tag & (WEFT_TAG_KIND | WEFT_TAG_ONE)) == (WEFT_TAG_PATH | WEFT_TAG_ONE);
    add(&out[event->tag & WEFT_TAG_KIND], passes ? event->data_high : 1);
}

void weft_left_out_paths(uint32_t count)
{
    add(&out[WEFT_TAG_PATH], count);
}

void weft_left_out_activation(void)
{
    add(&activations, 1);
}
