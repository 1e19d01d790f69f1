/* SPDX-License-Identifier: MIT */
#include "core/own.h"
#include "port/cortex-m/semihost.h"
#include "port/cortex-m/sinks.h"

static weft_status write(void *context, const uint8_t *frame, size_t size)
{
    const weft_semihost_sink *state = context;
    if (state->handle < 0 || weft_semihost_write(state->handle, frame, size))
        return WEFT_FULL;
    return WEFT_OK;
}

weft_sink weft_semihost_sink_open(weft_semihost_sink *state, const char *name)
{
    state->handle = weft_semihost_open(name, WEFT_SEMIHOST_WRITE);
    return (weft_sink){state, write};
}
