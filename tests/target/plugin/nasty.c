/* SPDX-License-Identifier: MIT */
/* Programs that path and access probes may get wrong. Prints one checksum per test. Run with and without probes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t other_file(uint32_t x); /* nasty_other.c */
uint32_t weak_one(uint32_t x);

static uint32_t sum;

static __attribute__((noinline)) void mix(uint32_t x)
{
    sum = (sum ^ x) * 16777619u + 1;
}

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

static void computed_goto(void)
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

static void loops(void)
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

static void jumps(void)
{
    for (int i = 0; i < 6; i++)
        mix((uint32_t)catches(i));
    mix((uint32_t)in_a_loop());
    mix((uint32_t)builtin_jump(3));
}

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

static void calls(void)
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

/* ---- kinds of memory ------------------------------------------------------------------------------------------- */

struct bits {
    unsigned a : 3, b : 9, c : 20;
    int d : 5;
    uint8_t e;
    signed f : 17;
    uint64_t g : 37, h : 27;
};
struct small {
    uint8_t a, b, c;
};
struct word {
    int32_t a;
};
struct pair {
    int32_t a, b;
};
struct big {
    int32_t a[7];
    char b;
    double c;
};
union view {
    float f;
    uint32_t u;
    uint8_t b[4];
};

static struct bits bits;
static struct small smalls[3];
static struct word words[3];
static struct pair pairs[3];
static struct big bigs[3];
static uint64_t wide[4];
static double doubles[4];
static float floats[4];
static _Complex double complexes[3];
static _Complex float small_complexes[3];
static volatile uint32_t port[4];
static volatile uint8_t byte_port;
static volatile struct bits volatile_bits;
static int8_t bytes[16];
static int16_t shorts[16];
static const int32_t constants[6] = {5, -4, 3, -2, 1, 77};
static int matrix[6][7];

static __attribute__((noinline)) struct small make_small(int x)
{
    struct small s = {(uint8_t)x, (uint8_t)(x + 1), (uint8_t)(x * 2)};
    return s;
}
static __attribute__((noinline)) struct word make_word(int x)
{
    struct word s = {x};
    return s;
}
static __attribute__((noinline)) struct pair make_pair(int x)
{
    struct pair s = {x, -x};
    mix((uint32_t)x);
    return s;
}
static __attribute__((noinline)) struct big make_big(int x)
{
    struct big s = {{x, 1, 2, x, 4, 5, x}, 'b', x * 0.5};
    if (x & 1)
        return bigs[0];
    return s;
}
static __attribute__((noinline)) int take(struct small a, struct pair b, struct big c, struct word d)
{
    return a.a + b.b + c.a[3] + (int)c.c + d.a;
}
static __attribute__((noinline)) _Complex double rotate(_Complex double z)
{
    return z * (0.0 + 1.0i) + 1;
}

static void bit_fields(void)
{
    for (int i = 0; i < 20; i++) {
        bits.a = (unsigned)i & 7;
        bits.b = bits.b + bits.a;
        bits.c ^= (unsigned)i * 977 & 0xfffff;
        bits.d = i - 10;
        bits.e++;
        bits.f -= i * 31;
        bits.g += (uint64_t)i << 30;
        bits.h ^= (unsigned)i;
        volatile_bits.b = (unsigned)i;
        volatile_bits.d = volatile_bits.b & 3;
        mix(bits.a + bits.b + bits.c + (uint32_t)bits.d + (uint32_t)bits.f);
        mix((uint32_t)bits.g ^ (uint32_t)bits.h ^ (uint32_t)volatile_bits.d);
    }
}

static void structs(void)
{
    for (int i = 0; i < 6; i++) {
        smalls[i % 3] = make_small(i);
        words[i % 3] = make_word(i);
        pairs[i % 3] = make_pair(i);
        bigs[i % 3] = make_big(i);
        smalls[(i + 1) % 3] = smalls[i % 3];
        words[(i + 1) % 3] = words[i % 3];
        pairs[(i + 1) % 3] = pairs[i % 3];
        bigs[(i + 1) % 3] = bigs[i % 3];
        mix((uint32_t)take(smalls[0], pairs[1], bigs[2], words[1]));
        struct big local = bigs[1];
        local.a[i] += 3;
        bigs[2] = local;
        union view v;
        v.f = (float)i * 1.5f;
        mix(v.u + v.b[2]);
    }
}

static void numbers(void)
{
    for (int i = 0; i < 8; i++) {
        wide[i % 4] = wide[(i + 1) % 4] * 6364136223846793005u + (uint64_t)i;
        doubles[i % 4] = doubles[(i + 3) % 4] * 1.25 + i;
        floats[i % 4] += (float)doubles[i % 4];
        complexes[i % 3] = rotate(complexes[(i + 1) % 3]);
        small_complexes[i % 3] = small_complexes[(i + 2) % 3] * (1.0f + 0.5fi) + (float)i;
        __imag__ complexes[1] += 0.5;
        bytes[i] = (int8_t)(bytes[i + 1] - i * 40);
        shorts[i] = (int16_t)(shorts[i + 1] + bytes[i] * 300);
        mix((uint32_t)(wide[i % 4] >> 32) + (uint32_t)doubles[i % 4] + (uint32_t)floats[i % 4]);
        mix((uint32_t)(int32_t) __real__ complexes[i % 3] ^ (uint32_t)(int32_t) __imag__ small_complexes[i % 3]);
        mix((uint32_t)shorts[i] ^ (uint32_t)bytes[i] ^ (uint32_t)constants[i % 6]);
    }
}

static void volatiles(void)
{
    for (int i = 0; i < 5; i++) {
        port[0] = (uint32_t)i;
        port[1] = port[0] + port[0];
        port[2]++;
        (void)port[3];
        byte_port |= (uint8_t)(1 << i);
        while (!(byte_port & 1))
            ;
    }
    mix(port[1] + port[2] + byte_port);
}

static __attribute__((noinline)) void arrays(int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 7; k++)
            matrix[i][k] = i * k + matrix[(i + 1) % 6][k];
    for (int k = 0; k < 7; k++) {
        int *column = &matrix[0][k];
        int total = 0;
        for (int i = 0; i < 6; i++, column += 7)
            total += *column;
        mix((uint32_t)total);
    }
    char text[] = "a string of some length";
    char *copy = text;
    for (size_t i = 0; text[i]; i++)
        if (copy[i] == 's')
            copy[i] = 'S';
    mix((uint32_t)text[2] + (uint32_t)strlen(text));
    int16_t plain[10];
    memset(plain, 1, sizeof plain);
    int16_t other[10];
    memcpy(other, plain, sizeof other);
    for (int i = 0; i < 10; i++)
        mix((uint32_t)(other[i] + plain[9 - i]));
}

/* ---- assembly and atomics --------------------------------------------------------------------------------------- */

#if __ARM_ARCH_ISA_THUMB >= 2
static __attribute__((noinline)) uint32_t assembly(uint32_t x)
{
    static uint32_t cell[2];
    uint32_t y;
    __asm volatile("str %1, %0" : "=m"(cell[0]) : "r"(x));
    __asm volatile("ldr %0, %1" : "=r"(y) : "m"(cell[0]));
    __asm volatile("ldr r3, %0\n\tadds r3, r3, #1\n\tstr r3, %0" : "+m"(cell[1]) : : "r3", "cc");
    __asm volatile("adds %0, %1, %1" : "=l"(cell[0]) : "l"(y) : "cc"); /* stored by the compiler, afterwards */
    return cell[0] + cell[1] + y;
}

static __attribute__((noinline)) int assembly_goto(int x)
{
    __asm goto("cmp %0, #5\n\tbgt %l[large]\n\tbeq %l[equal]" : : "r"(x) : "cc" : large, equal);
    mix(1);
    return x;
large:
    mix(2);
    return x * 2;
equal:
    return -x;
}
#else
static __attribute__((noinline)) uint32_t assembly(uint32_t x)
{
    static uint32_t total;
    return total += x;
}
static int assembly_goto(int x)
{
    return x;
}
#endif

static uint32_t counter;
static __attribute__((unused)) uint8_t flag;

static void atomics(void)
{
    for (int i = 0; i < 5; i++) {
        __atomic_store_n(&counter, __atomic_load_n(&counter, __ATOMIC_ACQUIRE) + 2, __ATOMIC_RELEASE);
#if __ARM_ARCH_ISA_THUMB >= 2 /* Armv6-M would need a library that is not there */
        mix(__atomic_fetch_add(&counter, 3, __ATOMIC_SEQ_CST));
        mix(__sync_add_and_fetch(&counter, 1));
        uint32_t expected = counter;
        if (__atomic_compare_exchange_n(&counter, &expected, 7u + (uint32_t)i, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            mix(counter);
        mix(__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
        __atomic_clear(&flag, __ATOMIC_SEQ_CST);
#endif
        mix(assembly((uint32_t)i));
        mix((uint32_t)assembly_goto(i * 2 + 1));
    }
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

static void odd(void)
{
    mix((uint32_t)bare(4));
    mix((uint32_t)unseen(4));
    mix((uint32_t)elsewhere(2) + (uint32_t)elsewhere(9));
    mix((uint32_t)constructed + (uint32_t)empty());
    nothing();
    for (uint32_t i = 0; i < 12; i++)
        mix(many_paths(i * 0x12345677u));
}

static __attribute__((noreturn, noinline)) void finish(int code)
{
    if (code > 200)
        abort();
    exit(code);
}

static void report(const char *name)
{
    printf("%s %08lx\n", name, (unsigned long)sum);
}

int main(void)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {
        {"computed goto", computed_goto},
        {"loops", loops},
#ifndef WITHOUT_JUMPS
        {"jumps", jumps},
#endif
        {"calls", calls},
        {"bit-fields", bit_fields},
        {"structs", structs},
        {"numbers", numbers},
        {"volatiles", volatiles},
        {"atomics", atomics},
        {"odd", odd},
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        tests[i].run();
        if (i == 3)
            arrays(6);
        report(tests[i].name);
    }
#ifdef WITHOUT_JUMPS
    return 0;
#else
    finish(0);
#endif
}
