/* SPDX-License-Identifier: MIT */
/* As protections.c, with other kinds of objects and of uses: bit-fields, structures copied by memcpy, 64 bits,
 * buffers that change hands, sleeping in masked sections, supervisor calls. Objects lost_* are races, fine_* are not.
 * IRQ8 is more urgent than IRQ20, and that than SVC. */
#include <stdint.h>
#include <string.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

#define SHPR2 (*(volatile uint32_t *)0xe000ed1c)
#define NVIC_ISER (*(volatile uint32_t *)0xe000e100)
#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200)
#define NVIC_IPR ((volatile uint8_t *)0xe000e400)

enum { ROUNDS = 40, URGENT = 0x40, USUAL = 0x80, LEAST = 0xc0, IRQ8 = 1 << 8, IRQ20 = 1 << 20, HALF = 8 };

typedef struct record {
    uint32_t id, from, to, size;
    uint64_t at;
} record;

typedef struct short_one { /* six bytes, copied by two words at -O0 */
    uint16_t x, y, z;
} short_one;

typedef union cell {
    uint32_t word;
    uint8_t byte[4];
} cell;

volatile struct {
    uint32_t low : 4, high : 12;
} lost_bits;
volatile struct {
    uint32_t low : 8;
    uint32_t : 0;
    uint32_t high : 8;
} fine_bits;
volatile struct {
    uint32_t low : 16, high : 16;
} own_field; /* its halves are stored by words */
volatile uint8_t own_bytes[16];
volatile uint32_t own_head;
record lost_copied, lost_assigned, lost_cleared, fine_copied, mine, of_handler;
volatile uint64_t lost_wide_store, fine_wide_masked;
short_one lost_short;
volatile uint64_t lost_element[3];
cell lost_cell, fine_cell;
volatile uint32_t fine_buffer[2][HALF], fine_half, fine_slept, fine_called, fine_started;
volatile uint32_t fine_raised, lost_raised, fine_stop, fine_counter_of_one, lost_in_svc;
volatile uint32_t sum, of_main;

void SVC_Handler(void);
void IRQ8_Handler(void);
void IRQ20_Handler(void);

static void set_basepri(uint32_t value)
{
    __asm volatile("msr basepri, %0\n\tisb" ::"r"(value) : "memory");
}

static void raise_basepri(uint32_t value)
{
    __asm volatile("msr basepri_max, %0\n\tisb" ::"r"(value) : "memory");
}

static uint32_t basepri(void)
{
    uint32_t value;
    __asm volatile("mrs %0, basepri" : "=r"(value)::"memory");
    return value;
}

void SVC_Handler(void)
{
    fine_called++; /* comes only where it is called */
    lost_in_svc++;
}

void IRQ8_Handler(void)
{
    lost_bits.high++;
    fine_bits.high++;
    memcpy(&of_handler, &lost_copied, sizeof of_handler);
    lost_assigned.from++;
    lost_assigned.to--;
    sum += lost_cleared.from + lost_cleared.to;
    fine_copied.id++;
    fine_copied.size--;
    sum += (uint32_t)lost_wide_store + (uint32_t)(lost_wide_store >> 32);
    fine_wide_masked += 0x100000001;
    lost_short.x++;
    lost_short.z--;
    lost_element[1] += 0x100000001;
    lost_cell.byte[1]++;
    fine_cell.byte[2] = 7;
    for (uint32_t i = 0; i < HALF; i++)
        fine_buffer[fine_half][i] += i;
    fine_half ^= 1; /* only the handler writes it */
    fine_slept++;
    fine_raised++;
    lost_raised++;
    fine_stop = 1;
    fine_counter_of_one++;
    lost_in_svc++;
}

void IRQ20_Handler(void)
{
    uint32_t before = basepri();
    raise_basepri(URGENT);
    fine_raised++;
    set_basepri(before);
    raise_basepri(LEAST); /* no mask of IRQ8 */
    lost_raised++;
    set_basepri(before);
}

static void begin(void)
{
    NVIC_IPR[8] = URGENT;
    NVIC_IPR[20] = USUAL;
    SHPR2 = (uint32_t)LEAST << 24;
    fine_started++;
    NVIC_ISER = IRQ8 | IRQ20;
}

static void fields(void)
{
    lost_bits.low++;
    fine_bits.low++;
    lost_cell.word += 3;
    of_main += fine_cell.byte[1];
    fine_cell.byte[3]++;
}

static void copies(uint32_t n)
{
    record local = {n, n, n, n, n};
    memcpy(&lost_copied, &local, sizeof local);
    mine = lost_assigned;
    memset(&lost_cleared, (int)n, sizeof lost_cleared);
    uint32_t primask = weft_mask_interrupts();
    memcpy(&mine, &fine_copied, sizeof mine);
    fine_wide_masked += 3;
    weft_restore_interrupts(primask);
    lost_wide_store = 0x123456789abcu * n;
}

/* An object of two words that is used on one line with the one beside it. */
static void neighbours(void)
{
    short_one local = lost_short;
    of_main += local.x + local.y + local.z;
    for (uint32_t i = 0; i < 3; i++)
        of_main += (uint32_t)(lost_element[i] >> 7);
}

/* Only main's. Which instruction made which announced access is not plain to see here. */
static void own(uint32_t n)
{
    own_head = n & 15;
    own_field.high = 4;
    own_bytes[own_head & 15] = (uint8_t)n;
    own_head++;
    own_bytes[(own_head + 5) & 15] = 1;
    own_field.low++;
}

static void sleeps(void)
{
    __asm volatile("cpsid i" ::: "memory");
    NVIC_ISPR = IRQ8;
    __asm volatile("wfi" ::: "memory"); /* wakes, though it is masked */
    fine_slept++;
    __asm volatile("cpsie i\n\tisb" ::: "memory");
}

static void calls(void)
{
    fine_called++;
    __asm volatile("svc 0" ::: "memory");
    fine_called++;
    if (fine_stop)
        fine_stop = 0;
    uint32_t half = fine_half ^ 1;
    of_main += fine_buffer[half][0];
    of_main += fine_counter_of_one;
}

int main(void)
{
    begin();
    for (uint32_t i = 0; i < ROUNDS; i++) {
        NVIC_ISPR = IRQ20;
        NVIC_ISPR = IRQ8;
        fields();
        copies(i);
        neighbours();
        own(i);
        sleeps();
        calls();
    }
    return 0;
}
