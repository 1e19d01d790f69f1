/* SPDX-License-Identifier: MIT */
/* Runs a workload with the seed that the command line gives: weft capture --argument "NAME SEED". */
#include "tests/workloads/seeded.h"

#include <stdlib.h>

#undef main /* renamed in the workload's own files */

uint32_t workload_seed = 12345;

int workload(void);

int main(int argc, char **argv)
{
    if (argc > 1)
        workload_seed = (uint32_t)strtoul(argv[1], NULL, 10);
    return workload();
}
