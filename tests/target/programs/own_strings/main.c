/* SPDX-License-Identifier: MIT */
/* Calls of string functions that the program defines (own.c, other.c, strrchr here), and of the C library's. All are
 * announced once (tests/target/strings.sh). */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/target/programs/hidden.h"

static char room[16] = "kitchen", same[16] = "kitchen", to[48];
static unsigned counter;

APART static void write(void)
{
    strcpy(hide(to), hide(room));
    strcat(hide(to), hide(same));
    strncpy(hide(to + 20), hide(room), some(12) / some(2)); /* a division may be a call, too */
    stpcpy(hide(to + 30), hide(room));                      /* the library's */
    strncat(hide(to), hide(room), some(3));                 /* the library's */
    strcpy(hide(to + 40), "on");                            /* mostly no call */
}

APART static unsigned look(void)
{
    unsigned found = strlen(hide(room));
    found += strcmp(hide(room), hide(same)) == 0;
    found += strcmp(hide(room), hide(to)) < 0;
    found += memchr(hide(room), 'h', some(16)) != NULL;
    found += strchr(hide(room), 'c') != NULL;
    found += strrchr(hide(same), 'k') != NULL;
    found += strnlen(hide(room), some(4)); /* the library's */
    __atomic_fetch_add(&counter, found, __ATOMIC_RELAXED);
    return found;
}

/* In the same file, without probes: announced here. */
__attribute__((noinline, no_instrument_function)) char *strrchr(const char *text, int wanted)
{
    const char *found = NULL;
    for (; *text; text++)
        found = *text == (char)wanted ? text : found;
    return (char *)found;
}

/* In tail position. */
APART static char *last(char *text)
{
    return strcpy(text, hide(same));
}

int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < 3; i++) {
        write();
        sum += look() + (unsigned)(unsigned char)last(hide(to))[i];
    }
    printf("%s %u %u\n", to, sum, counter);
    return 0;
}
