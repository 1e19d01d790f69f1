/* SPDX-License-Identifier: MIT */
/* Finding places by their names. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digits.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/image/unwind.h"
#include "tools/lib/image/variables.h"
#include "tools/lib/wet/place.h"

static bool statics_any(const wet_file *f, const wet_place *place)
{
    for (uint32_t i = 0; i < f->static_count; i++)
        if (place->statics[i])
            return true;
    return false;
}

static bool is_code(const wet_file *f, uint32_t address)
{
    for (uint32_t i = 0; i < f->symbol_count; i++)
        if (f->symbols[i].function && address - f->symbols[i].address < f->symbols[i].size)
            return true;
    return false;
}

/* As much of an object as an address is good for: a word, a half of it, a byte. */
static void place_memory(const wet_file *f, wet_place *place, uint32_t address)
{
    uint32_t offset, size = address & 1 ? 1 : address & 2 ? 2 : 4;
    const image_symbol *object = wet_object_at(f, address, &offset);
    if (object && object->size - offset < size)
        size = object->size - offset;
    free(place->statics);
    *place = (wet_place){.address = address, .size = size, .nth = place->nth};
}

static bool place_address(const wet_file *f, const char *text, wet_place *place)
{
    uint64_t address;
    if (!digits_whole(text, &address) || address > UINT32_MAX)
        return false;
    for (uint32_t i = 0; i < f->static_count; i++)
        place->statics[i] = !f->statics[i].exception && f->statics[i].insn.pc == ((uint32_t)address & ~1u);
    if (!statics_any(f, place) && !is_code(f, (uint32_t)address))
        place_memory(f, place, (uint32_t)address);
    return true;
}

/* FILE is the whole path, or its last parts. */
static bool file_matches(const char *path, const char *file, size_t size)
{
    size_t length = strlen(path);
    return length >= size && !memcmp(path + length - size, file, size) &&
           (length == size || path[length - size - 1] == '/');
}

static bool place_line(const wet_file *f, const char *text, wet_place *place)
{
    const char *colon = strrchr(text, ':');
    uint64_t line;
    if (!colon || !digits_whole(colon + 1, &line))
        return false;
    for (uint32_t i = 0; i < f->static_count; i++)
        place->statics[i] = f->static_file[i] && f->static_line[i] == line &&
                            file_matches(f->strings[f->static_file[i]], text, (size_t)(colon - text));
    return true;
}

static bool place_symbol(const wet_file *f, const char *text, wet_place *place)
{
    bool found = false;
    for (uint32_t i = 0; i < f->symbol_count; i++) {
        const image_symbol *s = &f->symbols[i];
        bool same = !strcmp(s->name, text);
        if (same && !s->function && !found) {
            free(place->statics);
            *place = (wet_place){.address = s->address, .size = s->size ? s->size : 4, .nth = place->nth};
            return true;
        }
        if (!s->function || (!same && !image_is_copy(s->name, text)))
            continue;
        for (uint32_t k = 0; k < f->static_count; k++)
            place->statics[k] |= !f->statics[k].exception && f->statics[k].insn.pc == s->address;
        found = true;
    }
    return found;
}

/* NAME+N: in an object, or in the code of a function. */
static bool place_offset(const wet_file *f, const char *text, wet_place *place)
{
    const char *plus = strrchr(text, '+');
    uint64_t offset;
    if (!plus || !digits_whole(plus + 1, &offset))
        return false;
    for (uint32_t i = 0; i < f->symbol_count; i++) {
        const image_symbol *s = &f->symbols[i];
        if (strncmp(s->name, text, (size_t)(plus - text)) || s->name[plus - text] || offset > s->size)
            continue;
        char address[32];
        snprintf(address, sizeof address, "%llu", (unsigned long long)(s->address + offset));
        return place_address(f, address, place);
    }
    return false;
}

/* FUNCTION@call: each call of it begins with its first instruction. */
static bool place_call(const wet_file *f, const char *text, wet_place *place)
{
    const char *at = strrchr(text, '@');
    if (!at || strcmp(at, "@call"))
        return false;
    char *name = strndup(text, (size_t)(at - text));
    bool good = place_symbol(f, memory_got(name), place) && place->statics;
    free(name);
    return good;
}

/* r0, sp, s0...: whatever defines it. */
static bool place_register(const wet_file *f, const char *text, wet_place *place)
{
    char name[8];
    for (unsigned loc = 0; loc < 64; loc++) {
        bool special = (loc == 10 && !strcmp(text, "r10")) || (loc == 11 && !strcmp(text, "r11")) ||
                       (loc == 13 && !strcmp(text, "r13")) || (loc == 14 && !strcmp(text, "r14"));
        if ((loc > 16 && loc < 32) || (!special && strcmp(wet_location_name(loc, name), text)))
            continue;
        memset(place->statics, 1, f->static_count);
        place->defines = UINT64_C(1) << loc;
        return true;
    }
    return false;
}

/* Whether an instruction stores to a slot of its function's frame, by the register that the frame is addressed with.
 * *part: where the slot is, from the first address that is stored to. */
static bool stores_slot(const unwind *u, const thumb_insn *i, const image_slot *slot, int32_t *part)
{
    unsigned reg;
    bool words = i->multiple || !i->access_size; /* vstr has no size of its own */
    int32_t offset, size = words ? 4 * __builtin_popcountll(i->list) : i->access_size;
    if (i->memory != THUMB_STORE || i->index != THUMB_NONE || i->pc < slot->low || i->pc >= slot->high ||
        i->pc < slot->function_low || i->pc >= slot->function_high || !unwind_address(u, i->pc, &reg, &offset) ||
        reg != i->base)
        return false;
    int32_t at = (i->post ? 0 : i->offset) - offset; /* from the frame's address */
    *part = slot->offset - at;
    return at < slot->offset + (int32_t)slot->size && slot->offset < at + size;
}

/* Whether an instruction of the slot's function stores to an address that it computed. */
static bool stores_elsewhere(const unwind *u, const thumb_insn *i, const image_slot *slot)
{
    enum { SP = 13 };
    unsigned reg;
    int32_t offset;
    bool within = i->memory == THUMB_STORE && i->pc >= slot->function_low && i->pc < slot->function_high;
    return within &&
           (i->index != THUMB_NONE || (i->base != SP && (!unwind_address(u, i->pc, &reg, &offset) || reg != i->base)));
}

/* FUNCTION:LOCAL in the frame: the instructions of the function that store to it. */
static bool place_frame_local(const wet_file *f, const image *im, const char *function, const char *name,
                              wet_place *place)
{
    image_slot slots[64];
    size_t count = image_local_slots(im, function, name, slots, WEFT_COUNT(slots));
    if (!count)
        return false;
    unwind *u = unwind_open(im);
    place->parts = memory_zero(f->static_count + 1, sizeof *place->parts);
    place->size = slots[0].size;
    for (size_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < f->static_count; i++) {
            int32_t part;
            if (f->statics[i].exception || !stores_slot(u, &f->statics[i].insn, &slots[k], &part))
                continue;
            place->statics[i] = true;
            place->parts[i] = part;
        }
    for (uint32_t i = 0; i < f->static_count; i++)
        place->elsewhere += !f->statics[i].exception && stores_elsewhere(u, &f->statics[i].insn, &slots[0]);
    unwind_close(u);
    for (size_t k = 1; k < count; k++)
        if (slots[k].size != slots[0].size) { /* several locals of that name: what was stored, as it is */
            free(place->parts);
            place->parts = NULL;
            break;
        }
    return true;
}

/* FUNCTION:LOCAL: the instructions that define the register that it is in. */
static bool place_local(const wet_file *f, const image *im, const char *text, wet_place *place)
{
    image_range ranges[64];
    const char *colon = strrchr(text, ':');
    if (!colon || !im)
        return false;
    char *function = strndup(text, (size_t)(colon - text));
    size_t count = image_local(im, memory_got(function), colon + 1, ranges, WEFT_COUNT(ranges));
    bool found = count || place_frame_local(f, im, function, colon + 1, place);
    free(function);
    for (size_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < f->static_count; i++) {
            uint32_t after = f->statics[i].insn.pc + f->statics[i].insn.size;
            if (f->statics[i].exception || after < ranges[k].low || after >= ranges[k].high ||
                after < ranges[k].function_low || after >= ranges[k].function_high)
                continue;
            place->statics[i] = true;
            place->defines |= UINT64_C(1) << ranges[k].location;
        }
    return found;
}

/* table[3], state.head: by the debug information. */
static bool place_variable(const image *im, const char *text, wet_place *place, char *message, size_t message_size)
{
    uint32_t address, size;
    if (!im || strpbrk(text, ":@") || !image_variable(im, text, &address, &size, message, message_size))
        return false;
    free(place->statics);
    *place = (wet_place){.address = address, .size = size, .nth = place->nth};
    return true;
}

/* What a message adds where a name is not a place of any kind. */
static const char *hint_of(const image *im, const char *name)
{
    const char *colon = strrchr(name, ':');
    if (!im)
        return "; members, elements and locals need --elf";
    return colon && !isdigit((unsigned char)colon[1])
               ? ", nor a local of that function (those of an inlined function are its caller's)"
               : "";
}

static bool place_any(wet_file *f, const image *im, const char *name, wet_place *place, char *message,
                      size_t message_size)
{
    snprintf(message, message_size, "'%s' is not an address, symbol, register or FILE:LINE%s", name, hint_of(im, name));
    return place_address(f, name, place) || place_symbol(f, name, place) || place_register(f, name, place) ||
           place_call(f, name, place) || place_local(f, im, name, place) || place_line(f, name, place) ||
           place_offset(f, name, place) || place_variable(im, name, place, message, message_size);
}

bool wet_place_parse(wet_file *f, const image *im, const char *text, wet_place *place, char *message,
                     size_t message_size)
{
    const char *hash = strrchr(text, '#');
    size_t length = hash ? (size_t)(hash - text) : strlen(text);
    char *name = memory_got(strndup(text, length));
    *place = (wet_place){.statics = memory_zero(f->static_count + 1, sizeof(bool))};
    bool good = !hash || (digits_whole(hash + 1, &place->nth) && place->nth > 0);
    if (!good)
        snprintf(message, message_size, "'%s': after # comes the number of the instance, 1, 2, 3...", text);
    else
        good = place_any(f, im, name, place, message, message_size);
    if (good && place->statics && !statics_any(f, place)) {
        snprintf(message, message_size,
                 place->elsewhere ? "'%s': its function stores to computed addresses only: ask for an address or a line"
                                  : "nothing at '%s' executed",
                 name);
        good = false;
    }
    free(name);
    if (!good)
        wet_place_free(place);
    return good;
}
