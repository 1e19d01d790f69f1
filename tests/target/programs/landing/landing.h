/* SPDX-License-Identifier: MIT */
#ifndef WEFT_TESTS_TARGET_PROGRAMS_LANDING_H
#define WEFT_TESTS_TARGET_PROGRAMS_LANDING_H

typedef struct node {
    int begun, ended, sum;
} node;

int walk(int depth, node *at) __attribute__((noinline));
int unseen_step(int depth, node *next);

#endif
