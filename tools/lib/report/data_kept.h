/* SPDX-License-Identifier: MIT */
/* Which nodes of the tree of calls and which paths a page names, under numbers of its own: it holds no others. */
#ifndef WEFT_TOOLS_LIB_REPORT_DATA_KEPT_H
#define WEFT_TOOLS_LIB_REPORT_DATA_KEPT_H

#include "tools/lib/profile/functions.h"

/* Nodes that the page names, and their parents, under new numbers. */
typedef struct kept_nodes {
    uint32_t *number; /* of each node of the tree: new number + 1, 0: not kept */
    uint32_t *node;   /* by new number */
    uint32_t count;
    uint32_t *function; /* of each function: its place in `order` + 1 */
} kept_nodes;

/* A node and those above it. All are added before they are numbered. */
void kept_nodes_add(const functions *all, kept_nodes *k, uint32_t node);
/* A parent stands before its children in the tree, so it does here. */
void kept_nodes_number(const functions *all, kept_nodes *k);

/* Paths that the page names: the lines that they run through. */
typedef struct kept_paths {
    uint32_t *path;
    size_t count, max;
    uint32_t *slots;
    size_t slot_max;
} kept_paths;

/* The number of a path; a new one if it has none. */
uint32_t kept_path_number(kept_paths *k, uint32_t path);

#endif
