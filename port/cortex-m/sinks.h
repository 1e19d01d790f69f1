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
/* A sink that writes to the ring. The ring must live as long as the sink is used. */
weft_sink weft_ram_ring_sink(weft_ram_ring *ring);
/* What the run before a reset left: the newest whole frames of at most `out_size` bytes go to `out`, which is then a
 * recording. Call it before init, which forgets them; `size` as for init. Returns the bytes; 0: the memory does not
 * hold a ring of this size, as after power-on, or an empty one. */
size_t weft_ram_ring_save(const weft_ram_ring *ring, size_t size, uint8_t *out, size_t out_size);

/* ---- SEGGER's RTT: a debug probe reads a buffer in RAM while the program runs. ----
 *
 * The control block has the layout of SEGGER's own, so that the tools which read that read this: OpenOCD, pyOCD,
 * probe-rs, J-Link. They find it by its id in RAM, or by the symbol _SEGGER_RTT. Bytes, little-endian, with no gaps:
 *     0  "SEGGER RTT", zero bytes up to 16
 *    16  u32 channels up (to the host), u32 channels down
 *    24  a channel, 24 bytes: u32 name, u32 address, u32 size, u32 write offset (ours), u32 read offset (the
 *        debugger's), u32 flags: 0 and 1 refuse what does not fit, 2 waits for the debugger
 * The id is written last, and stands nowhere else in the image. */
typedef struct weft_rtt_channel {
    const char *name;
    uint8_t *bytes;
    uint32_t size;
    volatile uint32_t write_at; /* offset of the next byte; equal to read_at: empty (one byte always stays free) */
    volatile uint32_t read_at;
    volatile uint32_t flags;
} weft_rtt_channel;

typedef struct weft_rtt {
    volatile char id[16];
    uint32_t up_count, down_count;
    weft_rtt_channel up[]; /* then the channels down */
} weft_rtt;

enum { WEFT_RTT_REFUSE = 0, WEFT_RTT_WAIT = 2 };

/* Declares _SEGGER_RTT with one channel up and its `ring_size` bytes; weft_rtt_begin fills it. A program that has
 * SEGGER's RTT already gives weft_rtt_channel_open one of the channels of its block instead. */
#define WEFT_RTT_DEF(ring_size)                                                                                        \
    uint8_t weft_rtt_bytes[ring_size];                                                                                 \
    union {                                                                                                            \
        uint8_t bytes[24 + sizeof(weft_rtt_channel)];                                                                  \
        weft_rtt block;                                                                                                \
    } _SEGGER_RTT

/* Makes the block, with `count` channels up, all without bytes, and none down. */
void weft_rtt_begin(weft_rtt *rtt, uint32_t count);

/* Gives the channel its bytes and makes a sink of it. The channel is the sink's state. A frame of `size` bytes and more
 * is refused for ever, and so is each while the debugger has written an offset beyond the channel. With WEFT_RTT_WAIT
 * write waits until the debugger has made room: without a debugger, for ever. */
weft_sink weft_rtt_channel_open(weft_rtt_channel *channel, uint8_t *bytes, uint32_t size, uint32_t flags);
/* With WEFT_RTT_WAIT: waits until the debugger has read all. */
void weft_rtt_channel_drain(const weft_rtt_channel *channel);

/* ---- SWO: a stimulus port of the ITM, whose packets a debug probe takes from one pin. ----
 *
 * Not on Cortex-M0, M0+ and M23. write waits until the ITM has taken the frame, in words: 5 bytes on the line for 4
 * of the frame. It refuses, at once, while the ITM or the port is off (a debugger turns them on), and after `polls`
 * looks at an ITM that takes nothing; then the part of the frame that went out is cut off from what follows by a
 * zero byte. Interrupts are masked for one word. `weft capture --from-swo` reads what the probe saves. */
typedef struct weft_itm_sink weft_itm_sink;
typedef struct weft_itm_driver {
    bool (*enabled)(const weft_itm_sink *itm); /* what is sent goes out */
    bool (*ready)(const weft_itm_sink *itm);   /* one write fits; may be called at any time while enabled */
    void (*send)(const weft_itm_sink *itm, uint32_t value, unsigned size); /* 1, 2 or 4 bytes; only when ready */
} weft_itm_driver;

extern const weft_itm_driver weft_itm;

struct weft_itm_sink {
    const weft_itm_driver *driver;
    uintptr_t base, demcr; /* addresses of the ITM's registers, and of the one that turns trace on */
    unsigned port;         /* 0 to 31 */
    uint32_t polls;        /* constraint: > 0. A word at 115,200 baud takes 434 us */
    bool torn;             /* a part of a frame went out */
    bool stuck;            /* the ITM took nothing: it is not waited for until it does */
};

/* With the unit of the core, and a million polls. It sets nothing up: a debugger or weft_itm_swo_begin does. */
weft_sink weft_itm_sink_init(weft_itm_sink *state, unsigned port);
/* Turns trace, ITM and port on, and has SWO sent as a UART does, without formatter. For a program that no debugger sets
 * up. `clock_hz` is that of the trace unit, mostly the core's. The pin is the program's to choose. */
void weft_itm_swo_begin(const weft_itm_sink *state, uint32_t clock_hz, uint32_t baud);

#ifdef __cplusplus
}
#endif

#endif
