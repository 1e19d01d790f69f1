/* SPDX-License-Identifier: MIT */
/* Writes protocol buffers (protobuf.dev, "Encoding"): a message is built in memory, field by field, then put into
 * another one or onto a stream.
 *
 *     protobuf m = {0};
 *     protobuf_number(&m, 1, 150);
 *     protobuf_message(&outer, 3, &m);        m is empty again, and can be filled again
 *     protobuf_free(&m); */
#ifndef WEFT_TOOLS_LIB_EXPORT_PROTOBUF_H
#define WEFT_TOOLS_LIB_EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

typedef struct protobuf {
    uint8_t *bytes;
    size_t size, max;
} protobuf;

void protobuf_free(protobuf *m);

/* A field of a type that is a varint: int64 (not sint64), uint32, bool, enum. */
void protobuf_number(protobuf *m, unsigned field, uint64_t value);
/* A string; each byte that is not of UTF-8 is written as U+FFFD. */
void protobuf_text(protobuf *m, unsigned field, const char *text);
/* A message as a field; empties it. */
void protobuf_message(protobuf *m, unsigned field, protobuf *inner);
/* A packed repeated field of varints. */
void protobuf_numbers(protobuf *m, unsigned field, const uint64_t *values, size_t count);

#endif
