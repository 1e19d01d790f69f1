/* SPDX-License-Identifier: MIT */
/* Calls of all kinds, nested functions, functions that probes may not reach. */
#include "tests/target/plugin/nasty.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- nested functions and nonlocal goto ------------------------------------------------------------------------ */

static __attribute__((noinline)) int each(int n, int (*f)(int))
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += f(i);
    return total;
}

static __attribute__((noinline)) int nested(int n)
{
    __label__ out;
    int seen = 0;
    int visit(int i)
    {
        seen += i;
        if (seen > 40)
            goto out;
        return i * 2;
    }
    seen += each(n, visit);
    mix((uint32_t)seen);
    return seen;
out:
    mix(4242);
    return -seen;
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) uint32_t gcd(uint32_t a, uint32_t b)
{
    return b ? gcd(b, a % b) : a;
}

static int is_odd(unsigned n);
static __attribute__((noinline)) int is_even(unsigned n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}
static __attribute__((noinline)) int is_odd(unsigned n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

static __attribute__((noinline)) int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static __attribute__((noinline)) int first(int x)
{
    mix((uint32_t)x);
    return x + 1;
}
static __attribute__((noinline)) int second(int x)
{
    return x * 3;
}
static int (*const pointers[])(int) = {first, second, abs};

static __attribute__((noinline)) int tail(int x)
{
    if (x > 100)
        return pointers[x % 3](x); /* one of three calls in tail position, with a shared return */
    if (x & 1)
        return first(x);
    if (x & 2) {
        mix(3);
        return second(x - 1);
    }
    return x;
}

static __attribute__((noinline)) int variadic(const char *kinds, ...)
{
    va_list list;
    double total = 0;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i':
            total += va_arg(list, int);
            break;
        case 'l':
            total += (double)va_arg(list, long long);
            break;
        case 'd':
            total += va_arg(list, double);
            break;
        case 's':
            total += (double)strlen(va_arg(list, const char *));
        }
    }
    va_end(list);
    return (int)total;
}

static __attribute__((noinline)) uint32_t variable_length(int n)
{
    uint16_t row[n];
    uint32_t *more = __builtin_alloca((size_t)n * sizeof *more), total = 0;
    struct {
        int count;
    } s = {n};
    for (int i = 0; i < s.count; i++) {
        row[i] = (uint16_t)(i * i);
        more[i] = row[i] + 1u;
    }
    for (int i = n; i-- > 0;)
        total = total * 31 + more[i] + row[n - 1 - i];
    return total;
}

void calls(void)
{
    mix(gcd(270, 192));
    mix((uint32_t)is_even(101));
    mix((uint32_t)ackermann(2, 3));
    for (int i = 0; i < 10; i++)
        mix((uint32_t)tail(i));
    for (int i = 101; i < 107; i++)
        mix((uint32_t)tail(i));
    mix((uint32_t)variadic("ilds", 5, 7000000000LL / 1000, 2.5, "four"));
    mix(variable_length(9));
    mix((uint32_t)nested(5));
#ifndef WITHOUT_JUMPS
    mix((uint32_t)nested(15));
#endif
    mix(other_file(3));
    mix(weak_one(4));
}

/* ---- odd functions ---------------------------------------------------------------------------------------------- */

static __attribute__((naked, noinline)) int bare(int x)
{
    __asm volatile(".syntax unified\n\tadds r0, r0, #1\n\tbx lr");
    (void)x;
}

static __attribute__((no_instrument_function, noinline)) int unseen(int x)
{
    return x * 5 + first(x);
}

static __attribute__((section(".text.elsewhere"), noinline)) int elsewhere(int x)
{
    return x > 3 ? x : -x;
}

static int constructed;
static __attribute__((constructor)) void construct(void)
{
    constructed = 17;
    mix(17);
}

static __attribute__((noinline)) int empty(void)
{
    return 0;
}
static __attribute__((noinline)) void nothing(void)
{
}

/* 30 decisions in a row: more paths than the usual limit. */
static __attribute__((noinline)) uint32_t many_paths(uint32_t x)
{
    uint32_t y = 1;
#define DECIDE(n)                                                                                                      \
    if (x >> (n)&1)                                                                                                    \
        y = y * 3 + matrix[0][n % 7];                                                                                  \
    else                                                                                                               \
        y ^= (uint32_t)matrix[1][n % 7] + n;
#define DECIDE10(n)                                                                                                    \
    DECIDE(n)                                                                                                          \
    DECIDE(n + 1)                                                                                                      \
    DECIDE(n + 2) DECIDE(n + 3) DECIDE(n + 4) DECIDE(n + 5) DECIDE(n + 6) DECIDE(n + 7) DECIDE(n + 8) DECIDE(n + 9)
    DECIDE10(0) DECIDE10(10) DECIDE10(20) return y;
}

void odd(void)
{
    mix((uint32_t)bare(4));
    mix((uint32_t)unseen(4));
    mix((uint32_t)elsewhere(2) + (uint32_t)elsewhere(9));
    mix((uint32_t)constructed + (uint32_t)empty());
    nothing();
    for (uint32_t i = 0; i < 12; i++)
        mix(many_paths(i * 0x12345677u));
}
