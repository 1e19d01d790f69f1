/* SPDX-License-Identifier: MIT */
#include "tests/lib/polybench_kernels.h"

static const struct {
    const char *name;
    void (*run)(polybench *r);
    bool tiled;
} kernels[] = {
    {"correlation", polybench_correlation, false},
    {"covariance", polybench_covariance, false},
    {"gemm", polybench_gemm, false},
    {"gemver", polybench_gemver, false},
    {"gesummv", polybench_gesummv, false},
    {"symm", polybench_symm, false},
    {"syr2k", polybench_syr2k, false},
    {"syrk", polybench_syrk, false},
    {"trmm", polybench_trmm, false},
    {"2mm", polybench_two_mm, false},
    {"3mm", polybench_three_mm, false},
    {"atax", polybench_atax, false},
    {"bicg", polybench_bicg, false},
    {"doitgen", polybench_doitgen, false},
    {"mvt", polybench_mvt, false},
    {"cholesky", polybench_cholesky, false},
    {"durbin", polybench_durbin, false},
    {"gramschmidt", polybench_gramschmidt, false},
    {"lu", polybench_lu, false},
    {"ludcmp", polybench_ludcmp, false},
    {"trisolv", polybench_trisolv, false},
    {"deriche", polybench_deriche, false},
    {"floyd-warshall", polybench_floyd_warshall, false},
    {"nussinov", polybench_nussinov, false},
    {"adi", polybench_adi, false},
    {"fdtd-2d", polybench_fdtd_2d, false},
    {"heat-3d", polybench_heat_3d, false},
    {"jacobi-1d", polybench_jacobi_1d, false},
    {"jacobi-2d", polybench_jacobi_2d, false},
    {"seidel-2d", polybench_seidel_2d, false},
    {"gemm tiled", polybench_gemm_tiled, true},
    {"mvt tiled", polybench_mvt_tiled, true},
    {"syrk tiled", polybench_syrk_tiled, true},
    {"trmm tiled", polybench_trmm_tiled, true},
    {"cholesky tiled", polybench_cholesky_tiled, true},
    {"floyd-warshall tiled", polybench_floyd_warshall_tiled, true},
    {"deriche tiled", polybench_deriche_tiled, true},
    {"jacobi-1d skewed", polybench_jacobi_1d_skewed, true},
    {"seidel-2d skewed", polybench_seidel_2d_skewed, true},
    {"jacobi-2d skewed", polybench_jacobi_2d_skewed, true},
};

unsigned polybench_count(void)
{
    return sizeof kernels / sizeof *kernels;
}

const char *polybench_name(unsigned kernel)
{
    return kernels[kernel].name;
}

bool polybench_tiled(unsigned kernel)
{
    return kernels[kernel].tiled;
}

void polybench_run(unsigned kernel, unsigned size, polybench_visit *visit, void *context)
{
    polybench r = {visit, context, size};
    kernels[kernel].run(&r);
}
