/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/pages.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

void pages_init(pages *p, uint32_t count)
{
    *p = (pages){.all = memory_zero(count, sizeof *p->all)};
}

void *pages_make(pages *p, uint32_t number, size_t values, size_t size)
{
    p->made = memory_room(p->made, p->made_count, &p->made_max, sizeof *p->made);
    p->made[p->made_count++] = number;
    return p->all[number] = memory_zero(values, size);
}

void pages_clear(pages *p)
{
    while (p->made_count) {
        void **page = &p->all[p->made[--p->made_count]];
        free(*page);
        *page = NULL;
    }
}

void pages_free(pages *p)
{
    pages_clear(p);
    free(p->made);
    free(p->all);
}
