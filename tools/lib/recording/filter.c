/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/recording/given_names.h"

static bool find_functions(event_filter *f, const char *name, const program *app)
{
    bool any = false;
    f->known = program_descriptors(app);
    f->function = memory_zero(f->known->count + 1, sizeof *f->function);
    for (size_t i = 0; i < f->known->count; i++)
        any |= f->function[i] = !strcmp(f->known->function[i].name, name);
    return any;
}

bool event_filter_open(event_filter *f, event_choice choice, const container *file, const program *app, char *message,
                       size_t message_size)
{
    *f = (event_filter){.one_context = choice.context};
    if (choice.context && !given_names_find(file, choice.context, app ? program_image(app) : NULL, &f->context)) {
        snprintf(message, message_size, "there is no context '%s': give a name%s, or a number", choice.context,
                 app ? " of the image's vector table" : ", which needs --elf APP.elf");
        return false;
    }
    if (choice.function && !app) {
        snprintf(message, message_size, "--function needs --elf APP.elf");
        return false;
    }
    if (choice.function && !find_functions(f, choice.function, app)) {
        snprintf(message, message_size, "no function '%s' has probes", choice.function);
        event_filter_close(f);
        return false;
    }
    return true;
}

void event_filter_close(event_filter *f)
{
    free(f->function);
    *f = (event_filter){0};
}

bool event_filter_context(const event_filter *f, uint32_t context)
{
    return !f->one_context || context == f->context;
}

bool event_filter_function(const event_filter *f, size_t function)
{
    return !f->function || f->function[function];
}

static bool is_wanted(const event_filter *f, const descriptor_function *of)
{
    return of && f->function[of - f->known->function];
}

bool event_filter_path(const event_filter *f, uint32_t context, uint32_t path)
{
    return event_filter_context(f, context) && (!f->function || is_wanted(f, descriptors_of_path(f->known, path)));
}

bool event_filter_block(const event_filter *f, uint32_t context, uint32_t block)
{
    return event_filter_context(f, context) && (!f->function || is_wanted(f, descriptors_of_block(f->known, block)));
}

bool event_filter_site(const event_filter *f, uint32_t context, uint32_t site)
{
    return event_filter_context(f, context) && (!f->function || is_wanted(f, descriptors_of_site(f->known, site)));
}
