/* SPDX-License-Identifier: MIT */
/* Loop nests straight from their definitions: slow, but easy to check. Texts are as `weft loops --format chars`
 * writes them. Strings are at most ORACLE_MAX symbols, each a letter. */
#ifndef WEFT_TESTS_LIB_NEST_ORACLE_H
#define WEFT_TESTS_LIB_NEST_ORACLE_H

#include <stddef.h>

#define ORACLE_MAX 1024

/* The optimal nest: the PM-repeat with the longest body; among those the one with most iterations; among those the
 * earliest; then the part left of it, its body and the part right of it. Into out, zero-terminated: at least 4 * size +
 * 64 bytes. */
void oracle_optimal(const char *text, size_t size, char *out);

/* The greedy nest: figure 1 of Xu, Subhlok & Hammen, with every PM-repeat of a level listed. */
void oracle_greedy(const char *text, size_t size, char *out);

#endif
