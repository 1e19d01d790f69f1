/* SPDX-License-Identifier: MIT */
#include "tests/lib/readers_put.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digest.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/weft/command.h"

enum { INPUT_MAX = 1 << 20 };

static const char *input; /* where it is written */

static void fail(void)
{
    perror(input);
    exit(EXIT_HOST);
}

static void put_file(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(input, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        fail();
}

/* A profile whose digest is right. */
static void put_profile(const uint8_t *bytes, size_t size)
{
    static uint8_t whole[INPUT_MAX];
    if (size > sizeof whole)
        size = sizeof whole;
    memcpy(whole, bytes, size);
    for (size_t body = 0, at = 8; size >= PROFILE_HEAD_SIZE + PROFILE_TAIL_SIZE;) {
        for (unsigned i = 0; i < 8; i++)
            body |= (size_t)whole[at + i] << 8 * i;
        if (body > size - PROFILE_HEAD_SIZE - PROFILE_TAIL_SIZE)
            break;
        uint64_t digest = digest_of(0, whole, PROFILE_HEAD_SIZE + body);
        for (unsigned i = 0; i < 8; i++)
            whole[PROFILE_HEAD_SIZE + body + i] = (uint8_t)(digest >> 8 * i);
        break;
    }
    put_file(whole, size);
}

/* A packet of gdb: its sum follows. */
static void put_packet(FILE *file, const uint8_t *line, size_t length)
{
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++)
        sum += line[i];
    putc('$', file);
    fwrite(line, 1, length, file);
    fprintf(file, "#%02x", sum & 255);
}

/* An answer of an emulator: a packet, or what it is if it begins with ! */
static void put_answer(FILE *file, const uint8_t *line, size_t length)
{
    if (length && *line == '!')
        fwrite(line + 1, 1, length - 1, file);
    else
        put_packet(file, line, length);
}

/* A message of an editor: its length comes first. */
static void put_message(FILE *file, const uint8_t *line, size_t length)
{
    fprintf(file, "Content-Length: %zu\r\n\r\n", length);
    fwrite(line, 1, length, file);
}

/* Each line becomes what a client sends. */
static void put_lines(const uint8_t *bytes, size_t size, void put(FILE *file, const uint8_t *line, size_t length))
{
    FILE *file = fopen(input, "wb");
    for (size_t at = 0; file && at < size;) {
        const uint8_t *line = bytes + at, *end = memchr(line, '\n', size - at);
        size_t length = end ? (size_t)(end - line) : size - at;
        put(file, line, length);
        at += length + 1;
    }
    if (!file || fclose(file))
        fail();
}

void readers_put(reader_kind kind, const char *path, const uint8_t *bytes, size_t size)
{
    input = path;
    if (kind == READER_PACKETS)
        put_lines(bytes, size, put_packet);
    else if (kind == READER_ANSWERS)
        put_lines(bytes, size, put_answer);
    else if (kind == READER_MESSAGES)
        put_lines(bytes, size, put_message);
    else if (kind == READER_PROFILE)
        put_profile(bytes, size);
    else
        put_file(bytes, size);
    if (kind >= READER_INPUT && !freopen(input, "rb", stdin))
        fail();
}
