/* SPDX-License-Identifier: MIT */
/* Copies of literals and of other constants, comparisons with them, and blocks of a few bytes. The compiler makes some
 * by loads and stores, some by constants in the code, and some by a call: what is announced must be made, on each
 * processor and at each level of optimisation (tests/target/strings.sh). */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define APART __attribute__((noinline))
#define KEEP __asm__ volatile("" : : : "memory")

typedef struct point {
    int x, y, z;
    char name[12];
} point;

static char to[128];
static const char table[24] = "a table of constants";
static const uint16_t numbers[4] = {1, 2, 3, 4};
static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
static const uint32_t sizes[6] = {1, 2, 3, 4, 5, 6};
static const char unended[4] = {'a', 'b', 'c', 'd'};
static const point origin = {1, 2, 3, "origin"};
static const float real_constant = 1.5f;
/* The compiler does not know their bytes. */
__attribute__((weak)) const uint8_t outside[8] = {0x89, 'P', 'N', 'G'};
__attribute__((weak)) const uint32_t outer[2] = {1, 2};
static point here;
static uint32_t words[8];
static double real[2];
static struct {
    char a, b;
    short c;
} four;

/* What no compiler knows. */
APART static char *hide(char *pointer)
{
    __asm__ volatile("" : "+r"(pointer) : : "memory");
    return pointer;
}

APART static void strings(char *at)
{
    strcpy(at, "");
    KEEP;
    strcpy(at, "a");
    KEEP;
    strcpy(at, "x=");
    KEEP;
    strcpy(at, "abc");
    KEEP;
    strcpy(at, "seven77");
    KEEP;
    strcpy(at, "some fifteen ch");
    KEEP;
    strcpy(at, "some forty characters are more than all ");
    KEEP;
    strcpy(at, "some eighty characters are more than all some forty characters are more than all");
    KEEP;
    strcat(strcpy(at, "x="), "yy");
    KEEP;
    stpcpy(stpcpy(at, "n="), "12");
    KEEP;
    strcpy(at, table);
    KEEP;
    strncpy(at, "ab", 8);
    KEEP;
    strncpy(at, "abcdef", 4);
    KEEP;
    strncpy(at, "ab", 100);
    KEEP;
    strncat(at, "abc", 2);
    KEEP;
    *(char *)mempcpy(at, "ab", 2) = 0;
    KEEP;
    *stpcpy(at, "ab") = 'x';
    KEEP;
}

APART static void blocks(char *at)
{
    memcpy(at, "abcd", 4);
    KEEP;
    memcpy(at, "abcdefg", 8);
    KEEP;
    memcpy(at, "abcdefghijklm", 13);
    KEEP;
    memcpy(at, "abcdefghijklmnopqrstuvw", 20);
    KEEP;
    memmove(at, "ab", 2);
    KEEP;
    memcpy(at, table, 4);
    KEEP;
    memcpy(at, table + 3, 9);
    KEEP;
    memcpy(at, table, sizeof table);
    KEEP;
}

APART static void aligned(void)
{
    memcpy(words, "abcd", 4);
    KEEP;
    memcpy(words, "abcdefg", 2);
    KEEP;
    memcpy(words, "abcdefg", 8);
    KEEP;
    memcpy(words, "abcdefghijklm", 13);
    KEEP;
    memcpy(words, "abcdefghijklmnopqrstuvw", 20);
    KEEP;
    memcpy(words, "abcdefghijklmnopqrstuvwabcdefgh", 32);
    KEEP;
    strcpy((char *)words, "ab");
    KEEP;
    strcpy((char *)words, "seven77");
    KEEP;
    strcpy((char *)words, "fifteen fifteen");
    KEEP;
    memset(words, 0, 3);
    KEEP;
    memset(words, 0x55, 8);
    KEEP;
    memset(words, 0, 32);
    KEEP;
    memcpy(&four, "abcd", 4);
    KEEP;
}

APART static void few_bytes(char *at, char *from)
{
    memcpy(at, from, 1);
    KEEP;
    memcpy(at, from, 2);
    KEEP;
    memcpy(at, from, 3);
    KEEP;
    memcpy(at, from, 4);
    KEEP;
    memcpy(at, from, 8);
    KEEP;
    memcpy(at, from, 12);
    KEEP;
    memmove(at, from, 2);
    KEEP;
    memmove(at + 1, from, 8);
    KEEP;
    memset(at, 7, 1);
    KEEP;
    memset(at, 7, 3);
    KEEP;
    memset(at, 0, 8);
    KEEP;
    memset(at, 0, 40);
    KEEP;
}

APART static uint32_t loaded(const char *from)
{
    uint32_t word, dead;
    uint64_t two;
    uint16_t half;
    memcpy(&word, from, 4);
    memcpy(&half, from + 4, 2);
    memcpy(&two, from + 8, 8);
    memcpy(&dead, from + 20, 4);
    return word + half + (uint32_t)two + (uint32_t)(two >> 32);
}

APART static void stored(char *at, uint32_t word, uint64_t two, double number)
{
    memcpy(at, &word, 4);
    memcpy(at, &two, 8);
    memcpy(real, &number, 8);
    memcpy(at + 3, &word, 2);
}

/* Neighbours that the compiler joins. */
APART static void joined(char *at, const char *from)
{
    memcpy(at, from, 4);
    memcpy(at + 4, from + 4, 4);
    memset(at + 8, 0, 4);
    memset(at + 12, 0, 4);
    at[16] = 'a';
    at[17] = 'b';
    at[18] = 'c';
    at[19] = 'd';
}

APART static unsigned local(unsigned i)
{
    static const point known = {7, 8, 9, "known"};
    char name[8] = "abc", longer[40] = "a longer text, by which ways?";
    point p = {1, 2, 3, "name"}, q = {.name = "twelve chars"};
    hide(name);
    hide(longer);
    hide((char *)&p);
    hide((char *)&q);
    here = (point){4, 5, 6, "elsewhere"};
    KEEP;
    here = known;
    KEEP;
    memcpy(&here, &known, sizeof here);
    return numbers[2] + numbers[i] + (unsigned)"text"[i] + (unsigned)table[5];
}

/* Zeros after few bytes are made by a call, and so is a division: neither loads the literal. */
APART static unsigned filled(unsigned i, unsigned by)
{
    unsigned char zeros[26] = {0};
    char padded[40] = "ab", one[30] = "x";
    hide((char *)zeros);
    hide(padded);
    hide(one);
    memcpy(to + i / by, "ab", 2);
    KEEP;
    strcpy(to + i % by, "x=");
    KEEP;
    return zeros[i] + (unsigned)padded[i] + (unsigned)one[i];
}

APART static int compared(const char *from)
{
    int sum = memcmp(from, "ab", 2) == 0;
    sum += memcmp(from, "abcd", 4) == 0;
    sum += strcmp(from, "a") == 0;
    sum += strncmp(from, "abcd", 3) == 0;
    sum += memcmp(from, to, 4) == 0;
    return sum + (strlen(from) > 0);
}

/* Those that are not strings: loaded, or in the code. */
APART static int compared_with_constants(const char *from, int which)
{
    int sum = memcmp(from, magic, 4) == 0;
    KEEP;
    sum += memcmp(from, magic, sizeof magic);
    KEEP;
    sum += memcmp(from, magic + 1, 2) == 0;
    KEEP;
    sum += memcmp(numbers, from, sizeof numbers) == 0;
    KEEP;
    sum += memcmp(from, sizes, sizeof sizes) == 0;
    KEEP;
    sum += memcmp(from, unended, 4) == 0;
    KEEP;
    sum += strncmp(from, unended, 4) == 0;
    KEEP;
    sum += memcmp(from, &real_constant, sizeof real_constant) == 0;
    KEEP;
    sum += memcmp(&words, magic, 8) == 0;
    KEEP;
    sum += memcmp(words, sizes, 16) == 0;
    KEEP;
    sum += memcmp(&here, &origin, sizeof origin) == 0;
    KEEP;
    sum += memcmp(from, which ? magic : outside, 4) == 0;
    KEEP;
    sum += memchr(magic, which, sizeof magic) != NULL;
    KEEP;
    return sum + (int)strnlen(unended, sizeof unended);
}

/* One is loaded, the other may be in the code. */
APART static int two_constants(void)
{
    int sum = memcmp(outside, magic, 4) == 0;
    KEEP;
    sum += memcmp(magic, outside, 3) == 0;
    KEEP;
    sum += memcmp(outer, sizes, sizeof outer) == 0;
    KEEP;
    sum += strncmp((const char *)outside, unended, 4) == 0;
    KEEP;
    sum += memcmp(outside, outer, 4) == 0;
    KEEP;
    return sum;
}

APART static char *chosen(int which, char *at)
{
    const char *text = which ? "one" : "three";
    strcat(at, text);
    return strcpy(at, which ? "one" : "two");
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        strings(hide(to));
        puts(to);
        blocks(hide(to));
        puts(to);
        aligned();
        puts((char *)words);
        few_bytes(hide(to), hide((char *)words));
        printf("%u\n", (unsigned)loaded(hide((char *)words)));
        stored(hide(to), 0x41424344, 0x4142434445464748u, 1.5);
        joined(hide(to), hide((char *)words));
        puts(to);
        printf("%u %s %d\n", local((unsigned)i), here.name, compared(hide((char *)words)));
        memcpy(words, i == 0 ? (const void *)magic : i == 1 ? (const void *)sizes : (const void *)numbers, 8);
        printf("%d %d\n", compared_with_constants(hide((char *)words), i), two_constants());
        printf("%u\n", filled((unsigned)i, (unsigned)i + 2));
        puts(chosen(i & 1, hide(to)));
    }
    return 0;
}
