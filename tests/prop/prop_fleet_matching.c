/* SPDX-License-Identifier: MIT */
/* Which functions of several images are the same one, against what tools/lib/fleet/matching.h says, taken literally. */
#include <stdio.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/fleet/matching.h"

enum { IMAGES = 3, FUNCTIONS = 12 };

static char file[IMAGES][FUNCTIONS][32];
static descriptor_function function[IMAGES][FUNCTIONS];
static descriptors described[IMAGES];
static const descriptors *known[IMAGES];
static const fleet_images images = {known, IMAGES};

/* Few names, few files, few folders: they meet. Each image is built in a folder of its own. */
static void make(check_random *random)
{
    static const char *const names[] = {"poll", "init", "main"}, *const bases[] = {"port.c", "uart.c"},
                             *const folders[] = {"", "a/", "b/", "x/a/", "y/a/"};
    for (unsigned i = 0; i < IMAGES; i++) {
        bool is_known = check_random_below(random, 8) != 0;
        known[i] = is_known ? &described[i] : NULL;
        described[i] = (descriptors){.function = function[i], .count = 1 + check_random_below(random, FUNCTIONS)};
        for (unsigned k = 0; k < described[i].count; k++) {
            snprintf(file[i][k], sizeof file[i][k], "/build%u/%s%s", i, folders[check_random_below(random, 5)],
                     bases[check_random_below(random, 2)]);
            function[i][k] = (descriptor_function){.name = names[check_random_below(random, 3)],
                                                   .file = check_random_below(random, 20) ? file[i][k] : NULL};
        }
    }
}

static const char *path_of(const descriptor_function *f)
{
    return f->file ? f->file : "";
}

static bool same_end(const descriptor_function *f, const descriptor_function *g, unsigned parts)
{
    return !strcmp(f->name, g->name) && !strcmp(matching_tail(path_of(f), parts), matching_tail(path_of(g), parts));
}

/* Whether, with that many parts, no image has two files at the end of the path of one of these. */
static bool are_apart(const descriptor_function *of, unsigned parts)
{
    bool apart = true;
    for (unsigned i = 0; i < IMAGES; i++)
        for (unsigned k = 0; known[i] && k < known[i]->count; k++)
            for (unsigned l = 0; l < k; l++) {
                const descriptor_function *f = &function[i][k], *g = &function[i][l];
                apart &= !same_end(f, of, 1) || !same_end(f, g, parts) || !strcmp(path_of(f), path_of(g));
            }
    return apart;
}

/* The least number of parts that does. */
static unsigned naive_parts(const descriptor_function *of)
{
    unsigned parts = 1;
    while (!are_apart(of, parts))
        parts++;
    return parts;
}

static bool as_the_model_says(check_random *random)
{
    matching m = {0};
    unsigned parts[2];
    make(random);
    matching_make(&m, &images);
    for (unsigned i = 0; i < IMAGES * FUNCTIONS; i++)
        for (unsigned k = 0; k < IMAGES * FUNCTIONS; k++) {
            const descriptors *one = known[i / FUNCTIONS], *other = known[k / FUNCTIONS];
            if (!one || !other || i % FUNCTIONS >= one->count || k % FUNCTIONS >= other->count)
                continue;
            const descriptor_function *f = &one->function[i % FUNCTIONS], *g = &other->function[k % FUNCTIONS];
            bool same = matching_of(&m, f, &parts[0]) == matching_of(&m, g, &parts[1]);
            EXPECT(parts[0] == naive_parts(f));
            EXPECT(same == (same_end(f, g, 1) && same_end(f, g, parts[0])));
        }
    matching_free(&m);
    return true;
}

static void functions_of_random_images_are_matched_as_the_model_says(void)
{
    check_random random = {1};
    for (unsigned round = check_amount(200, 500, 20000); round; round--)
        CHECK(as_the_model_says(&random));
}

static void the_end_of_a_path_has_as_many_parts_as_are_asked_for(void)
{
    CHECK(!strcmp(matching_tail("/b/x/port.c", 1), "port.c"));
    CHECK(!strcmp(matching_tail("/b/x/port.c", 2), "x/port.c"));
    CHECK(!strcmp(matching_tail("/b/x/port.c", 9), "/b/x/port.c"));
    CHECK(!strcmp(matching_tail("port.c", 2), "port.c"));
    CHECK(!strcmp(matching_tail("", 1), ""));
}

int main(void)
{
    RUN(the_end_of_a_path_has_as_many_parts_as_are_asked_for);
    RUN(functions_of_random_images_are_matched_as_the_model_says);
    return check_failed();
}
