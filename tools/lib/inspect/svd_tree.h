/* SPDX-License-Identifier: MIT */
/* The elements of an SVD file that matter, as a tree. */
#ifndef WEFT_TOOLS_LIB_INSPECT_SVD_TREE_H
#define WEFT_TOOLS_LIB_INSPECT_SVD_TREE_H

#include <stdio.h>

#include "tools/lib/inspect/svd.h"

enum {
    SVD_DEPTH_MAX = 64,  /* elements in one another, and registers in clusters */
    SVD_DERIVED_MAX = 8, /* steps to what a node is derived from */
    SVD_NAME_MAX = 200,
};

typedef struct svd_node {
    const char *tag; /* the same pointer for the same tag */
    char *text, *derived;
    size_t size, max; /* of text */
    struct svd_node *parent, *child, *last, *next, *all;
    svd_field *fields; /* of a register that was expanded */
    size_t field_count;
} svd_node;

struct svd_own {
    svd_node *root, *all;    /* all: a list for the end */
    svd_node *open;          /* the element that is being read */
    unsigned depth, skipped; /* skipped: elements that are not kept and that are open */
    size_t max;
    const char *error;
};

/* False, and a message: it is not XML, or not what an SVD file may be. `path` is for the message. */
bool svd_tree_read(struct svd_own *own, FILE *file, char *message, size_t size, const char *path);
void svd_node_free(svd_node *n);
/* Fills the fields of a register, once: those of a register derived from another are that one's. (svd_fields.c) */
void svd_find_fields(const struct svd_own *own, svd_node *n);
/* The name of the i-th element of an array ("CH%s", "DATA[%s]"), or of a node that is none. Returns `out`. */
const char *svd_element_name(const svd_node *n, unsigned i, char out[SVD_NAME_MAX]);
unsigned svd_elements(const svd_node *n); /* of an array; 1 */

/* A child by its tag, or NULL; its text. */
const svd_node *svd_own_child(const svd_node *n, const char *tag);
const char *svd_own_text(const svd_node *n, const char *tag);
/* What a node is derived from, or NULL. A path (TIMER0.CTRL) begins in the node around it, or in one further out. */
const svd_node *svd_base(const svd_node *n);
/* A child of a node, or of what it is derived from. */
const svd_node *svd_child(const svd_node *n, const char *tag);
/* False: the text is not a number as SVD files write them. */
bool svd_number(const char *text, uint64_t *value);
uint64_t svd_number_of(const svd_node *n, const char *tag, uint64_t otherwise);
/* The text of a child (svd_child) of a node, or else of the next one around it that has it; NULL. */
const char *svd_inherited(const svd_node *n, const char *tag);

#endif
