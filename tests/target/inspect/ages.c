/* SPDX-License-Identifier: MIT */
/* Phases that tests/lib/stretched.py makes longer than 2^32 instructions, or paths: a loop whose path is some thousand
 * instructions, calls of a function in a loop, and what comes before, between and after them. REGISTERS: for
 * tests/lib/stretched_full.py, a loop of 1,024 instructions that access no memory. */
static volatile unsigned sum, rounds = 12;
#define FOUR(x) x x x x
#define THOUSAND(x) FOUR(FOUR(FOUR(FOUR(FOUR(x)))))

__attribute__((noinline)) static void mark(unsigned n)
{
    sum += n;
}

__attribute__((noinline)) static void labour(void)
{
    for (unsigned i = rounds; i > 0; i--) {
        THOUSAND(sum++;)
    }
}

__attribute__((noipa)) static unsigned step(unsigned n)
{
    return n > 5 ? n / 3 : n + 1;
}

__attribute__((noinline)) static void calls(void)
{
    for (unsigned i = rounds; i > 0; i--)
        sum += step(9);
}

__attribute__((noinline)) static void spin(unsigned turns)
{
    __asm volatile("1:\n\t.rept 1022\n\tnop\n\t.endr\n\tsubs %0, #1\n\tbne.w 1b" : "+l"(turns)::"cc");
}

int main(void)
{
    mark(1);
#ifdef REGISTERS
    spin(2000);
    (void)labour;
#else
    labour();
    (void)spin;
#endif
    mark(2);
#ifdef CALLS
    calls();
    mark(3);
#else
    (void)calls;
#endif
    return 0;
}
