/* SPDX-License-Identifier: MIT */
/* The reader of SWO against a model of the ITM and of the TPIU's formatter. The model writes what the manuals say:
 * packets of several ports and sources, timestamps, synchronisation. Some bytes are lost on the way. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/recording/swo.h"

enum { PORT = 1, PAYLOAD = 40000, WIRE = 8 * PAYLOAD, ITM_STREAM = 1, OTHER_STREAM = 2 };

static uint8_t sent[PAYLOAD], wire[WIRE], framed[WIRE], got[WIRE + SWO_HELD];
static size_t wire_size, framed_size;
static unsigned others, overflows;
static check_random dice = {20261122};

static bool chance(uint32_t in)
{
    return check_random_below(&dice, in) == 0;
}

/* ---- the ITM ---- */

static void out(uint8_t byte)
{
    wire[wire_size++] = byte;
}

static void source(unsigned number, bool hardware, const uint8_t *bytes, unsigned size)
{
    out((uint8_t)(number << 3 | hardware << 2 | (size == 4 ? 3 : size)));
    for (unsigned i = 0; i < size; i++)
        out(bytes[i]);
}

static void continued(uint8_t header, unsigned bytes)
{
    out(header);
    for (unsigned i = 0; i < bytes; i++)
        out((uint8_t)(check_random_below(&dice, 128) | (i + 1 < bytes) << 7));
}

static void synchronise(void)
{
    for (unsigned i = 5 + check_random_below(&dice, 3); i > 0; i--)
        out(0);
    out(0x80);
}

/* A packet that is not the port's. */
static void other(unsigned page)
{
    uint32_t word = check_random_next(&dice) & (chance(3) ? 0xff000000u : 0xffffffffu);
    uint8_t bytes[4];
    memcpy(bytes, &word, 4);
    unsigned size = 1u << check_random_below(&dice, 3), number = check_random_below(&dice, 32);
    switch (check_random_below(&dice, 9)) {
    case 0:
        source(number == PORT ? 0 : number, false, bytes, size);
        others++;
        break;
    case 1:
        source(number, true, bytes, size);
        others++;
        break;
    case 2:
        continued((uint8_t)(0xc0 | check_random_below(&dice, 4) << 4), 1 + check_random_below(&dice, 4));
        break;
    case 3:
        out((uint8_t)((1 + check_random_below(&dice, 6)) << 4));
        break;
    case 4:
        continued(0x94, 1 + check_random_below(&dice, 4));
        break;
    case 5:
        continued(0xb4, chance(2) ? 4 : 6);
        break;
    case 6:
        out(0x70);
        overflows++;
        break;
    case 7: /* the same number on another page is another port */
        out((uint8_t)(0x08 | ((page + 1) & 7) << 4));
        source(PORT, false, bytes, size);
        out((uint8_t)(0x08 | page << 4));
        others++;
        break;
    default:
        synchronise();
    }
}

/* Writes the payload in words, and the rest in smaller writes, as the sink does for each frame. */
static void make_wire(unsigned page, uint32_t one_in)
{
    wire_size = others = overflows = 0;
    for (size_t i = 0; i < PAYLOAD; i++)
        sent[i] = (uint8_t)check_random_next(&dice);
    if (page)
        out((uint8_t)(0x08 | page << 4));
    for (size_t at = 0; at < PAYLOAD;) {
        if (chance(one_in))
            other(page);
        unsigned size = chance(20) ? 1 + chance(2) : 4;
        if (PAYLOAD - at < 4)
            size = PAYLOAD - at >= 2 ? 2 : 1;
        source(PORT, false, sent + at, size);
        at += size;
    }
}

/* ---- the formatter ---- */

static uint8_t frame[16];
static unsigned filled, running;
static size_t wire_at;

static void close_frame(void)
{
    memcpy(framed + framed_size, frame, sizeof frame);
    framed_size += sizeof frame;
    memset(frame, 0, sizeof frame);
    filled = 0;
    if (chance(10)) {
        static const uint8_t full[] = {0xff, 0xff, 0xff, 0x7f};
        memcpy(framed + framed_size, full, sizeof full);
        framed_size += sizeof full;
    }
}

static uint8_t next_byte(void)
{
    if (running == ITM_STREAM)
        return wire[wire_at++];
    return (uint8_t)check_random_next(&dice);
}

static void at_even_place(void)
{
    unsigned bit = filled / 2;
    if (chance(5)) {
        unsigned next = running == ITM_STREAM ? OTHER_STREAM : ITM_STREAM;
        bool later = filled < 14 && chance(2);
        frame[filled++] = (uint8_t)(next << 1 | 1);
        frame[15] |= (uint8_t)(later << bit);
        if (later)
            frame[filled++] = next_byte();
        running = next;
    } else {
        uint8_t byte = next_byte();
        frame[filled++] = byte & 0xfe;
        frame[15] |= (uint8_t)((byte & 1) << bit);
    }
}

static void format_wire(void)
{
    static const uint8_t full[] = {0xff, 0xff, 0xff, 0x7f};
    framed_size = filled = 0;
    wire_at = 0;
    running = OTHER_STREAM;
    memset(frame, 0, sizeof frame);
    frame[filled++] = OTHER_STREAM << 1 | 1;
    memcpy(framed, full, sizeof full);
    framed_size += sizeof full;
    /* Up to the end of the last frame. What is taken of the ITM beyond its end is not there. */
    while (wire_at + 16 < wire_size) {
        if (filled % 2 == 0)
            at_even_place();
        else
            frame[filled++] = next_byte();
        if (filled == 15)
            close_frame();
    }
    while (filled) {
        if (filled % 2 == 0 && running == ITM_STREAM) {
            frame[filled++] = 0 << 1 | 1; /* stream 0: padding */
            running = 0;
        } else {
            frame[filled++] = running == ITM_STREAM ? wire[wire_at++] : 0;
        }
        if (filled == 15)
            close_frame();
    }
}

/* ---- reading ---- */

static size_t read_in_pieces(swo *s, const uint8_t *bytes, size_t size)
{
    size_t count = 0;
    for (size_t at = 0; at < size;) {
        size_t piece = 1 + check_random_below(&dice, chance(2) ? 5 : 3000);
        piece = piece < size - at ? piece : size - at;
        count += swo_bytes(s, got + count, bytes + at, piece);
        at += piece;
    }
    return count;
}

static void what_a_port_sent_comes_back_among_all_other_packets(void)
{
    swo s;
    for (unsigned round = 0; round < 12; round++) {
        unsigned page = round % 3 == 2 ? 1 + round % 7 : 0;
        make_wire(page, round % 2 ? 2 : 30);
        swo_begin(&s, PORT + 32 * page, 0);
        CHECK_EQ(read_in_pieces(&s, wire, wire_size), PAYLOAD);
        CHECK(memcmp(got, sent, PAYLOAD) == 0);
        CHECK_EQ(s.bytes, wire_size);
        CHECK_EQ(s.taken, PAYLOAD);
        CHECK_EQ(s.others, others);
        CHECK_EQ(s.overflows, overflows);
        CHECK_EQ(s.unreadable, 0);
        CHECK_EQ(s.left, 0);
    }
}

static void and_out_of_the_formatters_frames(void)
{
    swo s;
    for (unsigned round = 0; round < 6; round++) {
        make_wire(0, 10);
        format_wire();
        swo_begin(&s, PORT, ITM_STREAM);
        size_t count = read_in_pieces(&s, framed, framed_size);
        CHECK(count <= PAYLOAD && count + 32 > PAYLOAD);
        CHECK(memcmp(got, sent, count) == 0);
        CHECK_EQ(s.unreadable, 0);
        CHECK_EQ(s.unsynchronised, 0);
        /* From the middle: after the first synchronisation. */
        swo_begin(&s, PORT, ITM_STREAM);
        CHECK(read_in_pieces(&s, framed + 1001, framed_size - 1001) > PAYLOAD / 2);
        CHECK(s.unsynchronised > 0 && s.unsynchronised < 4000);
        CHECK(memcmp(got + s.taken - PAYLOAD / 4, sent + count - PAYLOAD / 4, PAYLOAD / 4) == 0);
    }
}

static void a_half_synchronisation_is_no_part_of_a_frame(void)
{
    enum { HEADER = PORT << 3 | 3 };
    static const uint8_t bytes[] = {0xff,
                                    0xff,
                                    0xff,
                                    0x7f, /* a full one */
                                    ITM_STREAM << 1 | 1,
                                    HEADER,
                                    0xff,
                                    0x7f,
                                    'a' & 0xfe,
                                    'b', /* 4 of the frame */
                                    'c' & 0xfe,
                                    'd',
                                    0xff,
                                    0x7f,
                                    0 << 1 | 1,
                                    0,
                                    0,
                                    0, /* 10 */
                                    0xff,
                                    0x7f,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    1 << 1 | 1 << 2};
    swo s;
    swo_begin(&s, PORT, ITM_STREAM);
    CHECK_EQ(swo_bytes(&s, got, bytes, sizeof bytes), 4);
    CHECK(memcmp(got, "abcd", 4) == 0);
}

/* When a probe drops bytes, everything until packets line up again is lost too. */
static void lost_bytes_cost_what_stands_near_them(void)
{
    enum { ROUNDS = 40 };
    swo s;
    size_t sum = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        make_wire(0, 100);
        size_t at = wire_size / 2 + check_random_below(&dice, 50), lost = 1 + check_random_below(&dice, 7);
        memmove(wire + at, wire + at + lost, wire_size - at - lost);
        swo_begin(&s, PORT, 0);
        size_t count = read_in_pieces(&s, wire, wire_size - lost);
        size_t before = 0, after = 0;
        while (before < count && got[before] == sent[before])
            before++;
        while (after < count - before && got[count - 1 - after] == sent[PAYLOAD - 1 - after])
            after++;
        sum += PAYLOAD - before - after;
    }
    CHECK(sum < ROUNDS * 400);
}

/* Payload that looks like packets of another port never lines up by chance. */
static void in_doubt_packets_are_looked_for(void)
{
    swo s;
    for (unsigned lost = 1; lost < 5; lost++) {
        wire_size = 0;
        memset(sent, 2 << 3 | 3, sizeof sent);
        for (size_t at = 0; at < 4000; at += 4)
            source(PORT, false, sent, 4);
        memmove(wire + 1000, wire + 1000 + lost, wire_size - 1000 - lost);
        for (unsigned doubt = 0; doubt < 2; doubt++) {
            swo_begin(&s, PORT, 0);
            s.doubt = doubt;
            size_t count = read_in_pieces(&s, wire, wire_size - lost);
            count += swo_end(&s, got + count);
            CHECK(doubt ? count >= 4000 - 8 : count <= 808);
            CHECK_EQ(s.unreadable > 0, doubt);
        }
    }
}

/* With a synchronisation at once. */
static void after_a_synchronisation_packets_line_up(void)
{
    static const uint8_t cut[] = {PORT << 3 | 3, 'a', 'b', 0, 0, 0, 0, 0, 0x80, PORT << 3 | 3, 'e', 'f', 'g', 'h'};
    swo s;
    swo_begin(&s, PORT, 0);
    size_t count = swo_bytes(&s, got, cut, sizeof cut);
    CHECK_EQ(count, 8);
    CHECK(memcmp(got + 4, "efgh", 4) == 0);
    static const uint8_t middle[] = {PORT << 3 | 3, 0x94,          0x0b, PORT << 3 | 3, 'a', 0, 0, 0, 0, 0,
                                     0x80,          PORT << 3 | 1, 'z'};
    swo_begin(&s, PORT, 0);
    count = swo_bytes(&s, got, middle, sizeof middle);
    CHECK_EQ(got[count - 1], 'z');
}

static void any_bytes_are_read_within_their_room(void)
{
    swo s;
    for (unsigned round = 0; round < 200; round++) {
        size_t size = check_random_below(&dice, 3000);
        uint8_t *in = malloc(size + 1), *room = malloc(size + SWO_HELD);
        CHECK(in && room);
        for (size_t i = 0; i < size; i++)
            in[i] = (uint8_t)(chance(3) ? 0 : chance(3) ? 0xff : check_random_next(&dice));
        swo_begin(&s, check_random_below(&dice, SWO_PORTS), check_random_below(&dice, 3));
        s.doubt = chance(2);
        size_t count = swo_bytes(&s, room, in, size);
        CHECK(count <= size + SWO_HELD);
        CHECK_EQ(count + swo_end(&s, room), s.taken);
        CHECK_EQ(s.bytes, size);
        free(in);
        free(room);
    }
}

int main(void)
{
    RUN(what_a_port_sent_comes_back_among_all_other_packets);
    RUN(and_out_of_the_formatters_frames);
    RUN(a_half_synchronisation_is_no_part_of_a_frame);
    RUN(lost_bytes_cost_what_stands_near_them);
    RUN(in_doubt_packets_are_looked_for);
    RUN(after_a_synchronisation_packets_line_up);
    RUN(any_bytes_are_read_within_their_room);
    return check_failed();
}
