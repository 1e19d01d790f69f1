/* SPDX-License-Identifier: MIT */
/* The lines of weft functions for people. */
#ifndef WEFT_TOOLS_WEFT_FUNCTIONS_SHOW_H
#define WEFT_TOOLS_WEFT_FUNCTIONS_SHOW_H

#include "tools/weft/profiled.h"

/* Whether a function is listed: it is `only`, or `only` is NULL and it ran. */
bool functions_is_shown(const function_cost *f, const char *only);
/* The costliest functions, names first, in lines of `columns` characters; of the only one (NULL: all) also who calls it
 * and whom it calls. */
void functions_show_screen(const functions *all, const char *only, long long top, unsigned columns);
/* The costliest `top` functions with all figures; of the only one also who calls it, and whom it calls. */
void functions_show(const functions *all, const char *only, long long top);
void functions_show_tree(const functions *all, const image *im);
/* The costliest `top` nodes of the tree, or fewer where several cost the same; names first. */
void functions_show_tree_screen(const functions *all, const image *im, long long top, unsigned columns);
/* The sum of all, in lines of at most `columns` characters. */
void functions_show_total(const profiled *run, unsigned columns);

#endif
