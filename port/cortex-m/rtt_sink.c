/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/own.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/sinks.h"

_Static_assert(sizeof(weft_rtt_channel) == 24 && offsetof(weft_rtt, up) == 24, "the layout of SEGGER's control block");

void weft_rtt_begin(weft_rtt *rtt, uint32_t count)
{
    /* The id backwards. It stands nowhere in the image as it is read, so a debugger that searches for it finds the
     * block only. */
    static const char backwards[] = "TTR REGGES";
    const size_t length = sizeof backwards - 1;
    memset((void *)rtt, 0, 24 + count * sizeof(weft_rtt_channel));
    rtt->up_count = count;
    weft_barrier();
    for (size_t i = 0; i < length; i++)
        rtt->id[length - 1 - i] = backwards[i];
}

/* Bytes that fit. 0 if the debugger's offset is outside of the channel. */
static uint32_t room(const weft_rtt_channel *c)
{
    uint32_t read_at = c->read_at, write_at = c->write_at;
    if (read_at >= c->size)
        return 0;
    return (read_at > write_at ? read_at - write_at : c->size + read_at - write_at) - 1;
}

static weft_status write(void *context, const uint8_t *frame, size_t size)
{
    weft_rtt_channel *c = context;
    if (size >= c->size)
        return WEFT_AGAIN;
    while (room(c) < size)
        if ((c->flags & 3) != WEFT_RTT_WAIT)
            return WEFT_AGAIN;
    uint32_t at = c->write_at;
    size_t before_wrap = c->size - at < size ? c->size - at : size;
    memcpy(c->bytes + at, frame, before_wrap);
    memcpy(c->bytes, frame + before_wrap, size - before_wrap);
    weft_barrier();
    at += (uint32_t)size;
    c->write_at = at < c->size ? at : at - c->size;
    return WEFT_OK;
}

weft_sink weft_rtt_channel_open(weft_rtt_channel *channel, uint8_t *bytes, uint32_t size, uint32_t flags)
{
    channel->name = "Weft";
    channel->size = size;
    channel->write_at = 0;
    channel->read_at = 0;
    channel->flags = flags;
    weft_barrier();
    channel->bytes = bytes;
    return (weft_sink){channel, write};
}

void weft_rtt_channel_drain(const weft_rtt_channel *channel)
{
    while ((channel->flags & 3) == WEFT_RTT_WAIT && channel->read_at != channel->write_at)
        ;
}
