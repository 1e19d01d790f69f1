/* SPDX-License-Identifier: MIT */
/* Loops of one path, by what the compiler knows of their passes: nothing, a number, an expression, a bound. Also
 * loops with two ways out, after a path that is not known, in a handler, and in a loop. */
#include <stdint.h>
#include <stdio.h>

#define ICSR (*(volatile uint32_t *)0xe000ed04)
#define LONG 65536u /* passes that a loop without a bound records at once */

void PendSV_Handler(void);
void SysTick_Handler(void);

static volatile uint32_t word, seen;
static uint32_t cells[700];
struct node {
    struct node *next;
};
static struct node nodes[70];

__attribute__((noinline)) static uint32_t until(uint32_t end)
{
    uint32_t n = 0;
    for (word = 0; word != end; word = word + 1)
        n++;
    return n;
}

__attribute__((noinline)) static uint32_t length(const struct node *n)
{
    uint32_t count = 0;
    for (; n; n = n->next)
        count++;
    return count;
}

__attribute__((noinline)) static uint32_t sum(uint32_t n, uint32_t step)
{
    uint32_t s = 0;
    for (uint32_t i = 0; i < n; i += step)
        s += cells[i];
    return s;
}

__attribute__((noinline)) static uint32_t find(uint32_t what, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (cells[i] == what)
            return i;
    return n;
}

__attribute__((noinline)) static void fill(void)
{
    for (uint32_t i = 0; i < 700; i++)
        cells[i] = i;
}

__attribute__((noinline)) static uint32_t triangle(uint32_t n, uint32_t how)
{
    uint32_t s = how & 1 ? 5 : how & 2 ? 7 : n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            s = s * 3 + cells[k];
    return s;
}

void PendSV_Handler(void)
{
    seen++;
    for (uint32_t i = 0; i < 20; i++)
        seen += cells[i];
}

__attribute__((noinline)) static uint32_t interrupted(uint32_t n)
{
    uint32_t s = 0;
    for (uint32_t i = 0; i < n; i++) {
        ICSR = i == 30 ? 1u << 28 : 0;
        s += cells[i];
    }
    return s;
}

int main(void)
{
    static const uint32_t counts[] = {0,        1,    2,       3, 4, 5, 100, 509, 510, 511, 512, 513, 514, 515,
#ifndef SHORT
                                      LONG - 1, LONG, LONG + 1
#endif
    };
    uint32_t all = 0;
    fill();
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        all += until(counts[i]);
        all += sum(counts[i] % 700, 1) + sum(counts[i] % 700, 7);
        all += find(counts[i], 600) + triangle(i, i) + triangle(3, i);
    }
    for (uint32_t i = 0; i < 69; i++) {
        all += length(&nodes[69 - i]);
        nodes[69 - i - 1].next = &nodes[69 - i];
    }
    all += interrupted(100);
    printf("%u %u\n", (unsigned)all, (unsigned)seen);
    return 0;
}
