/* SPDX-License-Identifier: MIT */
/* Parameters of model_find, each as unit : range : what a larger value does. */
#ifndef WEFT_TOOLS_LIB_AFFINE_MODEL_OPTIONS_H
#define WEFT_TOOLS_LIB_AFFINE_MODEL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MODEL_THREADS = 4, /* threads : 1 to 64 : more sets of parameters at once; more memory */
    MODEL_ROUNDS = 3,  /* rounds : 1 to 10 : searches longer where nothing was found, MODEL_WORK_MORE times each */
};

typedef struct model_options {
    bool single;        /* single-domain nests only: lower bounds 0, one upper face, integer slopes */
    unsigned depth_max; /* levels : 1 to AFFINE_DEPTH : finds deeper nests */
    double time_limit; /* seconds : 0 or more : searches longer; then the rest is written plainly; HUGE_VAL: no limit */
    unsigned rounds;   /* of the piecewise search : 1 to MODEL_ROUNDS : each does 5 times the work of the one before */
    unsigned threads;  /* parameter sets tried at once : 1 to MODEL_THREADS : faster; the result is the same */
    unsigned nodes_max; /* search nodes held at once : 2 to 10^6 : forgets fewer; more memory, about 30 KB each */
    void (*progress)(uint64_t done, uint64_t count); /* or NULL */
    struct memo *memory;                             /* or NULL: of the calling thread, kept from stream to stream */
} model_options;

/* No time limit: searches are bounded by the steps they do, so that the result is the same on every machine. */
void model_defaults(model_options *options);

#endif
