/* SPDX-License-Identifier: MIT */
/* Computed gotos, loops, setjmp. */
#include "tests/target/plugin/nasty.h"

#include <setjmp.h>
#include <string.h>

/* ---- computed goto -------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) int interpret(const uint8_t *code, int x)
{
    static const void *const table[] = {&&add, &&sub, &&jump_if, &&call, &&halt, &&swap};
    int acc = 0, steps = 0;
    const uint8_t *pc = code;
#define NEXT goto *table[*pc++]
    NEXT;
add:
    acc += x;
    NEXT;
sub:
    acc -= *pc++;
    if (acc < -1000)
        goto halt;
    NEXT;
jump_if:
    if (++steps < 50) {
        pc = code + *pc;
        NEXT;
    }
    pc++;
    NEXT;
call:
    mix((uint32_t)acc); /* a label that begins with a call */
    NEXT;
swap : {
    int t = acc;
    acc = x;
    x = t;
}
    NEXT;
halt:
    return acc;
}

void computed_goto(void)
{
    static const uint8_t code[] = {0, 0, 1, 7, 3, 5, 0, 2, 1, 1, 200, 3, 4};
    for (int i = 0; i < 5; i++)
        mix((uint32_t)interpret(code, i));
}

static __attribute__((noinline)) int one_goto(int i)
{
    static void *const where[] = {&&a, &&b, &&c};
    int n = 0;
again:
    if (n > 30)
        return n;
    goto *where[(i + n) % 3];
a:
    n += 1;
    goto again;
b:
    n += 2;
c:
    n += 3;
    mix((uint32_t)n);
    goto again;
}

/* ---- switch and loops ----------------------------------------------------------------------------------------- */

static __attribute__((noinline)) void duff(uint8_t *to, const uint8_t *from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0:
        do {
            *to++ = *from++;
            /* fall through */
        case 7:
            *to++ = *from++;
            /* fall through */
        case 6:
            *to++ = *from++;
            /* fall through */
        case 5:
            *to++ = *from++;
            /* fall through */
        case 4:
            *to++ = *from++;
            /* fall through */
        case 3:
            *to++ = *from++;
            /* fall through */
        case 2:
            *to++ = *from++;
            /* fall through */
        case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
}

static __attribute__((noinline)) int machine(const char *text)
{
    enum { START, NUMBER, WORD, SPACE, END } state = START;
    int words = 0, numbers = 0;
    for (;;) {
        char c = *text++;
        switch (state) {
        case START:
        case SPACE:
            state = c == 0 ? END : c >= '0' && c <= '9' ? NUMBER : c == ' ' ? SPACE : WORD;
            continue;
        case NUMBER:
            if (c >= '0' && c <= '9')
                break;
            numbers++;
            state = c ? SPACE : END;
            break;
        case WORD:
            switch (c) {
            case 0:
                state = END;
                words++;
                break;
            case ' ':
            case '\t':
                words++;
                state = SPACE;
                break;
            case 'q':
                mix(7);
                goto out;
            default:
                break;
            }
            break;
        case END:
            goto out;
        }
    }
out:
    return words * 100 + numbers;
}

static __attribute__((noinline)) int irreducible(int a, int b)
{
    int n = 0;
    if (a > b)
        goto middle;
top:
    n += 3;
    if (n > 60)
        return n;
    a--;
middle:
    n += 5;
    if (a & 1)
        mix((uint32_t)n);
    if (n % 7 == 3)
        goto low;
    if (b-- > 0)
        goto top;
    return n;
low:
    n++;
    if (n & 8)
        goto middle;
    goto top;
}

void loops(void)
{
    uint8_t from[64], to[64];
    for (int i = 0; i < 64; i++)
        from[i] = (uint8_t)(i * 7);
    for (int n = 1; n < 40; n += 5) {
        memset(to, 0, sizeof to);
        duff(to, from, n);
        for (int i = 0; i < 64; i++)
            mix(to[i]);
    }
    mix((uint32_t)machine("abc 123 de  45x f"));
    mix((uint32_t)machine("abc q 1"));
    mix((uint32_t)machine(""));
    for (int i = 0; i < 8; i++)
        mix((uint32_t)irreducible(i, 5 - i));
    for (int i = 0; i < 4; i++)
        mix((uint32_t)one_goto(i));
    int i = 0;
    do {
        if (i % 3 == 0)
            continue;
        for (int k = i; k < 6; k++) {
            if (k == 4)
                break;
            mix((uint32_t)(i * 16 + k));
        }
    } while (++i < 9);
}

/* ---- setjmp --------------------------------------------------------------------------------------------------- */

static jmp_buf place, outer;

static __attribute__((noinline, noreturn)) void leave(int how)
{
    if (how & 1)
        longjmp(place, how);
    longjmp(place, how + 10);
}

static __attribute__((noinline)) int deep(int n)
{
    mix((uint32_t)n);
    if (n == 0)
        leave(3);
    return deep(n - 1) + 1;
}

static __attribute__((noinline)) int catches(int n)
{
    volatile int tries = 0;
    int got = setjmp(place);
    tries++;
    if (got == 0) {
        if (n > 2)
            return deep(n);
        mix(99);
    }
    for (int i = 0; i < n; i++)
        mix((uint32_t)(i + got));
    if (tries < 4) {
        if (tries & 1)
            leave(tries);
        longjmp(place, tries);
    }
    return tries * 100 + got;
}

static __attribute__((noinline)) int in_a_loop(void)
{
    volatile int i, total = 0;
    for (i = 0; i < 5; i++) {
        switch (setjmp(outer)) {
        case 0:
            if (i & 1)
                longjmp(outer, i + 1);
            total += 1;
            break;
        case 2:
            total += 20;
            break;
        default:
            total += 300;
        }
    }
    return total;
}

static __attribute__((noinline)) int builtin_jump(int n)
{
    static void *buffer[5];
    volatile int count = 0;
    if (__builtin_setjmp(buffer) == 0) {
        mix(1);
    } else {
        count++;
        mix(2);
    }
    if (count < n) {
        __attribute__((noinline)) void jump(void)
        {
            __builtin_longjmp(buffer, 1);
        }
        jump();
    }
    return count;
}

#ifndef WITHOUT_JUMPS
void jumps(void)
{
    for (int i = 0; i < 6; i++)
        mix((uint32_t)catches(i));
    mix((uint32_t)in_a_loop());
    mix((uint32_t)builtin_jump(3));
}
#endif
