/* SPDX-License-Identifier: MIT */
#include "core/recorder_grammar.h"
#include "core/own.h"

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
    weft_write_field(out, WEFT_STATS_CODER_HIGH, weft_seq_high_water(seq));
    weft_write_field(out, WEFT_STATS_CODER_MAX, seq->symbols_max);
    weft_write_field(out, WEFT_STATS_CODER_RULES_HIGH, weft_seq_terminals_high(seq));
    weft_write_field(out, WEFT_STATS_CODER_RULES_MAX, seq->terminals_max);
}

const weft_control_coder weft_control_coder_grammar = {&weft_coded, WEFT_CONTROL_GRAMMAR, size_min, push, flush, stats};
