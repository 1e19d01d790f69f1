/* SPDX-License-Identifier: MIT */
#include "tests/lib/faulty_sink.h"

static uint32_t next_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

weft_status faulty_sink_write(void *context, const uint8_t *frame, size_t size)
{
    faulty_sink *sink = context;
    sink->writes++;
    bool listed = sink->writes >= sink->refuse_from && sink->writes - sink->refuse_from < sink->refuse_count;
    bool unlucky = sink->refuse_percent && next_random(&sink->random) % 100 < sink->refuse_percent;
    if (!listed && !unlucky)
        return sink->to->write(sink->to->context, frame, size);
    sink->refused++;
    return WEFT_AGAIN;
}
