/* SPDX-License-Identifier: MIT */
/* What a debug probe takes from the SWO pin: packets of the ITM, and the bytes of one of its stimulus ports in them.
 *
 * The bytes of a pin without formatter are ITM packets (Armv7-M Architecture Reference Manual, appendix D4). With the
 * TPIU's formatter they are frames of 16 bytes that carry several streams (CoreSight Architecture Specification, D4),
 * and the ITM's packets are one of them.
 *
 * Bytes that a probe drops make what follows unreadable until packets line up again: at a synchronisation packet, or,
 * without one, by chance. What comes out meanwhile is not what was sent. So what is carried needs a check of its own,
 * as frames have; while that check fails the caller sets `doubt`, and packets are then looked for where most of them
 * are the port's. Memory is constant; the input may be anything. */
#ifndef WEFT_TOOLS_LIB_RECORDING_SWO_H
#define WEFT_TOOLS_LIB_RECORDING_SWO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SWO_PORTS = 256, SWO_STREAMS = 0x70, SWO_AHEAD = 64, SWO_HELD = SWO_AHEAD + 16 };

typedef struct swo {
    unsigned port;   /* 0 to SWO_PORTS - 1 */
    unsigned stream; /* of the formatter, 1 to SWO_STREAMS - 1; 0: there is no formatter */

    uint64_t bytes;          /* that came */
    uint64_t taken;          /* of the port */
    uint64_t others;         /* packets of other ports and of the DWT */
    uint64_t overflows;      /* the ITM had no room for a packet, its own or another source's */
    uint64_t overflowed_at;  /* the first: byte of the input */
    uint64_t unreadable;     /* bytes that no packet begins with; packets and formatter's frames that are cut */
    uint64_t unsynchronised; /* bytes before the formatter's first synchronisation */

    bool doubt;               /* set by the caller: what was taken last is not what was sent */
    uint8_t ahead[SWO_AHEAD]; /* bytes that wait for the next ones, to be compared with them */
    unsigned ahead_count;
    unsigned left;     /* bytes of the packet that are still to come; 255: until one has its top bit clear */
    bool ours;         /* they are the port's */
    unsigned page;     /* of 32 ports */
    unsigned zeros;    /* bytes of zero before this one */
    uint8_t frame[16]; /* of the formatter */
    unsigned filled;
    bool aligned;
    uint32_t last; /* four bytes */
    unsigned current;
} swo;

/* For `port`, and the formatter's `stream` (0: none). */
void swo_begin(swo *s, unsigned port, unsigned stream);
/* What the port sent. `out` has room for size + SWO_HELD bytes. */
size_t swo_bytes(swo *s, uint8_t *out, const uint8_t *bytes, size_t size);
/* What still waits, at the end of the input. `out` has room for SWO_HELD bytes. */
size_t swo_end(swo *s, uint8_t *out);

#endif
