/* SPDX-License-Identifier: MIT */
/* Activations that a longjmp unwinds while they wait for a call. */
#include <setjmp.h>
#include <stdint.h>
static jmp_buf back;
volatile uint32_t sum;
__attribute__((noinline)) static void innermost(uint32_t n)
{
    if (n % 3 == 0)
        longjmp(back, 1);
    sum += n;
}
__attribute__((noinline)) static void middle(uint32_t n)
{
    sum += 2;
    innermost(n + 1);
    sum += 3;
    innermost(n);
    sum += 4;
}
__attribute__((noinline)) static void outer(uint32_t n)
{
    sum++;
    middle(n * 5 + 1);
    sum++;
}
int main(void)
{
    for (volatile uint32_t i = 0; i < 300; i++)
        if (!setjmp(back))
            outer(i);
    return 0;
}
