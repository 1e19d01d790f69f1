/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/unseen.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/image/vectors.h"
#include "tools/lib/rerun/entries.h"
#include "tools/lib/rerun/pending.h"

enum { NMI = 2, FIRST_AFTER_FAULTS = 11, EXCEPTIONS = 512, SHARED_BY_MANY = 3 };

/* Where the program counts, functions have no descriptors, but handlers record their starts. */
static bool has_probes(const program *app, const rerun_entries *entries, const char *name, uint32_t address)
{
    const descriptors *all = program_descriptors(app);
    if (image_counter(program_image(app)))
        return rerun_entries_calls(entries, address, RERUN_HANDLER);
    for (size_t i = 0; i < all->count; i++)
        if (!strcmp(all->function[i].name, name))
            return true;
    return false;
}

/* By its source file, or as part of the single file. */
static bool is_own(const image *im, uint32_t address)
{
    const image_line *line = image_function_line(im, address);
    const char *file = line && line->file ? line->file : "";
    const char *last = strrchr(file, '/');
    return strstr(file, "port/cortex-m/") || !strcmp(last ? last + 1 : file, "weft.c");
}

/* The table ends at the first word that leads to no function. */
static uint32_t table_end(const image *im)
{
    uint32_t i = FIRST_AFTER_FAULTS;
    for (; i < EXCEPTIONS; i++) {
        uint32_t word = vectors_word(im, i);
        const image_symbol *f = image_function(&im->symbols, word);
        if (word && (!f || f->address != word))
            break;
    }
    return i;
}

static unsigned times(const image *im, uint32_t address, uint32_t end)
{
    unsigned count = 0;
    for (uint32_t i = 1; i < end; i++)
        count += (vectors_word(im, i) & ~1u) == address;
    return count;
}

size_t rerun_unseen(const program *app, char *names, size_t size)
{
    const image *im = program_image(app);
    size_t found = 0, used = 0;
    *names = 0;
    uint32_t end = table_end(im);
    rerun_entries *entries = rerun_entries_find(im);
    for (uint32_t i = NMI; i < end; i = i == NMI ? FIRST_AFTER_FAULTS : i + 1) {
        uint32_t address = vectors_word(im, i) & ~1u;
        const image_symbol *f = address ? image_function(&im->symbols, address) : NULL;
        bool asked = i == RERUN_SVCALL || i == RERUN_PENDSV; /* they come where the program asks for them */
        if (asked || !f || f->address != address || has_probes(app, entries, f->name, address) || is_own(im, address) ||
            times(im, address, end) >= SHARED_BY_MANY || strstr(names, f->name))
            continue;
        int more = snprintf(names + used, size - used, "%s%s", found++ ? ", " : "", f->name);
        used += more > 0 && (size_t)more < size - used ? (size_t)more : 0;
    }
    rerun_entries_free(entries);
    return found;
}
