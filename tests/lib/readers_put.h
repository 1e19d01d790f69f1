/* SPDX-License-Identifier: MIT */
/* The bytes of a fuzzer as a reader takes them. */
#ifndef WEFT_TESTS_LIB_READERS_PUT_H
#define WEFT_TESTS_LIB_READERS_PUT_H

#include <stddef.h>
#include <stdint.h>

/* From INPUT on it is standard input, too. PACKETS, MESSAGES: each line is what a client sends. ANSWERS: each line is
 * what an emulator answers; one that begins with ! is sent as it is. */
typedef enum reader_kind {
    READER_FILE,
    READER_PROFILE,
    READER_ANSWERS,
    READER_INPUT,
    READER_PACKETS,
    READER_MESSAGES
} reader_kind;

/* Writes them into the file at `path`, which stays valid; clients and devices are standard input. */
void readers_put(reader_kind kind, const char *path, const uint8_t *bytes, size_t size);

#endif
