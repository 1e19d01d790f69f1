/* SPDX-License-Identifier: MIT */
#include "tests/lib/hostile.h"

#include "tests/lib/check.h"

void hostile(uint32_t *input, unsigned kind, size_t count)
{
    check_random random = {kind + 1};
    input[0] = 0;
    input[1] = 1;
    size_t a = 1, b = 2; /* lengths of two Fibonacci words */
    for (size_t i = 0; i < count; i++)
        switch (kind) {
        case THUE_MORSE:
            input[i] = (uint32_t)__builtin_parityll(i);
            break;
        case FIBONACCI:
            if (i >= b) {
                size_t next = a + b;
                a = b;
                b = next;
            }
            input[i] = i >= 2 ? input[i - a] : (uint32_t)i;
            break;
        case EQUAL:
            input[i] = 7;
            break;
        case RANDOM:
            input[i] = check_random_below(&random, 2);
            break;
        case ONE_EVERYWHERE: /* every third symbol is new, so there are no loops */
            input[i] = i % 3 == 0 ? (uint32_t)i : 1 + (uint32_t)(i % 3);
            break;
        case SQUARE_FREE: /* over three symbols: differences of the Thue-Morse sequence */
            input[i] = 1 + (uint32_t)__builtin_parityll(i + 1) - (uint32_t)__builtin_parityll(i);
            break;
        case HOSTILE_TOO_DEEP: /* for a depth of 1: a a b a a c */
            input[i] = i % 3 == 2 ? 101 + (uint32_t)(i / 3 % 2) : 100;
            break;
        default: /* a long body whose last symbol is new each time */
            input[i] = i % 100 == 99 ? (uint32_t)i : (uint32_t)(i % 100 * 7 % 10 + i % 100 / 50);
        }
}
