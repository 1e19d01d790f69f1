/* SPDX-License-Identifier: MIT */
#ifndef WEFT_TESTS_TARGET_PROGRAMS_LANDING_H
#define WEFT_TESTS_TARGET_PROGRAMS_LANDING_H

typedef struct node {
    int begun, ended, sum;
} node;

int walk(int depth, node *at) __attribute__((noinline));
int unseen_step(int depth, node *next);
/* As in C++. */
void set_new_handler(void (*handler)(void)) __asm__("_ZSt15set_new_handlerPFvvE");

#endif
