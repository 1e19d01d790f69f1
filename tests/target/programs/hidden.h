/* SPDX-License-Identifier: MIT */
/* Pointers and counts that no compiler knows, so that calls of string functions stay calls. */
#ifndef WEFT_TESTS_HIDDEN_H
#define WEFT_TESTS_HIDDEN_H

#include <stddef.h>

#define APART __attribute__((noinline))

APART static char *hide(char *pointer)
{
    __asm__ volatile("" : "+r"(pointer) : : "memory");
    return pointer;
}

APART static size_t some(size_t count)
{
    __asm__ volatile("" : "+r"(count));
    return count;
}

#endif
