/* SPDX-License-Identifier: MIT */
/* Values by their types: parts, and texts for people. */
#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/text.h"
#include "tools/lib/debug/names.h"
#include "tools/lib/image/dies.h"

#define ELEMENTS_MAX 1000u
#define STRING_MAX 80u
#define NESTED_MAX 32u

static int tag_of(const debug_value *value)
{
    Dwarf_Die type = value->type;
    return value->has_type ? dwarf_tag(&type) : 0;
}

static bool is_struct(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

static uint32_t size_of(Dwarf_Die *type)
{
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? (uint32_t)size : 0;
}

static uint64_t number_of(Dwarf_Die *die, unsigned name, uint64_t otherwise)
{
    Dwarf_Attribute a;
    Dwarf_Word value;
    return dwarf_attr_integrate(die, name, &a) && !dwarf_formudata(&a, &value) ? value : otherwise;
}

uint32_t debug_value_bytes(const debug_value *value)
{
    return value->bits.count ? (value->bits.first + value->bits.count + 7) / 8 : value->size;
}

static bool is_signed(const debug_value *value)
{
    Dwarf_Die type = value->type;
    uint64_t encoding = value->has_type ? number_of(&type, DW_AT_encoding, DW_ATE_unsigned) : 0;
    return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

/* The bytes of a value. False: some are not known. */
static bool bytes_of(const debug_view *v, const debug_value *value, uint8_t *bytes, size_t size)
{
    if (value->where == DEBUG_BYTES && size <= sizeof value->bytes)
        memcpy(bytes, value->bytes, size);
    else if (value->where != DEBUG_MEMORY ||
             v->subject->memory(v->subject->own, v->at, value->address, bytes, size) < size)
        return false;
    return true;
}

static bool word_of(const debug_view *v, const debug_value *value, uint64_t *word)
{
    uint8_t bytes[8] = {0};
    uint32_t size = debug_value_bytes(value);
    if (!size || size > 8 || !bytes_of(v, value, bytes, size))
        return false;
    *word = 0;
    for (unsigned i = size; i-- > 0;)
        *word = *word << 8 | bytes[i];
    if (value->bits.count) {
        unsigned unused = 64 - value->bits.count;
        *word = *word >> value->bits.first << unused;
        *word = is_signed(value) ? (uint64_t)((int64_t)*word >> unused) : *word >> unused;
    }
    return true;
}

void debug_follow_reference(const debug_view *v, debug_value *value)
{
    int tag = tag_of(value);
    Dwarf_Die reference = value->type;
    uint64_t address;
    if (tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type)
        return;
    bool known = word_of(v, value, &address);
    value->has_type = dies_type(&reference, &value->type);
    value->size = value->has_type ? size_of(&value->type) : 0;
    value->where = known ? DEBUG_MEMORY : DEBUG_NOWHERE;
    value->address = known ? (uint32_t)address : 0;
}

/* ---- parts ---- */

/* A part of a value, `offset` bytes from its start. */
static void place_part(const debug_value *whole, debug_value *part, uint64_t offset)
{
    part->where = whole->where;
    part->address = whole->address + (uint32_t)offset;
    if (whole->where == DEBUG_BYTES && offset + debug_value_bytes(part) <= sizeof part->bytes)
        memcpy(part->bytes, whole->bytes + offset, sizeof part->bytes - offset);
    else if (whole->where == DEBUG_BYTES)
        part->where = DEBUG_NOWHERE;
}

/* Members, also those of a base, and of a struct or union without a name. False: enough. */
static bool members(const debug_view *v, const debug_value *whole, debug_visit *visit, void *own, unsigned depth)
{
    Dwarf_Die type = whole->type, die;
    for (int more = dwarf_child(&type, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        debug_value part = {.name = dwarf_diename(&die)};
        uint64_t offset;
        if (!dies_part(&die, &offset) || !(part.has_type = dies_type(&die, &part.type)))
            continue;
        part.size = size_of(&part.type);
        part.bits = dies_part_bits(&die);
        place_part(whole, &part, offset);
        debug_follow_reference(v, &part);
        if (!part.name && depth < NESTED_MAX ? !members(v, &part, visit, own, depth + 1)
                                             : part.name && !visit(own, &part))
            return false;
    }
    return true;
}

/* How many there are of a dimension, which is counted from 0. */
static uint64_t dimension(Dwarf_Die *array, unsigned number)
{
    Dwarf_Die die;
    for (int more = dwarf_child(array, &die); more == 0; more = dwarf_siblingof(&die, &die))
        if (dwarf_tag(&die) == DW_TAG_subrange_type && !number--) {
            uint64_t upper = number_of(&die, DW_AT_upper_bound, UINT64_MAX);
            return number_of(&die, DW_AT_count, upper + 1);
        }
    return 0;
}

static unsigned dimensions(Dwarf_Die *array)
{
    Dwarf_Die die;
    unsigned count = 0;
    for (int more = dwarf_child(array, &die); more == 0; more = dwarf_siblingof(&die, &die))
        count += dwarf_tag(&die) == DW_TAG_subrange_type;
    return count;
}

static bool has_rows(const debug_value *array)
{
    Dwarf_Die type = array->type;
    return dimensions(&type) > array->row + 1;
}

/* Those of an array of several dimensions are rows of it. */
static void elements(const debug_value *whole, debug_visit *visit, void *own)
{
    Dwarf_Die array = whole->type;
    debug_value part = {.type = array, .row = whole->row + 1};
    uint64_t count = dimension(&array, whole->row);
    if (has_rows(whole)) {
        part.has_type = true;
        part.size = count ? (uint32_t)(whole->size / count) : 0;
    } else {
        part.row = 0;
        part.has_type = dies_type(&array, &part.type);
        part.size = part.has_type ? size_of(&part.type) : 0;
    }
    uint64_t fit = part.size ? whole->size / part.size : 0;
    count = count < fit ? count : fit;
    for (; part.index < count && part.index < ELEMENTS_MAX; part.index++) {
        place_part(whole, &part, part.index * part.size);
        if (!visit(own, &part))
            return;
    }
}

static void pointed(const debug_view *v, const debug_value *pointer, debug_visit *visit, void *own)
{
    Dwarf_Die type = pointer->type;
    debug_value part = {.where = DEBUG_MEMORY};
    uint64_t address;
    part.has_type = dies_type(&type, &part.type);
    part.size = part.has_type ? size_of(&part.type) : 0;
    if (!part.has_type || !word_of(v, pointer, &address))
        return;
    part.address = (uint32_t)address;
    visit(own, &part);
}

void debug_children(const debug_view *v, const debug_value *value, debug_visit *visit, void *own)
{
    int tag = tag_of(value);
    if (is_struct(tag))
        members(v, value, visit, own, 0);
    else if (tag == DW_TAG_array_type)
        elements(value, visit, own);
    else if (tag == DW_TAG_pointer_type)
        pointed(v, value, visit, own);
}

bool debug_has_children(const debug_value *value)
{
    int tag = tag_of(value);
    Dwarf_Die type = value->type, of;
    if (value->where == DEBUG_NOWHERE)
        return false;
    return is_struct(tag) || tag == DW_TAG_array_type ||
           (tag == DW_TAG_pointer_type && dies_type(&type, &of) && dwarf_tag(&of) != DW_TAG_subroutine_type);
}

/* ---- texts ---- */

static bool is_character(Dwarf_Die *type)
{
    uint64_t encoding = number_of(type, DW_AT_encoding, 0);
    return dwarf_tag(type) == DW_TAG_base_type && size_of(type) == 1 &&
           (encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char) && dwarf_diename(type) &&
           !strcmp(dwarf_diename(type), "char");
}

/* A string at an address, as far as it is known: what follows is marked by dots. False: not even its first byte is. */
static bool string_text(const debug_view *v, uint32_t address, size_t room, char *text, size_t size)
{
    char string[STRING_MAX + 1] = "", safe[4 * STRING_MAX + 1];
    size_t length = 0;
    bool known = true;
    while (length < room && length < STRING_MAX) {
        known = v->subject->memory(v->subject->own, v->at, address + (uint32_t)length, (uint8_t *)string + length, 1);
        if (!known || !string[length])
            break;
        length++;
    }
    string[length] = 0;
    text_safe(safe, sizeof safe, string);
    if (length || known)
        snprintf(text, size, "\"%s\"%s", safe, known && (length < STRING_MAX || length == room) ? "" : "...");
    return length || known;
}

static void enumeration_text(Dwarf_Die *type, uint64_t word, char *text, size_t size)
{
    Dwarf_Die die;
    snprintf(text, size, "%llu", (unsigned long long)word);
    for (int more = dwarf_child(type, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        const char *name = dwarf_diename(&die);
        if (dwarf_tag(&die) == DW_TAG_enumerator && name && number_of(&die, DW_AT_const_value, ~word) == word)
            snprintf(text, size, "%s", name);
    }
}

static void base_text(Dwarf_Die *type, uint64_t word, uint32_t bytes, char *text, size_t size)
{
    uint64_t encoding = number_of(type, DW_AT_encoding, DW_ATE_unsigned);
    int64_t number = bytes < 8 ? (int64_t)(word << (64 - 8 * bytes)) >> (64 - 8 * bytes) : (int64_t)word;
    float single;
    double real;
    uint32_t low = (uint32_t)word;
    memcpy(&single, &low, sizeof single);
    memcpy(&real, &word, sizeof real);
    if (encoding == DW_ATE_float)
        text_real(text, size, bytes == 4 ? (double)single : real, bytes == 4);
    else if (encoding == DW_ATE_boolean)
        snprintf(text, size, "%s", word ? "true" : "false");
    else if (is_character(type) && word < 0x80 && isprint((int)word))
        snprintf(text, size, "%lld '%c'", (long long)number, (char)word);
    else if (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char)
        snprintf(text, size, "%lld", (long long)number);
    else
        snprintf(text, size, "%llu", (unsigned long long)word);
}

static void pointer_text(const debug_view *v, Dwarf_Die *type, uint64_t word, char *text, size_t size)
{
    Dwarf_Die of;
    uint32_t offset = 0;
    const image_symbol *object = image_object(&v->names->im->symbols, (uint32_t)word & ~1u, &offset);
    size_t at = (size_t)snprintf(text, size, "0x%llx", (unsigned long long)word);
    if (object && at < size) {
        char name[128];
        text_safe(name, sizeof name, object->name);
        at += (size_t)snprintf(text + at, size - at, offset ? " <%s+%u>" : " <%s>", name, offset);
    }
    if (at + 2 < size && dies_type(type, &of) && is_character(&of)) {
        text[at++] = ' ';
        text[at] = 0;
        string_text(v, (uint32_t)word, STRING_MAX, text + at, size - at);
    }
}

bool debug_value_number(const debug_view *v, const debug_value *value, long double *number)
{
    Dwarf_Die type = value->type;
    int tag = tag_of(value);
    char text[64];
    uint64_t word;
    if (is_struct(tag) || tag == DW_TAG_array_type || !word_of(v, value, &word))
        return false;
    bool positive = tag != DW_TAG_base_type || !is_signed(value);
    if (tag == DW_TAG_base_type && number_of(&type, DW_AT_encoding, 0) == DW_ATE_float) {
        base_text(&type, word, value->size, text, sizeof text);
        *number = strtold(text, NULL);
    } else {
        unsigned unused = value->bits.count ? 0 : 64 - 8 * value->size;
        *number = positive ? (long double)word : (long double)((int64_t)(word << unused) >> unused);
    }
    return true;
}

void debug_value_text(const debug_view *v, const debug_value *value, char *text, size_t size)
{
    int tag = tag_of(value);
    Dwarf_Die type = value->type, of;
    uint64_t word;
    snprintf(text, size, "<unknown>");
    if (value->where == DEBUG_NOWHERE || !value->has_type)
        return;
    if (is_struct(tag))
        snprintf(text, size, "{...}");
    else if (tag == DW_TAG_array_type && dies_type(&type, &of) && is_character(&of) && value->where == DEBUG_MEMORY &&
             !has_rows(value))
        string_text(v, value->address, value->size, text, size);
    else if (tag == DW_TAG_array_type)
        snprintf(text, size, "[...]");
    else if (!word_of(v, value, &word))
        return;
    else if (tag == DW_TAG_enumeration_type)
        enumeration_text(&type, word, text, size);
    else if (tag == DW_TAG_pointer_type)
        pointer_text(v, &type, word, text, size);
    else
        base_text(&type, word, value->size, text, size);
}

void debug_type_text(const debug_value *value, char *text, size_t size)
{
    Dwarf_Die type = value->type, of;
    int tag = tag_of(value);
    const char *name = value->has_type ? dwarf_diename(&type) : NULL;
    if (tag == DW_TAG_pointer_type || tag == DW_TAG_array_type) {
        bool known = dies_type(&type, &of);
        name = known ? dwarf_diename(&of) : "void";
        snprintf(text, size, "%s%s", name ? name : "?", tag == DW_TAG_pointer_type ? " *" : "[]");
    } else {
        snprintf(text, size, "%s%s",
                 is_struct(tag)                   ? "struct "
                 : tag == DW_TAG_enumeration_type ? "enum "
                                                  : "",
                 name ? name : "");
    }
}
