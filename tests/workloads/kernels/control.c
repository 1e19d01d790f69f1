/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>

static void heap_down(uint16_t *keys, int root, int count)
{
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && keys[child + 1] > keys[child])
            child++;
        if (keys[root] >= keys[child])
            return;
        uint16_t swap = keys[root];
        keys[root] = keys[child];
        keys[child] = swap;
    }
}

static int ascending(const void *left, const void *right)
{
    return (int)*(const uint16_t *)left - (int)*(const uint16_t *)right;
}

/* Sorts with its own heap, and with newlib's qsort, whose callback shows library code that calls instrumented code. */
uint32_t sort(void)
{
    static uint16_t keys[SIGNAL], again[SIGNAL];
    uint32_t random = 11, sum = 0;
    for (int i = 0; i < SIGNAL; i++)
        keys[i] = again[i] = (uint16_t)(next_random(&random) >> 16);
    for (int i = SIGNAL / 2 - 1; i >= 0; i--)
        heap_down(keys, i, SIGNAL);
    for (int count = SIGNAL - 1; count > 0; count--) {
        uint16_t swap = keys[0];
        keys[0] = keys[count];
        keys[count] = swap;
        heap_down(keys, 0, count);
    }
    qsort(again, SIGNAL, sizeof again[0], ascending);
    for (int i = 0; i < SIGNAL; i++)
        sum = mix(mix(sum, keys[i]), (uint32_t)(keys[i] == again[i]));
    return sum;
}

typedef struct node {
    struct node *next;
    uint32_t key;
} node;

/* Inserts in order, reverses, deletes every third. */
uint32_t linked_list(void)
{
    static node nodes[SIGNAL / 2];
    node *first = NULL;
    uint32_t random = 5, sum = 0;
    for (int i = 0; i < SIGNAL / 2; i++) {
        nodes[i].key = next_random(&random) >> 8;
        node **link = &first;
        while (*link && (*link)->key < nodes[i].key)
            link = &(*link)->next;
        nodes[i].next = *link;
        *link = &nodes[i];
    }
    node *reversed = NULL;
    while (first) {
        node *rest = first->next;
        first->next = reversed;
        reversed = first;
        first = rest;
    }
    int place = 0;
    for (node **link = &reversed; *link; place++) {
        if (place % 3 == 2)
            *link = (*link)->next;
        else
            link = &(*link)->next;
    }
    for (const node *n = reversed; n; n = n->next)
        sum = mix(sum, n->key);
    return sum;
}

static uint32_t ackermann(uint32_t m, uint32_t n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int queens(int row, uint32_t columns, uint32_t left, uint32_t right)
{
    int solutions = 0;
    if (row == 6)
        return 1;
    for (uint32_t c = 1; c < 1u << 6; c <<= 1)
        if (!((columns | left | right) & c))
            solutions += queens(row + 1, columns | c, (left | c) << 1, (right | c) >> 1);
    return solutions;
}

static uint32_t is_odd(uint32_t n);
static uint32_t is_even(uint32_t n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

static uint32_t is_odd(uint32_t n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

uint32_t recursion(void)
{
    return mix(mix(mix(0, ackermann(2, 5)), (uint32_t)queens(0, 0, 0, 0)), is_even(57));
}

static jmp_buf escape;

static void descend(int depth, int throw_at)
{
    volatile int here = depth;
    if (depth == throw_at)
        longjmp(escape, depth + 1);
    if (depth < 8)
        descend(depth + 1, throw_at);
    (void)here;
}

/* longjmp out of several activations, in a loop that calls setjmp in each iteration. */
uint32_t jumps(void)
{
    volatile uint32_t sum = 0;
    for (volatile int throw_at = 0; throw_at < 12; throw_at++) {
        int came = setjmp(escape);
        if (came == 0) {
            descend(0, throw_at);
            sum = mix(sum, 99);
        } else {
            sum = mix(sum, (uint32_t)came);
        }
    }
    return sum;
}

/* A tokenizer as a state machine. */
typedef enum state { START, WORD, NUMBER, SIGN, TEXT, ESCAPE } state;

static state step(state now, char c, uint32_t *sum)
{
    switch (now) {
    case START:
        if (c == '"')
            return TEXT;
        if (c == '-' || c == '+')
            return SIGN;
        if (c >= '0' && c <= '9')
            return NUMBER;
        return c == ' ' ? START : WORD;
    case SIGN:
    case NUMBER:
        if (c >= '0' && c <= '9')
            return NUMBER;
        *sum = mix(*sum, 1);
        return c == '"' ? TEXT : START;
    case WORD:
        if (c != ' ' && c != '"')
            return WORD;
        *sum = mix(*sum, 2);
        return c == '"' ? TEXT : START;
    case ESCAPE:
        return TEXT;
    case TEXT:
        switch (c) {
        case '\\':
            return ESCAPE;
        case '"':
            *sum = mix(*sum, 3);
            return START;
        default:
            return TEXT;
        }
    }
    return START;
}

uint32_t state_machine(void)
{
    static const char input[] = "move -12 to x \"a \\\"quoted\\\" text\" 42 +7 turn 90 \"\" stop 1a b2 --3 ";
    uint32_t sum = 0;
    for (int round = 0; round < 10; round++) {
        state now = START;
        for (const char *c = input; *c; c++)
            now = step(now, *c, &sum);
        sum = mix(sum, (uint32_t)now);
    }
    return sum;
}
