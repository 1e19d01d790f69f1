/* SPDX-License-Identifier: MIT */
#include "core/recorder_grammar.h"
#include "core/own.h"
#include "core/recorder_parts.h"

static size_t size_min(const void *state)
{
    (void)state;
    return WEFT_SEQ_SEGMENT_MIN;
}

static weft_status push(void *state, uint32_t symbol, weft_writer *out)
{
    return weft_seq_push(state, symbol, out->size_max - out->size);
}

static void flush(void *state, weft_writer *out)
{
    weft_seq_flush(state, out); /* it fits: push has made sure */
}

static void stats(const void *state, weft_writer *out)
{
    const weft_seq *seq = state;
    const uint32_t values[] = {weft_seq_high_water(seq), seq->symbols_max, weft_seq_terminals_high(seq),
                               seq->terminals_max};
    weft_recorder_write_fields(out, WEFT_STATS_CODER_HIGH, values, WEFT_COUNT(values));
}

const weft_control_coder weft_control_coder_grammar = {&weft_coded, WEFT_CONTROL_GRAMMAR, size_min, push, flush, stats};
