/* SPDX-License-Identifier: MIT */
/* Members of every kind, each written with a number of its own, and a local that has the name of one of them. */
#include <stdint.h>
#include <stdio.h>

struct members {
    int first;
    uint8_t tag;
    unsigned low : 3;
    int middle : 7;
    unsigned wide : 20, next : 9;
    int last;
};

struct members all[3];
int next = -1;
static volatile int in = 5;

__attribute__((noinline)) static int set(struct members *m, int i)
{
    volatile int next = i * 1000;
    m->first = 1000 + i;
    m->tag = (uint8_t)i;
    m->low = (unsigned)i;
    m->middle = -i;
    m->wide = (unsigned)i * 777;
    m->next = (unsigned)i * 3;
    m->last = 2000 + i;
    return next;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += set(&all[i], in + i);
    all[1].first = 42;
    printf("%d %d\n", all[1].middle, sum);
    return 0;
}
