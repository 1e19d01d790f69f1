/* SPDX-License-Identifier: MIT */
/* `weft model` of a recording: one model for each site, beside its place in the source. */
#ifndef WEFT_TOOLS_WEFT_MODEL_SITES_H
#define WEFT_TOOLS_WEFT_MODEL_SITES_H

#include "tools/lib/affine/many.h"
#include "tools/lib/recording/filter.h"
#include "tools/weft/model_site.h"

typedef enum model_form {
    MODEL_NESTS,   /* the loops of each site */
    MODEL_JSON,    /* the same as one JSON object */
    MODEL_SUMMARY, /* a line for each site */
} model_form;

typedef struct model_sites_options {
    const char *path, *elf; /* the recording, and its program */
    event_choice choice;
    model_form form;
    unsigned top; /* sites in a summary; 0: all */
    many_options models;
} model_sites_options;

/* Models the addresses of each site, and prints them. */
void model_sites(const site_streams *streams, const model_places *places, const model_sites_options *options);

/* The same of a recording with probes, whose sites are those of the descriptors. The exit status. */
int model_container(const model_sites_options *options);
/* The same of a full recording or a whole execution trace, whose sites are the instructions that load or store. The
 * exit status. */
int model_run(const model_sites_options *options);

#endif
