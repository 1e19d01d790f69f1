/* SPDX-License-Identifier: MIT */
#include "tests/lib/sites.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

static void visit(void *context, unsigned number, const char *reference, int64_t address)
{
    sites *s = context;
    site *at = &s->site[number];
    at->address = memory_room(at->address, at->count, &at->room, sizeof *at->address);
    at->reference = reference;
    at->address[at->count++] = address;
    s->count = number >= s->count ? number + 1 : s->count;
}

void sites_collect(sites *s, unsigned kernel, unsigned size)
{
    memset(s, 0, sizeof *s);
    polybench_run(kernel, size, visit, s);
}

void sites_free(sites *s)
{
    for (unsigned i = 0; i < s->count; i++)
        free(s->site[i].address);
    memset(s, 0, sizeof *s);
}
