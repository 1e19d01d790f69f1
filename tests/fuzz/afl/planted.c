/* SPDX-License-Identifier: MIT */
/* A planted bug, in no other build than build/fuzz/planted: bytes are read in place without a look at how many are
 * left, once the reader is some way into what it reads. */
#include "core/bytes.h"

const uint8_t *__real_weft_read_bytes(weft_reader *reader, size_t size);
const uint8_t *__wrap_weft_read_bytes(weft_reader *reader, size_t size);

const uint8_t *__wrap_weft_read_bytes(weft_reader *reader, size_t size)
{
    enum { FROM = 16, SMALL = 4096 };
    if (reader->status != WEFT_OK || reader->at < FROM || size > SMALL)
        return __real_weft_read_bytes(reader, size);
    const uint8_t *bytes = reader->bytes + reader->at;
    reader->at += size;
    return bytes;
}
