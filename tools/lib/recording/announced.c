/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/announced.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/lib/base/json.h"

typedef struct announced_words {
    const char *what, *key, *instead;
} announced_words;

static const announced_words words[] = {
    {"loads and stores", "accesses_without", "have probes for paths only"},
    {"values", "values_without", "have no probes for values"},
};

enum { KINDS = sizeof words / sizeof *words, COUNT_MAX = 48 };

/* How many functions lack a kind that others have. */
static size_t lacking(const program *app, unsigned kind)
{
    const descriptors *all = app ? program_descriptors(app) : NULL;
    size_t count = !all ? 0 : kind ? descriptors_valueless(all) : descriptors_silent(all);
    return all && count < all->count ? count : 0;
}

bool announced_mixed(const program *app, unsigned kinds)
{
    return (kinds & ANNOUNCED_ACCESSES && lacking(app, 0)) || (kinds & ANNOUNCED_VALUES && lacking(app, 1));
}

static bool say(const char *command, const char *how, const program *app, unsigned kinds)
{
    static char counts[KINDS][COUNT_MAX]; /* json_remark keeps them */
    for (unsigned i = 0; i < KINDS; i++) {
        size_t count = kinds & 1u << i ? lacking(app, i) : 0;
        if (!count)
            continue;
        size_t all = program_descriptors(app)->count;
        fprintf(stderr,
                "weft %s: %s: %s of %zu of %zu functions, which %s (objects left from a build with another choice of "
                "probes?)\n",
                command, how, words[i].what, count, all, words[i].instead);
        snprintf(counts[i], sizeof counts[i], "%zu of %zu functions", count, all);
        json_remark(words[i].key, counts[i]);
    }
    return announced_mixed(app, kinds);
}

bool announced_say(const char *command, const program *app, unsigned kinds)
{
    return say(command, "not known", app, kinds);
}

bool announced_note(const char *command, const program *app, unsigned kinds)
{
    return say(command, "note: not recorded", app, kinds);
}

bool announced_say_unknown(const char *command, uint64_t unresolved, uint64_t unknown)
{
    if (unresolved)
        fprintf(stderr, "weft %s: gap: %" PRIu64 " accesses and values of unfinished paths have no known site\n",
                command, unresolved);
    if (unknown)
        fprintf(stderr,
                "weft %s: gap: the addresses of %" PRIu64
                " accesses are not known: they follow from lost ones, or a longjmp left open which\n",
                command, unknown);
    return unresolved || unknown;
}

void announced_note_estimated(const char *command, uint64_t instructions)
{
    if (instructions)
        fprintf(stderr,
                "weft %s: note: %" PRIu64
                " instructions are estimated: the machine code of their paths is not known (no symbols in the image, a "
                "black box, PROBES=edges, or code that Weft cannot follow)\n",
                command, instructions);
}

void announced_note_shared(const char *command, uint64_t nanoseconds)
{
    if (nanoseconds)
        fprintf(
            stderr,
            "weft %s: note: %.3f us are estimated: the time between two stamps is shared by instructions, and how many "
            "some paths have is not known\n",
            command, (double)nanoseconds / 1000);
}
