/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/link.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"

#define INTERRUPT '\x03'

int link_error(int number)
{
    return number == EPIPE || number == ECONNRESET ? 0 : number;
}

static bool put(debug_link *link, const char *bytes, size_t size)
{
    while (size) {
        ssize_t done = write(link->out, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            link->failed = link_error(errno);
            return false;
        }
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

bool link_read(int in, char *to, size_t room, size_t *have, int *failed)
{
    ssize_t got;
    do
        got = read(in, to + *have, room);
    while (got < 0 && errno == EINTR);
    if (got > 0)
        *have += (size_t)got;
    if (got < 0)
        *failed = link_error(errno);
    return got > 0;
}

static bool more(debug_link *link)
{
    if (link->have == sizeof link->input)
        link->have = 0; /* no client sends packets of that size */
    return link_read(link->in, link->input, sizeof link->input - link->have, &link->have, &link->failed);
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static void drop(debug_link *link, size_t size)
{
    link->have -= size;
    memmove(link->input, link->input + size, link->have);
}

/* Takes a packet out of the input. 1: it is there; 0: not yet; -1: its sum is wrong. */
static int take(debug_link *link)
{
    const char *start = memchr(link->input, '$', link->have);
    if (!start) {
        link->have = 0; /* acknowledgements, and interrupts of what has stopped */
        return 0;
    }
    const char *end = memchr(start, '#', (size_t)(link->input + link->have - start));
    if (!end || end + 3 > link->input + link->have)
        return 0;
    size_t size = (size_t)(end - start - 1);
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += (unsigned char)start[1 + i];
    bool good = size <= LINK_PACKET_MAX && (int)(sum & 255) == digit(end[1]) * 16 + digit(end[2]);
    if (good) {
        memcpy(link->packet, start + 1, size);
        link->packet[size] = 0;
    }
    drop(link, (size_t)(end + 3 - link->input));
    return good ? 1 : -1;
}

/* A client that waited long for its first answer sends its packet again: the copies must not be answered, too. */
static void drop_copies(debug_link *link)
{
    size_t size = strlen(link->packet);
    while (!link->quiet && link->have >= size + 4 && link->input[0] == '$' && link->input[size + 1] == '#' &&
           !memcmp(link->input + 1, link->packet, size))
        drop(link, size + 4);
}

bool link_receive(debug_link *link)
{
    for (;;) {
        int taken = take(link);
        if (taken > 0)
            drop_copies(link);
        if (taken && !link->quiet && !put(link, taken > 0 ? "+" : "-", 1))
            return false;
        if (taken > 0)
            return true;
        if (!taken && !more(link))
            return false;
    }
}

bool link_interrupted(debug_link *link)
{
    struct pollfd p = {link->in, POLLIN, 0};
    if (poll(&p, 1, 0) <= 0)
        return false;
    if (!more(link))
        return true; /* gone: link_receive finds out */
    return memchr(link->input, INTERRUPT, link->have) != NULL;
}

void link_add(debug_link *link, const char *format, ...)
{
    va_list values;
    link->answer = memory_room(link->answer, link->size + LINK_PACKET_MAX, &link->room, 1);
    va_start(values, format);
    int size = vsnprintf(link->answer + link->size, LINK_PACKET_MAX, format, values);
    va_end(values);
    link->size += size < 0 ? 0 : size < (int)LINK_PACKET_MAX ? (size_t)size : LINK_PACKET_MAX - 1;
}

void link_add_hex(debug_link *link, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *b = bytes;
    link->answer = memory_room(link->answer, link->size + 2 * size + 1, &link->room, 1);
    for (size_t i = 0; i < size; i++) {
        link->answer[link->size++] = digits[b[i] >> 4];
        link->answer[link->size++] = digits[b[i] & 15];
    }
}

void link_add_binary(debug_link *link, const void *bytes, size_t size)
{
    const char *b = bytes;
    link->answer = memory_room(link->answer, link->size + 2 * size + 1, &link->room, 1);
    for (size_t i = 0; i < size; i++) {
        bool escaped = b[i] == '$' || b[i] == '#' || b[i] == '}' || b[i] == '*';
        if (escaped)
            link->answer[link->size++] = '}';
        link->answer[link->size++] = escaped ? (char)(b[i] ^ 0x20) : b[i];
    }
}

bool link_send(debug_link *link)
{
    char end[8];
    unsigned sum = 0;
    for (size_t i = 0; i < link->size; i++)
        sum += (unsigned char)link->answer[i];
    snprintf(end, sizeof end, "#%02x", sum & 255);
    link->answer = memory_room(link->answer, link->size + 4, &link->room, 1);
    memmove(link->answer + 1, link->answer, link->size);
    link->answer[0] = '$';
    memcpy(link->answer + 1 + link->size, end, 3);
    bool good = put(link, link->answer, link->size + 4);
    link->size = 0;
    return good;
}
