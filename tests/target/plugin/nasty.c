/* SPDX-License-Identifier: MIT */
/* Programs that path and access probes may get wrong. Prints one checksum per test. Run with and without probes. */
#include "tests/target/plugin/nasty.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t sum;

__attribute__((noinline)) void mix(uint32_t x)
{
    sum = (sum ^ x) * 16777619u + 1;
}

static __attribute__((noreturn, noinline)) void finish(int code)
{
    if (code > 200)
        abort();
    exit(code);
}

static void report(const char *name)
{
    printf("%s %08lx\n", name, (unsigned long)sum);
}

int main(void)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {
        {"computed goto", computed_goto},
        {"loops", loops},
#ifndef WITHOUT_JUMPS
        {"jumps", jumps},
#endif
        {"calls", calls},
        {"bit-fields", bit_fields},
        {"structs", structs},
        {"numbers", numbers},
        {"volatiles", volatiles},
        {"atomics", atomics},
        {"unused", unused},
        {"odd", odd},
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        tests[i].run();
        if (i == 3)
            arrays(6);
        report(tests[i].name);
    }
#ifdef WITHOUT_JUMPS
    return 0;
#else
    finish(0);
#endif
}
