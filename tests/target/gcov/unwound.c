/* SPDX-License-Identifier: MIT */
/* Calls that do not come back: what stands after them did not run. */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

static jmp_buf back;
static volatile int32_t depths, returned;

static void deep(int32_t n)
{
    depths++;
    if (n == 0)
        longjmp(back, 1);
    deep(n - 1);
    returned++;
}

static void leave(int32_t n)
{
    if (n > 3)
        exit(returned);
    leave(n + 1);
    returned += 2;
}

static int32_t kind(int32_t n)
{
    switch (n) {
    case 0:
        return 5;
    case 1:
    case 7:
        n += 2;
        break;
    case 2:
        n++;
        /* fall through */
    default:
        n = n > 4 ? n - 1 : n + depths;
    }
    return n;
}

int main(void)
{
    for (volatile int32_t i = 0; i < 9; i++) {
        if (setjmp(back) == 0)
            deep(kind(i));
        depths--;
    }
    leave(0);
    return 1;
}
