/* SPDX-License-Identifier: MIT */
/* Traces of the NAS benchmarks as loop nests (Xu, Subhlok & Hammen), written as the papers write them,
 * and their expansion to symbols, a character each. */
#ifndef WEFT_TESTS_LIB_NAS_H
#define WEFT_TESTS_LIB_NAS_H

#include <stddef.h>

/* LU class C: 323,048 symbols; class B: 203,048. */
#define NAS_LU_C                                                                                                       \
    "(V)^3(W)^2X(W)^3(QJYQHYQEYQCY)^2RU((NKID)^160(MLGB)^160QJYQHYQEYQCY)^249"                                         \
    "(NKID)^160(MLGB)^160RQJYQHYQEYQCYRSRPYAOYF(T)^3"
#define NAS_LU_B                                                                                                       \
    "(V)^3(W)^2X(W)^3(QJYQHYQEYQCY)^2RU((NKID)^100(MLGB)^100QJYQHYQEYQCY)^249"                                         \
    "(NKID)^100(MLGB)^100RQJYQHYQEYQCYRSRPYAOYF(T)^3"
#define NAS_LU_C_SIZE 323048u
#define NAS_LU_B_SIZE 203048u

/* Expands a nest, `(body)^count` for a loop, into out[0..max-1]; gives the full length, whatever max is, or 0
 * if the nest is malformed or deeper than 16. With out == NULL it only measures. */
size_t nas_expand(const char *nest, char *out, size_t max);

#endif
