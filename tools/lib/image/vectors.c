/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"

enum { VECTORS_MAX = 496 }; /* of the architecture */

static uint32_t word_at(const uint8_t *bytes, uint32_t index)
{
    const uint8_t *b = bytes + 4 * (size_t)index;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* The name of the function that starts where a word leads. */
static const char *starts_at(const image *im, uint32_t word)
{
    const image_symbol *s = word & 1 ? image_function(&im->symbols, word & ~1u) : NULL;
    return s && s->address == (word & ~1u) ? s->name : NULL;
}

/* Reset, NMI and HardFault lead to functions. */
static bool is_table(const image *im, const uint8_t *bytes, size_t size)
{
    return size >= 16 && starts_at(im, word_at(bytes, 1)) && starts_at(im, word_at(bytes, 2)) &&
           starts_at(im, word_at(bytes, 3));
}

/* The table is at the start of the part whose second word is where the program starts. Linker scripts may name no such
 * place: then it is known by what it holds. */
static const uint8_t *table_at(const image *im, uint32_t *count, uint32_t *where)
{
    uint32_t address;
    size_t size, found_size = 0;
    const uint8_t *bytes, *found = NULL;
    for (size_t i = 0; (bytes = image_part(im, i, &address, &size)); i++) {
        bool entry = im->entry && size >= 8 && (word_at(bytes, 1) | 1) == (im->entry | 1);
        if (!entry && (found || !is_table(im, bytes, size)))
            continue;
        found = bytes;
        *where = address;
        found_size = size;
        if (entry)
            break;
    }
    *count = found_size / 4 < VECTORS_MAX ? (uint32_t)(found_size / 4) : VECTORS_MAX;
    return found;
}

static const uint8_t *table_of(const image *im, uint32_t *count)
{
    uint32_t where;
    return table_at(im, count, &where);
}

bool vectors_at_zero(const image *im)
{
    uint32_t count, where = 0;
    return table_at(im, &count, &where) && where == 0;
}

uint32_t vectors_word(const image *im, uint32_t exception)
{
    uint32_t count = 0;
    const uint8_t *table = table_of(im, &count);
    return exception < count ? word_at(table, exception) & ~1u : 0;
}

/* The function that only this exception has; NULL: none. Words after the end of a short table do no harm: they are not
 * addresses of handlers. */
static const char *handler(const image *im, uint32_t exception)
{
    uint32_t count = 0;
    const uint8_t *table = im ? table_of(im, &count) : NULL;
    if (!table || exception < 2 || exception >= count)
        return NULL;
    uint32_t at = word_at(table, exception);
    for (uint32_t i = 2; i < count; i++)
        if (i != exception && word_at(table, i) == at)
            return NULL;
    return starts_at(im, at);
}

static image_context *given(const image *im, uint32_t context)
{
    for (size_t i = 0; im && i < im->contexts->count; i++)
        if (im->contexts->all[i].context == context)
            return &im->contexts->all[i];
    return NULL;
}

static image_context *settable(const image *im, uint32_t context)
{
    image_contexts *known = im->contexts;
    image_context *c = given(im, context);
    if (!c) {
        known->all = memory_room(known->all, known->count, &known->max, sizeof *known->all);
        c = &known->all[known->count++];
        *c = (image_context){.context = context};
    }
    return c;
}

void vectors_give(const image *im, uint32_t context, const char *name)
{
    image_context *c = settable(im, context);
    text_safe(c->name, sizeof c->name, name);
}

void vectors_begin(const image *im, uint32_t context, uint32_t entry)
{
    settable(im, context)->entry = entry;
}

/* Names the context by its number alone. */
static const char *plain_name(const image *im, uint32_t context, char name[VECTORS_NAME_MAX])
{
    static const char *const known[16] = {
        [2] = "NMI_Handler",       [3] = "HardFault_Handler",  [4] = "MemManage_Handler",
        [5] = "BusFault_Handler",  [6] = "UsageFault_Handler", [11] = "SVC_Handler",
        [12] = "DebugMon_Handler", [14] = "PendSV_Handler",    [15] = "SysTick_Handler"};
    const image_context *own = given(im, context);
    const char *found = own && *own->name ? own->name : handler(im, context);
    if (found || (context < 16 && known[context]))
        snprintf(name, VECTORS_NAME_MAX, "%s", found ? found : known[context]);
    else if (!context)
        snprintf(name, VECTORS_NAME_MAX, "thread mode");
    else if (context >= VECTORS_THREAD)
        snprintf(name, VECTORS_NAME_MAX, "thread %u", (unsigned)context);
    else if (context >= 16)
        snprintf(name, VECTORS_NAME_MAX, "interrupt %u", (unsigned)context - 16);
    else
        snprintf(name, VECTORS_NAME_MAX, "exception %u", (unsigned)context);
    return name;
}

void vectors_name_from(const image *im, uint32_t context, uint32_t entry, char *name, size_t size)
{
    enum { AROUND = 3 }; /* " (" and ")" */
    char plain[VECTORS_NAME_MAX], begins[VECTORS_NAME_MAX];
    const image_symbol *function = context && entry ? image_function(&im->symbols, entry & ~1u) : NULL;
    size_t used = strlen(plain_name(im, context, plain)) + AROUND;
    size_t room = context < VECTORS_THREAD ? size : size > used ? size - used : 1;
    if (function)
        text_safe(begins, room < sizeof begins ? room : sizeof begins, function->name);
    if (!function)
        snprintf(name, size, "%s", plain);
    else if (context < VECTORS_THREAD)
        snprintf(name, size, "%s", begins);
    else
        snprintf(name, size, "%s (%s)", plain, begins);
}

const char *vectors_name(const image *im, uint32_t context, char name[VECTORS_NAME_MAX])
{
    const image_context *own = given(im, context);
    if (own && own->entry && !*own->name)
        vectors_name_from(im, context, own->entry, name, VECTORS_NAME_MAX);
    else
        plain_name(im, context, name);
    return name;
}

/* "thread 513", and where such a name comes from: "thread 513 (sampler)". */
static bool find_thread(const image *im, const char *text, uint32_t *context)
{
    char *end, function[VECTORS_NAME_MAX];
    unsigned long long number = strtoull(text, &end, 10);
    uint32_t address, size;
    *context = (uint32_t)number;
    if (end == text || number < VECTORS_THREAD || number > UINT32_MAX)
        return false;
    size_t length = strlen(end);
    if (length < 4 || length >= sizeof function || strncmp(end, " (", 2) || end[length - 1] != ')')
        return !*end;
    snprintf(function, sizeof function, "%.*s", (int)length - 3, end + 2);
    return im && image_symbol_named(im, function, &address, &size);
}

bool vectors_find(const image *im, const char *text, uint32_t *context)
{
    char name[VECTORS_NAME_MAX], *end;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && number <= UINT32_MAX) {
        *context = (uint32_t)number;
        return true;
    }
    if (!strcmp(text, "thread")) {
        *context = 0;
        return true;
    }
    if (!strncmp(text, "thread ", 7) && find_thread(im, text + 7, context))
        return true;
    for (size_t i = 0; *text && im && i < im->contexts->count; i++)
        if (!strcmp(text, im->contexts->all[i].name)) {
            *context = im->contexts->all[i].context;
            return true;
        }
    for (*context = 0; *context < VECTORS_MAX; ++*context)
        if (!strcmp(text, vectors_name(im, *context, name)))
            return true;
    return false;
}
