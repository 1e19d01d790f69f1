/* SPDX-License-Identifier: MIT */
#ifndef WEFT_TOOLS_WEFT_MODEL_CONTAINER_H
#define WEFT_TOOLS_WEFT_MODEL_CONTAINER_H

#include "tools/lib/affine/many.h"
#include "tools/lib/recording/filter.h"

typedef enum model_form {
    MODEL_NESTS,   /* the loops of each site */
    MODEL_JSON,    /* the same as one JSON object */
    MODEL_SUMMARY, /* a line for each site */
} model_form;

typedef struct model_container_options {
    const char *path, *elf; /* the recording, and its program */
    event_choice choice;
    model_form form;
    unsigned top; /* sites in a summary; 0: all */
    many_options models;
} model_container_options;

/* Models the addresses of each site of a container. The exit status. */
int model_container(const model_container_options *options);

#endif
