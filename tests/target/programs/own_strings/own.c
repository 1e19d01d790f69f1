/* SPDX-License-Identifier: MIT */
/* String functions of the program's own, in another file than their callers (main.c). They have probes, so they
 * announce what they read and write themselves. strchr and strlen are weak: the first is replaced (other.c), the second
 * is not. */
#include <stddef.h>

/* Keeps loops from becoming calls of the same functions. */
#define STAY __asm__ volatile("")

char *strcpy(char *to, const char *from)
{
    char *start = to;
    while ((*to++ = *from++) != 0)
        STAY;
    return start;
}

char *strcat(char *to, const char *from)
{
    char *start = to;
    for (; *to; to++)
        STAY;
    strcpy(to, from);
    return start;
}

char *strncpy(char *to, const char *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = *from;
        from += *from != 0;
        STAY;
    }
    return to;
}

int strcmp(const char *a, const char *b)
{
    for (; *a && *a == *b; a++, b++)
        STAY;
    return (unsigned char)*a - (unsigned char)*b;
}

__attribute__((weak)) size_t strlen(const char *text)
{
    size_t length = 0;
    for (; text[length]; length++)
        STAY;
    return length;
}

__attribute__((weak)) char *strchr(const char *text, int wanted)
{
    for (; *text != (char)wanted; text++)
        if (!*text)
            return NULL;
    return (char *)text;
}

/* Under another name. */
void *find_byte(const void *from, int wanted, size_t count)
{
    for (const unsigned char *at = from; count; at++, count--) {
        STAY;
        if (*at == (unsigned char)wanted)
            return (void *)at;
    }
    return NULL;
}
__attribute__((alias("find_byte"))) void *memchr(const void *from, int wanted, size_t count);

/* What code for an M0 calls for an atomic operation. */
unsigned add_atomically(volatile void *to, unsigned plus, int order) __asm__("__atomic_fetch_add_4");
unsigned add_atomically(volatile void *to, unsigned plus, int order)
{
    volatile unsigned *number = to;
    unsigned before = *number;
    (void)order;
    *number = before + plus;
    return before;
}
