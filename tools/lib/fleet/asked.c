/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/asked.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/fleet/intake.h"
#include "tools/lib/fleet/labels.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/fleet/restore.h"

/* Gives `app` to the profile's images that have its identity. False: none has. */
static bool image_know(asked *a, const program *app)
{
    bool found = false;
    for (size_t n = 0; n < a->images.count; n++)
        if (restore_is_image(&a->all->image[n], app)) {
            a->images.known[n] = program_descriptors(app);
            found = true;
        }
    return found;
}

static bool open_images(asked *a, const char *const *elf, size_t elf_count, char *message, size_t message_size)
{
    a->images = (fleet_images){memory_zero(a->all->image_count + 1, sizeof *a->images.known), a->all->image_count};
    a->own = memory_zero(a->all->image_count + 1, sizeof *a->own);
    a->apps = memory_zero(elf_count + 1, sizeof *a->apps);
    for (; a->app_count < elf_count; a->app_count++) {
        program *app = a->apps[a->app_count] = program_open(elf[a->app_count], message, message_size);
        if (!app)
            return false;
        if (!image_know(a, app)) {
            snprintf(message, message_size, "%s: no recording that was merged is of this image", elf[a->app_count]);
            a->app_count++; /* closed with the others */
            return false;
        }
    }
    for (size_t n = 0; n < a->images.count; n++)
        if (!a->images.known[n])
            a->images.known[n] = a->own[n] = intake_descriptors(&a->all->image[n]);
    return true;
}

bool asked_open(asked *a, char *const *paths, const char *const *elf, size_t elf_count, char *message,
                size_t message_size)
{
    *a = (asked){.all = merged_new()};
    for (; *paths; paths++) {
        if (!profile_is(*paths)) {
            snprintf(message, message_size, "'%s' is not a merged profile (see weft merge)", *paths);
            return false;
        }
        if (!restore_file(a->all, *paths, message, message_size))
            return false;
    }
    return open_images(a, elf, elf_count, message, message_size);
}

void asked_close(asked *a)
{
    for (size_t i = 0; a->own && i < a->images.count; i++)
        if (a->own[i])
            descriptors_free(a->own[i]);
    for (size_t i = 0; i < a->app_count; i++)
        program_close(a->apps[i]);
    free(a->own);
    free(a->apps);
    free(a->images.known);
    merged_free(a->all);
    *a = (asked){0};
}

bool asked_has(const asked *a, uint32_t number, const char *wanted)
{
    for (size_t g = 0; g < a->all->group_count; g++)
        if (a->all->group[g]->image == number && labels_have(a->all->group[g]->labels, wanted))
            return true;
    return false;
}

bool asked_for(const asked *a, const char *wanted, char *message, size_t message_size)
{
    for (uint32_t n = 0; n < a->images.count; n++)
        if (asked_has(a, n, wanted ? wanted : ""))
            return true;
    if (!wanted || !*wanted)
        return true;
    snprintf(message, message_size, "no recording has the labels '%s'", wanted);
    return false;
}

bool asked_choose(asked *a, const char *wanted, char *message, size_t message_size)
{
    if (!asked_for(a, wanted, message, message_size))
        return false;
    if (wanted && *wanted)
        merged_keep_labels(a->all, wanted);
    return true;
}

coverage *asked_coverage(const asked *a, uint32_t number, const char *wanted)
{
    if (!a->images.known[number])
        return NULL;
    coverage *of = coverage_new_of(a->images.known[number]);
    for (size_t g = 0; g < a->all->group_count; g++) {
        const merged_group *group = a->all->group[g];
        for (uint32_t p = 0; group->image == number && p < group->paths.count; p++)
            if (labels_have(group->labels, wanted))
                coverage_add(of, group->path[p].path, group->path[p].count);
    }
    coverage_finish(of);
    return of;
}

const char *asked_image_text(const asked *a, uint32_t number, char text[40])
{
    const merged_image *im = &a->all->image[number];
    size_t at = 0;
    text[0] = 0;
    for (size_t i = 0; i < im->identity_size && i < 16; i++)
        at += (size_t)snprintf(text + at, 40 - at, "%02x", im->identity[i]);
    return text;
}
