/* SPDX-License-Identifier: MIT */
/* The sinks of the Cortex-M port (contract: hal/sink.h). The caller declares the state of each, which must live as long
 * as the sink; a function makes a weft_sink of it. */
#ifndef WEFT_PORT_SINKS_H
#define WEFT_PORT_SINKS_H

#include "hal/clock.h"
#include "hal/sink.h"
#include "port/cortex-m/uart.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- A file on the host, by semihosting. Never refuses; the processor waits during a write. ---- */

typedef struct weft_semihost_sink {
    int handle;
} weft_semihost_sink;

/* Creates the file. If it cannot be created, the sink is broken: each write returns WEFT_FULL. */
weft_sink weft_semihost_sink_open(weft_semihost_sink *state, const char *name);

/* ---- A UART. ---- */

typedef struct weft_uart_sink {
    const weft_uart *uart;
    uint8_t *fifo;    /* NULL: write waits until the UART has taken every byte, and never refuses */
    size_t fifo_size; /* otherwise: write copies to the FIFO and refuses a frame that does not fit */
    size_t first, used;
    const weft_clock *clock; /* with ticks_a_byte: no byte sooner than that after the one before. For a UART that */
    uint32_t ticks_a_byte;   /* does not pace itself, as emulated ones do not. 0: as fast as the UART takes them */
    uint64_t next;
} weft_uart_sink;

/* The UART must be initialised. fifo == NULL chooses the waiting kind. */
weft_sink weft_uart_sink_init(weft_uart_sink *state, const weft_uart *uart, uint8_t *fifo, size_t fifo_size);
/* Bytes go out no faster than `baud`, at ten bits per byte, by `clock`. */
void weft_uart_sink_pace(weft_uart_sink *state, const weft_clock *clock, uint32_t baud);
/* Gives the UART what it takes now. Called by each write; call it from an idle loop or a timer too, so that the FIFO
 * empties between frames. Interrupts are masked for one byte at a time. */
void weft_uart_sink_pump(weft_uart_sink *state);
/* Waits until the FIFO is empty. */
void weft_uart_sink_drain(weft_uart_sink *state);

/* ---- A ring in RAM, which keeps the last whole frames. Refuses only a frame longer than the ring. ----
 *
 * For a debugger's memory dump. The bytes of the struct, little-endian, with no gaps:
 *     0  "WEFTRING"
 *     8  u32 version, 1
 *    12  u32 size: bytes in the ring
 *    16  u32 start: offset in the ring of the oldest byte
 *    20  u32 end: offset after the newest byte; start == end: empty (one byte always stays free)
 *    24  the ring: read from `start` up to `end`, going from `size` - 1 to 0
 * What is read is a sequence of whole frames, each ended by a zero byte. That holds at every instant, in the middle of
 * a write too: one store of a word adds or removes a frame. Nothing is assumed of the RAM before init. A ring in a
 * section that start-up does not clear can be read after a reset, until init. */
typedef struct weft_ram_ring {
    char magic[8];
    uint32_t version;
    uint32_t size;
    volatile uint32_t start;
    volatile uint32_t end;
    uint8_t bytes[];
} weft_ram_ring;

#define WEFT_RAM_RING_VERSION 1u

/* Declares a ring of `ring_size` bytes in .noinit, as a symbol that a debugger finds. */
#define WEFT_RAM_RING_DEF(name, ring_size)                                                                             \
    union {                                                                                                            \
        uint32_t words[(sizeof(weft_ram_ring) + (ring_size) + 3) / 4];                                                 \
        weft_ram_ring ring;                                                                                            \
    } name __attribute__((section(".noinit")))

/* Takes `size` bytes of memory, the head included, word-aligned. WEFT_CONFIG: fewer than the head and two bytes. */
weft_status weft_ram_ring_init(weft_ram_ring *ring, size_t size);
weft_sink weft_ram_ring_sink(weft_ram_ring *ring);

#ifdef __cplusplus
}
#endif

#endif
