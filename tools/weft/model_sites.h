/* SPDX-License-Identifier: MIT */
/* `weft model` of a recording: one model for each site, beside its place in the source. Memory: see pieces.h, and what
 * is printed. */
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

/* What is not in a model. */
typedef struct model_missing {
    uint64_t unresolved; /* accesses and values without a known site */
    uint64_t unknown;    /* accesses without a known address */
} model_missing;

typedef struct model_sites model_sites;
model_sites *model_sites_begin(const model_sites_options *options);
void model_sites_add(model_sites *all, model_access access, uint32_t address);
/* Models what was added, and prints it. */
void model_sites_end(model_sites *all, const model_places *places, model_missing missing);
void model_sites_free(model_sites *all);

/* The same of a recording with probes, whose sites are those of the descriptors. The exit status. */
int model_container(const model_sites_options *options);
/* The same of a full recording or a whole execution trace, whose sites are the instructions that load or store. The
 * exit status. */
int model_run(const model_sites_options *options);

#endif
