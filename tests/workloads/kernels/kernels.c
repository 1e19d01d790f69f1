/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <stdio.h>

int main(void)
{
    static const struct {
        const char *name;
        uint32_t (*run)(void);
    } kernels[] = {{"matrix product", matrix_product},
                   {"cholesky", cholesky},
                   {"fir", fir},
                   {"fft", fft},
                   {"stencil", stencil},
                   {"sort", sort},
                   {"linked list", linked_list},
                   {"recursion", recursion},
                   {"jumps", jumps},
                   {"state machine", state_machine}};
    uint32_t sum = 2166136261u;
    for (unsigned i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        uint32_t result = 0;
        for (int round = 0; round < SCALE; round++)
            result = mix(result, kernels[i].run());
        printf("%s %08lx\n", kernels[i].name, (unsigned long)result);
        sum = mix(sum, result);
    }
    printf("kernels: checksum %08lx\n", (unsigned long)sum);
    return 0;
}
