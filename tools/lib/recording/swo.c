/* SPDX-License-Identifier: MIT */
/* The steps for a byte: 1. where there is a formatter, gather its frame and give each byte to its stream; 2. in doubt,
 * wait for some more, and see where packets begin; 3. follow the packets, and take the payload of the port's. */
#include "tools/lib/recording/swo.h"

#include <string.h>

enum { CONTINUED = 0xff, SYNC_ZEROS = 5, SYNC_END = 0x80, OVERFLOW = 0x70, TIME_1 = 0x94, TIME_2 = 0xb4 };
#define FULL_SYNC 0xffffff7fu

void swo_begin(swo *s, unsigned port, unsigned stream)
{
    *s = (swo){.port = port, .stream = stream};
}

/* ---- step 3: packets ---- */

static void source_packet(swo *s, uint8_t header)
{
    bool software = !(header & 4);
    s->left = header & 3u;
    s->left += s->left == 3;
    s->ours = software && s->page * 32 + (header >> 3) == s->port;
    s->others += !s->ours;
}

static void overflow(swo *s)
{
    if (s->overflows++ == 0)
        s->overflowed_at = s->bytes;
}

/* Headers whose low two bits are clear. */
static void protocol_packet(swo *s, uint8_t header)
{
    s->ours = false;
    if (header == 0) /* of a synchronisation packet */
        return;
    if (header == OVERFLOW)
        overflow(s);
    else if ((header & 0x8f) == 0) /* a short timestamp */
        return;
    else if ((header & 0xcf) == 0xc0 || header == TIME_1 || header == TIME_2)
        s->left = CONTINUED;
    else if ((header & 0x0b) == 0x08) { /* an extension; the ITM's says the page of the ports */
        s->left = header & 0x80 ? CONTINUED : 0;
        if (!(header & 0x84))
            s->page = header >> 4 & 7;
    } else
        s->unreadable++;
}

/* At least 47 zero bits and a one are nowhere else. True: the byte ends a synchronisation packet. */
static bool synchronises(swo *s, uint8_t byte)
{
    bool end = s->zeros >= SYNC_ZEROS && byte == SYNC_END;
    s->zeros = byte ? 0 : s->zeros + (s->zeros < SYNC_ZEROS);
    if (end && s->left)
        s->unreadable++;
    if (end)
        s->left = 0;
    return end;
}

/* The number of bytes for the port: 0 or 1. */
static size_t packet_byte(swo *s, uint8_t *out, uint8_t byte)
{
    if (synchronises(s, byte))
        return 0;
    if (s->left == CONTINUED) {
        s->left = byte & 0x80 ? CONTINUED : 0;
        return 0;
    }
    if (s->left == 0) {
        if (byte & 3)
            source_packet(s, byte);
        else
            protocol_packet(s, byte);
        return 0;
    }
    s->left--;
    *out = byte;
    s->taken += s->ours;
    return s->ours;
}

/* ---- step 2: where do packets begin? ---- */

/* Bytes for the port, if the first packet begins at `from`. */
static uint64_t score(const swo *s, unsigned from)
{
    swo trial = *s;
    uint8_t none;
    for (unsigned i = from; i < SWO_AHEAD; i++)
        packet_byte(&trial, &none, s->ahead[i]);
    return trial.taken - s->taken;
}

/* A packet has 5 bytes at most. Another place must be much better, since other sources may send anything. */
static unsigned better_place(const swo *s)
{
    enum { PLACES = 5, LEAST = SWO_AHEAD / 3 };
    uint64_t here = score(s, 0), most = 4 * here > LEAST ? 4 * here : LEAST;
    unsigned best = 0;
    for (unsigned i = 1; i < PLACES; i++) {
        uint64_t there = score(s, i);
        if (there > most) {
            most = there;
            best = i;
        }
    }
    return best;
}

static bool ports_own(const swo *s, uint8_t header)
{
    return (header & 3) && !(header & 4) && s->page * 32 + (header >> 3) == s->port;
}

static void drop_ahead(swo *s, unsigned count)
{
    s->ahead_count -= count;
    memmove(s->ahead, s->ahead + count, s->ahead_count);
}

/* Takes what waits, until a packet that may be none needs all of SWO_AHEAD to be judged. */
static size_t take_ahead(swo *s, uint8_t *out, bool all)
{
    size_t count = 0;
    while (s->ahead_count) {
        bool judge = s->doubt && !all && s->left == 0 && !ports_own(s, s->ahead[0]);
        if (judge && s->ahead_count < SWO_AHEAD)
            break;
        unsigned skipped = judge ? better_place(s) : 0;
        s->unreadable += skipped;
        drop_ahead(s, skipped);
        count += packet_byte(s, out + count, s->ahead[0]);
        drop_ahead(s, 1);
    }
    return count;
}

static size_t itm_byte(swo *s, uint8_t *out, uint8_t byte)
{
    if (!s->doubt && !s->ahead_count)
        return packet_byte(s, out, byte);
    s->ahead[s->ahead_count++] = byte;
    return take_ahead(s, out, false);
}

size_t swo_end(swo *s, uint8_t *out)
{
    return take_ahead(s, out, true);
}

/* ---- step 1: the formatter ---- */

/* Bytes at even places are data, their lowest bit in the last byte; or, with that bit set, the number of the stream
 * that follows: at once, or, if its bit in the last byte is set, after one byte more. */
static size_t take_frame(swo *s, uint8_t *out)
{
    size_t count = 0;
    uint8_t low = s->frame[15];
    for (unsigned i = 0; i < 15; i++) {
        uint8_t byte = s->frame[i];
        bool number = i % 2 == 0 && (byte & 1), later = low >> i / 2 & 1;
        unsigned next = byte >> 1;
        if (number && !later)
            s->current = next;
        if (!number && s->current == s->stream)
            count += itm_byte(s, out + count, i % 2 ? byte : (uint8_t)(byte | later));
        if (i % 2 && (s->frame[i - 1] & 1))
            s->current = s->frame[i - 1] >> 1;
    }
    if (s->frame[14] & 1)
        s->current = s->frame[14] >> 1;
    return count;
}

/* A full synchronisation stands between frames; a half one, FF 7F, between two bytes of a frame and the next two. */
static bool formatter_synchronises(swo *s, uint8_t byte)
{
    s->last = s->last << 8 | byte;
    if (s->last == FULL_SYNC) {
        s->unreadable += s->aligned && s->filled != 3;
        s->unsynchronised -= s->aligned ? 0 : 3; /* of this one */
        s->aligned = true;
        s->filled = 0;
        return true;
    }
    if (s->aligned && s->filled % 2 == 1 && (s->last & 0xffff) == 0xff7f) {
        s->filled--;
        return true;
    }
    return false;
}

static size_t formatter_byte(swo *s, uint8_t *out, uint8_t byte)
{
    if (formatter_synchronises(s, byte))
        return 0;
    if (!s->aligned) {
        s->unsynchronised++;
        return 0;
    }
    s->frame[s->filled++] = byte;
    if (s->filled < sizeof s->frame)
        return 0;
    s->filled = 0;
    return take_frame(s, out);
}

size_t swo_bytes(swo *s, uint8_t *out, const uint8_t *bytes, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += s->stream ? formatter_byte(s, out + count, bytes[i]) : itm_byte(s, out + count, bytes[i]);
        s->bytes++;
    }
    return count;
}
