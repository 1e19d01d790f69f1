/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/json_tree.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "tools/lib/base/memory.h"

enum { DEPTH_MAX = 1000 };

/* yajl calls these where an object or array begins and ends; 0 ends the parse. */
static int deeper(void *depth)
{
    return ++*(unsigned *)depth <= DEPTH_MAX;
}

static int out_again(void *depth)
{
    --*(unsigned *)depth;
    return 1;
}

/* Asks the same parser, which passes over comments as yajl_tree_parse does. It reports other faults later. */
static bool is_too_deep(const char *text)
{
    static const yajl_callbacks calls = {
        .yajl_start_map = deeper, .yajl_end_map = out_again, .yajl_start_array = deeper, .yajl_end_array = out_again};
    unsigned depth = 0;
    yajl_handle parser = memory_got(yajl_alloc(&calls, NULL, &depth));
    yajl_config(parser, yajl_allow_comments, 1);
    yajl_parse(parser, (const unsigned char *)text, strlen(text));
    yajl_free(parser);
    return depth > DEPTH_MAX;
}

yajl_val json_tree(const char *text, char *wrong, size_t wrong_size)
{
    if (!is_too_deep(text))
        return yajl_tree_parse(text, wrong, wrong_size);
    snprintf(wrong, wrong_size, "it is nested deeper than %d", DEPTH_MAX);
    return NULL;
}
