/* SPDX-License-Identifier: MIT */
/* What firmware shares with its handlers, as it is commonly written: rings, flags, buffers, counters, snapshots, driver
 * records. Objects lost_* are races, fine_* are not. IRQ8 is more urgent than IRQ20 and IRQ21, which are alike. */
#include <stdint.h>
#include <string.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

#define NVIC_ISER (*(volatile uint32_t *)0xe000e100)
#define NVIC_ICER (*(volatile uint32_t *)0xe000e180)
#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200)
#define NVIC_IPR ((volatile uint8_t *)0xe000e400)
#define APART __attribute__((noinline))

enum { ROUNDS = 40, RING = 16, HALF = 6, IRQ8 = 1 << 8, IRQ20 = 1 << 20, IRQ21 = 1 << 21 };

typedef struct ring {
    volatile uint16_t head, tail; /* the handler puts, main takes */
    volatile uint8_t data[RING];
} ring;

typedef struct counted_ring {
    volatile uint8_t head, tail, count; /* both change the count */
    volatile uint8_t data[RING];
} counted_ring;

typedef struct sample {
    int32_t x, y, z;
    uint32_t at;
} sample;

typedef struct uart {
    uint32_t errors : 5, mode : 6; /* main sets the mode, the handler counts */
    uint8_t *next, *end;
} uart;

/* 1, 2: rings. */
static ring fine_ring;
static counted_ring lost_ring;
/* 3 to 5: flags. */
volatile uint8_t fine_ready, lost_events, fine_request;
/* 6, 7: two buffers that change hands. */
static volatile uint32_t fine_buffers[2][HALF];
volatile uint32_t fine_active, lost_toggle;
/* 8 to 10: counters. */
volatile uint32_t fine_exclusive, lost_half_exclusive, fine_ticks;
/* 11 to 13: 64 bits, and what is read again until it is the same. */
volatile uint64_t lost_time, fine_time_masked;
volatile uint32_t lost_low, lost_high;
/* 14, 15: BASEPRI. */
volatile uint32_t fine_priority, lost_priority;
/* 16, 17: handlers among themselves. */
volatile uint32_t fine_equals, lost_nested;
/* 18 to 20: structs and bit-fields. */
static sample lost_sample, fine_sample;
sample mine;
static uart lost_uart;
volatile struct {
    uint8_t error, mode;
} fine_bytes;
/* 21, 22: nested critical sections, and one that ends too early. */
volatile uint32_t fine_nested, lost_early;
static volatile uint32_t sum, depth, of_handler;

void IRQ8_Handler(void);
void IRQ20_Handler(void);
void IRQ21_Handler(void);

static APART void sample_take(sample *s, uint32_t n)
{
    s->x = (int32_t)n;
    s->y = (int32_t)n + 1;
    s->z = (int32_t)n + 2;
    s->at = fine_ticks;
}

static void rings_put(uint8_t byte)
{
    uint16_t next = (uint16_t)((fine_ring.head + 1) % RING);
    if (next != fine_ring.tail) {
        fine_ring.data[fine_ring.head] = byte;
        fine_ring.head = next;
    }
    if (lost_ring.count < RING) {
        lost_ring.data[lost_ring.head] = byte;
        lost_ring.head = (uint8_t)((lost_ring.head + 1) % RING);
        lost_ring.count++;
    }
}

void IRQ8_Handler(void)
{
    fine_ticks++;
    rings_put((uint8_t)fine_ticks);
    fine_ready = 1;
    lost_events |= 1;
    if (fine_request) {
        of_handler += fine_request;
        fine_request = 0;
    }
    for (unsigned i = 0; i < HALF; i++)
        fine_buffers[fine_active][i] = fine_ticks + i;
    lost_toggle ^= 1;
    __atomic_fetch_add(&fine_exclusive, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&lost_half_exclusive, 1, __ATOMIC_RELAXED);
    lost_time += 10;
    fine_time_masked += 10;
    if (!++lost_low)
        lost_high++;
    fine_priority++;
    lost_priority++;
    lost_nested++;
    sample_take(&lost_sample, fine_ticks);
    sample_take(&fine_sample, fine_ticks);
    lost_uart.errors++;
    fine_bytes.error++;
    fine_nested++;
    lost_early++;
}

void IRQ20_Handler(void)
{
    fine_equals++;
    lost_nested++;
}

void IRQ21_Handler(void)
{
    fine_equals += 2;
}

static void set_basepri(uint32_t value)
{
    __asm volatile("msr basepri, %0\n\tisb" ::"r"(value) : "memory");
}

static void critical_enter(void)
{
    __asm volatile("cpsid i" ::: "memory");
    depth++;
}

static void critical_leave(void)
{
    if (--depth == 0)
        __asm volatile("cpsie i" ::: "memory");
}

static APART void rings_take(void)
{
    while (fine_ring.tail != fine_ring.head) {
        sum += fine_ring.data[fine_ring.tail];
        fine_ring.tail = (uint16_t)((fine_ring.tail + 1) % RING);
    }
    while (lost_ring.count) {
        sum += lost_ring.data[lost_ring.tail];
        lost_ring.tail = (uint8_t)((lost_ring.tail + 1) % RING);
        lost_ring.count--;
    }
}

static APART void flags(void)
{
    if (fine_ready) {
        fine_ready = 0;
        sum++;
    }
    if (lost_events & 1)
        lost_events &= (uint8_t)~1u;
    lost_events |= 2;
    if (!fine_request)
        fine_request = 7;
}

static APART void buffers(void)
{
    uint32_t full = fine_active;
    __asm volatile("cpsid i" ::: "memory");
    fine_active = full ^ 1;
    __asm volatile("cpsie i" ::: "memory");
    for (unsigned i = 0; i < HALF; i++)
        sum += fine_buffers[full][i];
    lost_toggle ^= 1;
}

static APART void counters(void)
{
    __atomic_fetch_add(&fine_exclusive, 1, __ATOMIC_RELAXED);
    lost_half_exclusive++;
    sum += fine_ticks;
}

static APART void times(void)
{
    sum += (uint32_t)(lost_time >> 8);
    __asm volatile("cpsid i" ::: "memory");
    sum += (uint32_t)(fine_time_masked >> 8);
    __asm volatile("cpsie i" ::: "memory");
    if (lost_low > 10)
        lost_low -= 10;
}

static APART void priorities(void)
{
    set_basepri(0x40);
    fine_priority += 2;
    set_basepri(0xc0);
    lost_priority += 2;
    set_basepri(0);
}

static APART void records(void)
{
    mine = lost_sample;
    NVIC_ICER = IRQ8;
    __asm volatile("dsb\n\tisb" ::: "memory");
    memcpy(&mine, &fine_sample, sizeof mine);
    __asm volatile("" ::: "memory"); /* or the compiler loads some of it after the next line */
    NVIC_ISER = IRQ8;
    lost_uart.mode = sum & 63;
    fine_bytes.mode = (uint8_t)sum;
}

static APART void sections(void)
{
    critical_enter();
    critical_enter();
    fine_nested++;
    critical_leave();
    fine_nested++;
    critical_leave();
    critical_enter();
    uint32_t n = lost_early;
    critical_leave();
    lost_early = n + 1;
}

static APART void pend_all(void)
{
    NVIC_ISPR = IRQ20 | IRQ21;
    NVIC_ISPR = IRQ8;
    __asm volatile("dsb\n\tisb" ::: "memory");
}

int main(void)
{
    NVIC_IPR[8] = 0x40;
    NVIC_IPR[20] = NVIC_IPR[21] = 0x80;
    NVIC_ISER = IRQ8 | IRQ20 | IRQ21;
    for (int i = 0; i < ROUNDS; i++) {
        pend_all();
        rings_take();
        flags();
        pend_all();
        buffers();
        counters();
        pend_all();
        times();
        priorities();
        pend_all();
        records();
        sections();
    }
    return 0;
}
