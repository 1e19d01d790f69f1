/* SPDX-License-Identifier: MIT */
/* Names of C++ as the source has them. The mangled ones are the compiler's for the declarations beside them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/image/demangle.h"

static const struct {
    const char *mangled, *shown;
} names[] = {
    {"_ZL6filterPv", "filter"},                                /* static void filter(void *) */
    {"_ZL6result", "result"},                                  /* static float result */
    {"_ZN5Queue3putEi", "Queue::put"},                         /* void Queue::put(int) */
    {"_ZNK5Queue4sizeEv", "Queue::size"},                      /* size_t Queue::size() const */
    {"_ZN5QueueC1Ev", "Queue::Queue"},                         /* Queue::Queue() */
    {"_ZN5QueueD0Ev", "Queue::~Queue"},                        /* Queue::~Queue() */
    {"_ZN5QueueclEi", "Queue::operator()"},                    /* void Queue::operator()(int) */
    {"_ZltRK5QueueS1_", "operator<"},                          /* bool operator<(const Queue &, const Queue &) */
    {"_ZN12_GLOBAL__N_13runEv", "(anonymous namespace)::run"}, /* namespace { void run(); } */
    {"_Z5swap_IfEvRT_S1_", "swap_<float>"},                    /* template <class T> void swap_(T &, T &), T = float */
    {"_ZTV5Queue", "vtable for Queue"},
    {"_ZL3addi.part.0", "add.part.0"},  /* a clone of static int add(int) */
    {"_ZZ4mainE5count", "main::count"}, /* a static variable in main */
    {"main", NULL},
    {"xTaskIncrementTick.part.0", NULL},
    {"_Znothing", NULL},
    {"_Z", NULL},
    {"", NULL},
};

static void names_are_those_of_the_source(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *shown = demangle(names[i].mangled);
        bool same = shown && names[i].shown ? !strcmp(shown, names[i].shown) : !shown && !names[i].shown;
        if (!same)
            printf("# %s: %s\n", names[i].mangled, shown ? shown : "none");
        CHECK(same);
        free(shown);
    }
}

int main(void)
{
    RUN(names_are_those_of_the_source);
    return check_failed();
}
