/* SPDX-License-Identifier: MIT */
/* Phases that tests/lib/stretched.py makes longer than 2^32 instructions, or paths: a loop whose path is some thousand
 * instructions, calls of a function in a loop, and what comes before, between and after them. */
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

int main(void)
{
    mark(1);
    labour();
    mark(2);
#ifdef CALLS
    calls();
    mark(3);
#else
    (void)calls;
#endif
    return 0;
}
