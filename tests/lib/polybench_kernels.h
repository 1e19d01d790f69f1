/* SPDX-License-Identifier: MIT */
/* For the files of PolyBench's kernels: how one is written. */
#ifndef WEFT_TESTS_LIB_POLYBENCH_KERNELS_H
#define WEFT_TESTS_LIB_POLYBENCH_KERNELS_H

#include "tests/lib/polybench.h"

typedef struct polybench {
    polybench_visit *visit;
    void *context;
    unsigned size; /* 0 mini, 1 small, 2 medium */
} polybench;

/* In each kernel: KERNEL starts the numbering of sites, R is one array reference. */
#define KERNEL enum { FIRST = __COUNTER__ + 1 }
#define BASE(array) (0x20000000 + (int64_t)((array) - 'A') * 0x2000000)
#define R(text, array, index) r->visit(r->context, __COUNTER__ - FIRST, text, BASE(array) + 8 * (int64_t)(index))
#define R2(text, array, width, i, j) R(text, array, (int64_t)(i) * (width) + (j))
#define FOR(i, from, to) for (int i = (from); i < (to); i++)
#define DOWN(i, from, to) for (int i = (from); i >= (to); i--)
#define PICK(a, b, c) ((const int[]){a, b, c}[r->size])

static inline int max_of(int a, int b)
{
    return a > b ? a : b;
}

static inline int min_of(int a, int b)
{
    return a < b ? a : b;
}

void polybench_correlation(polybench *r);
void polybench_covariance(polybench *r);
void polybench_gemm(polybench *r);
void polybench_gemver(polybench *r);
void polybench_gesummv(polybench *r);
void polybench_symm(polybench *r);
void polybench_syr2k(polybench *r);
void polybench_syrk(polybench *r);
void polybench_trmm(polybench *r);
void polybench_two_mm(polybench *r);
void polybench_three_mm(polybench *r);
void polybench_atax(polybench *r);
void polybench_bicg(polybench *r);
void polybench_doitgen(polybench *r);
void polybench_mvt(polybench *r);
void polybench_cholesky(polybench *r);
void polybench_durbin(polybench *r);
void polybench_gramschmidt(polybench *r);
void polybench_lu(polybench *r);
void polybench_ludcmp(polybench *r);
void polybench_trisolv(polybench *r);
void polybench_deriche(polybench *r);
void polybench_floyd_warshall(polybench *r);
void polybench_nussinov(polybench *r);
void polybench_adi(polybench *r);
void polybench_fdtd_2d(polybench *r);
void polybench_heat_3d(polybench *r);
void polybench_jacobi_1d(polybench *r);
void polybench_jacobi_2d(polybench *r);
void polybench_seidel_2d(polybench *r);
void polybench_gemm_tiled(polybench *r);
void polybench_mvt_tiled(polybench *r);
void polybench_syrk_tiled(polybench *r);
void polybench_trmm_tiled(polybench *r);
void polybench_cholesky_tiled(polybench *r);
void polybench_floyd_warshall_tiled(polybench *r);
void polybench_deriche_tiled(polybench *r);
void polybench_jacobi_1d_skewed(polybench *r);
void polybench_seidel_2d_skewed(polybench *r);
void polybench_jacobi_2d_skewed(polybench *r);

#endif
