/* SPDX-License-Identifier: MIT */
/* For the oracle: statements that copy structures, right before statements that load and store a part of what was
 * copied, in pieces. */
#include <stdio.h>

struct sample {
    int kind;
    double level;
    int marks[5];
};

static struct sample now, before, history[4];

__attribute__((noinline)) static double step(int i)
{
    double sum;
    before = now;
    sum = now.level;
    now.level = sum + i;
    history[i & 3] = before;
    sum += before.level;
    before.level = sum;
    return sum;
}

int main(void)
{
    double sum = 0;
    for (int i = 0; i < 20; i++)
        sum += step(i);
    printf("%d\n", (int)sum);
    return 0;
}
