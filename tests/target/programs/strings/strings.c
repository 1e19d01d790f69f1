/* SPDX-License-Identifier: MIT */
/* Functions of the C library that read or write strings and blocks. Their bytes are announced by the caller: which, the
 * comment of each line says, loads before stores (tests/target/strings.sh). */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tests/target/programs/hidden.h"

static char room[16] = "kitchen", same[16] = "kitchen", text[24] = "thermostat", to[48], more[48];

APART static void copy(void)
{
    strcpy(hide(to), hide(room));                 /* load room 8, store to 8 */
    stpcpy(hide(to + 8), hide(room + 3));         /* load room+3 5, store to+8 5 */
    strncpy(hide(to), hide(room), some(4));       /* load room 4, store to 4 */
    strncpy(hide(to + 16), hide(room), some(20)); /* load room 8, store to+16 20 */
    memcpy(hide(more), hide(room), some(3));      /* load room 3, store more 3 */
    memmove(hide(more + 1), hide(more), some(3)); /* load more 3, store more+1 3 */
    memset(hide(more + 9), 0, some(6));           /* store more+9 6 */
}

APART static void join(void)
{
    strcat(hide(to), hide(room));            /* load to 8, load room 8, store to+7 8 */
    strncat(hide(to), hide(text), some(4));  /* load to 15, load text 4, store to+14 5 */
    strncat(hide(to), hide(text), some(30)); /* load to 19, load text 11, store to+18 11 */
}

APART static unsigned look(void)
{
    unsigned found = strlen(hide(room));                /* load room 8 */
    found += strnlen(hide(room), some(4));              /* load room 4 */
    found += strchr(hide(room), 'c') != NULL;           /* load room 4 */
    found += strchr(hide(room), 'z') != NULL;           /* load room 8 */
    found += strrchr(hide(room), 'k') != NULL;          /* load room 8 */
    found += memchr(hide(room), 'h', some(16)) != NULL; /* load room 5 */
    found += memchr(hide(room), 'h', some(4)) != NULL;  /* load room 4 */
    return found;
}

APART static int compare(void)
{
    int sum = strcmp(hide(room), hide(text)) < 0;         /* load room 1, load text 1 */
    sum += strcmp(hide(room), hide(same)) == 0;           /* load room 8, load same 8 */
    sum += strncmp(hide(room), hide(same), some(4)) == 0; /* load room 4, load same 4 */
    sum += strcmp(hide(room), "kitten") < 0;              /* load room 4 */
    sum += memcmp(hide(room), hide(same), some(9)) == 0;  /* load room 9, load same 9 */
    sum += memcmp(hide(room), hide(text), some(9)) < 0;   /* load room 1, load text 1 */
    return sum;
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        copy();
        printf("%s %s %s\n", to, to + 16, more);
        join();
        printf("%s %u\n", to, look());
        printf("%d\n", compare());
    }
    return 0;
}
