/* SPDX-License-Identifier: MIT */
/* Kinds of memory, assembly, atomics. */
#include "tests/target/plugin/nasty.h"

#include <string.h>

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
int matrix[6][7];

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

void bit_fields(void)
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

void structs(void)
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

void numbers(void)
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

/* Variables that nothing reads: without optimisation those on the stack are loaded, those in registers are not. */
struct readings {
    int32_t word, other;
    float number;
    uint64_t wide;
    _Complex float complex;
    int8_t byte;
};
struct readings unread[3];

void unused(void)
{
    for (int i = 0; i < 3; i++) {
        struct readings *r = &unread[i];
        int32_t word = r->word, computed = r->other + 1;
        float number = r->number;
        uint64_t wide = r->wide;
        _Complex float complex = r->complex;
        register int8_t in_register = r->byte;
        (void)word, (void)computed, (void)number, (void)wide, (void)complex, (void)in_register;
        mix((uint32_t)r->word);
    }
}

void volatiles(void)
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

__attribute__((noinline)) void arrays(int n)
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

void atomics(void)
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
