/* SPDX-License-Identifier: MIT */
/* JSON that others wrote, as a tree. */
#ifndef WEFT_TOOLS_LIB_BASE_JSON_TREE_H
#define WEFT_TOOLS_LIB_BASE_JSON_TREE_H

#include <stddef.h>
#include <yajl/yajl_tree.h>

/* The tree of a text, to be freed by yajl_tree_free. NULL: it is not JSON, or it is nested deeper than any file of Weft
 * or request of an editor; `wrong` says which. yajl frees a tree by recursion: a million brackets would end the
 * process. */
yajl_val json_tree(const char *text, char *wrong, size_t wrong_size);

#endif
