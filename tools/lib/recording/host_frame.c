/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/host_frame.h"

#include <stdlib.h>

#include "core/format.h"
#include "tools/lib/base/memory.h"

bool host_frame_write(const weft_frame *like, uint8_t kind, const uint8_t *body, size_t size, FILE *out)
{
    weft_frame frame = *like;
    weft_writer writer;
    size_t content = WEFT_FRAME_HEAD_MAX + size + WEFT_FRAME_CHECK_SIZE, shift = WEFT_FRAME_SHIFT(content);
    uint8_t *bytes = memory_zero(WEFT_FRAME_WIRE_MAX(content) + shift, 1);
    frame.version = WEFT_FORMAT_VERSION;
    frame.kind = kind;
    weft_writer_init(&writer, bytes + shift, content);
    weft_frame_head(&writer, &frame);
    weft_write_bytes(&writer, body, size);
    size_t wire = weft_frame_seal(bytes, shift, writer.size);
    bool written = fwrite(bytes, 1, wire, out) == wire;
    free(bytes);
    return written;
}
