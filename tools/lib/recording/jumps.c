/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/jumps.h"

#include <string.h>

enum { FUNCTION_MAX = 1 << 16 /* bytes looked at of a function whose size is not known */ };

/* They return again. The linker may reach them through a veneer. */
static const char *const landings[] = {"setjmp",
                                       "_setjmp",
                                       "__setjmp",
                                       "sigsetjmp",
                                       "__sigsetjmp",
                                       "__cxa_begin_catch",
                                       "__setjmp_veneer",
                                       "___setjmp_veneer",
                                       "__sigsetjmp_veneer",
                                       "____cxa_begin_catch_veneer"};
enum { LANDINGS = sizeof landings / sizeof *landings };

/* The run-time library of C++ marks an exception as caught before it gives up, or throws another one. No function of
 * these returns to its caller from there (Itanium C++ ABI, exception handling, 2.4 and 2.5). All programs that throw,
 * if only in `new`, have them. */
static const char *const give_up[] = {
    "__cxa_throw",          "__cxa_rethrow",           "__cxa_call_terminate",     "__cxa_call_unexpected",
    "__gxx_personality_v0", "__cxxabiv1::__terminate", "__cxxabiv1::__unexpected", "std::rethrow_exception"};
/* libstdc++: they catch what an allocation throws, and call nothing else of the program. */
static const char *const allocate[] = {
    "_txnal_cow_string_C1_for_exceptions", "std::string::reserve",
    "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::reserve"};
#define IS_ONE_OF(list, name) is_one_of(list, sizeof(list) / sizeof *(list), name)

static bool is_one_of(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

typedef struct targets {
    uint32_t address[LANDINGS];
    size_t count;
} targets;

static targets targets_of(const program *app)
{
    targets t = {.count = 0};
    uint32_t size;
    for (size_t i = 0; i < LANDINGS; i++)
        t.count += program_find_symbol(app, landings[i], &t.address[t.count], &size);
    return t;
}

static bool is_target(const targets *t, uint32_t address)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->address[i] == address)
            return true;
    return false;
}

/* Where a BL or a 32-bit B leads (Armv7-M: encodings T1 and T4). False: it is another instruction. */
static bool branch_target(const uint8_t *code, uint32_t at, uint32_t *to)
{
    uint32_t high = code[0] | (uint32_t)code[1] << 8, low = code[2] | (uint32_t)code[3] << 8;
    if ((high & 0xf800) != 0xf000 || (low & 0x9000) != 0x9000)
        return false;
    uint32_t sign = high >> 10 & 1, i1 = !((low >> 13 & 1) ^ sign), i2 = !((low >> 11 & 1) ^ sign);
    uint32_t offset = sign << 24 | i1 << 23 | i2 << 22 | (high & 0x3ff) << 12 | (low & 0x7ff) << 1;
    *to = at + 4 + (sign ? offset | 0xfe000000u : offset);
    return true;
}

static bool calls(const image *im, const image_symbol *f, uint32_t size, const targets *t)
{
    const uint8_t *code = size >= 4 ? image_bytes(im, f->address, size) : NULL;
    uint32_t to;
    for (uint32_t at = 0; code && at + 4 <= size; at += 2)
        if (branch_target(code + at, f->address + at, &to) && is_target(t, to))
            return true;
    return false;
}

static bool is_described(const descriptors *all, uint32_t address)
{
    for (size_t i = 0; i < all->count; i++)
        if ((all->function[i].address & ~1u) == address)
            return true;
    return false;
}

/* Its size, or what is left up to the next symbol. */
static uint32_t size_of(const image_symbols *symbols, size_t i)
{
    const image_symbol *f = &symbols->all[i];
    size_t next = i + 1;
    while (next < symbols->count && symbols->all[next].address == f->address)
        next++;
    uint32_t room = next < symbols->count ? symbols->all[next].address - f->address : FUNCTION_MAX;
    uint32_t size = f->size ? f->size : room;
    return size < FUNCTION_MAX ? size : FUNCTION_MAX;
}

/* Whether an allocation may run any code of the program: its own `new` has probes, or it sets a handler of `new`. */
static bool allocates_itself(const program *app)
{
    static const char *const news[] = {"_Znwj", "_Znaj", "_ZnwjRKSt9nothrow_t", "_ZnajRKSt9nothrow_t"};
    const image_symbols *symbols = &program_image(app)->symbols;
    const descriptors *known = program_descriptors(app);
    targets handler = {.count = 0};
    uint32_t address, size;
    for (size_t i = 0; i < sizeof news / sizeof *news; i++)
        if (program_find_symbol(app, news[i], &address, &size) && is_described(known, address))
            return true;
    handler.count = program_find_symbol(app, "_ZSt15set_new_handlerPFvvE", &handler.address[0], &size);
    for (size_t i = 0; handler.count && i < symbols->count; i++) {
        const image_symbol *f = &symbols->all[i];
        if (f->function && f->loaded && is_described(known, f->address) &&
            calls(program_image(app), f, size_of(symbols, i), &handler))
            return true;
    }
    return false;
}

bool jumps_unseen(const program *app)
{
    const image *im = program_image(app);
    const image_symbols *symbols = &im->symbols;
    targets t = targets_of(app);
    bool own_new = t.count && allocates_itself(app);
    for (size_t i = 0; t.count && i < symbols->count; i++) {
        const image_symbol *f = &symbols->all[i];
        if (!f->function || !f->loaded || is_target(&t, f->address) || !calls(im, f, size_of(symbols, i), &t))
            continue;
        bool known = IS_ONE_OF(give_up, f->name) || (!own_new && IS_ONE_OF(allocate, f->name));
        if (!known && !is_described(program_descriptors(app), f->address))
            return true;
    }
    return !symbols->count;
}
