/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/variables.h"

#include <ctype.h>
#include <dwarf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digits.h"
#include "tools/lib/image/dies.h"

/* What an expression means so far. */
typedef struct meaning {
    uint64_t address, size;
    dies_bits bits;
    Dwarf_Die type;
} meaning;

/* ---- variables ---- */

/* A variable of that name below a unit or a function; static ones in functions, too. */
static bool find_variable(Dwarf_Die *parent, const char *name, size_t length, Dwarf_Die *found, unsigned depth)
{
    Dwarf_Die die;
    uint64_t address;
    for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        int tag = dwarf_tag(&die);
        const char *own = tag == DW_TAG_variable ? dwarf_diename(&die) : NULL;
        if (own && !strncmp(own, name, length) && !own[length] && dies_address(&die, &address)) {
            *found = die;
            return true;
        }
        if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace) &&
            depth < DIES_NESTED_MAX && find_variable(&die, name, length, found, depth + 1))
            return true;
    }
    return false;
}

static bool variable_named(Dwarf *dwarf, const char *name, size_t length, meaning *m)
{
    Dwarf_Off at = 0, next;
    size_t head;
    for (; dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0; at = next) {
        Dwarf_Die unit, die;
        if (!dwarf_offdie(dwarf, at + head, &unit) || !find_variable(&unit, name, length, &die, 0))
            continue;
        return dies_address(&die, &m->address) && dies_type(&die, &m->type);
    }
    return false;
}

/* ---- members and elements ---- */

/* A member, also of a base, and of a struct or union without a name in it; its type and its offset are added. */
static bool member(meaning *m, const char *name, size_t length, unsigned depth)
{
    Dwarf_Die die;
    int tag = dwarf_tag(&m->type);
    if (tag != DW_TAG_structure_type && tag != DW_TAG_union_type && tag != DW_TAG_class_type)
        return false;
    for (int more = dwarf_child(&m->type, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        uint64_t offset;
        meaning inner = *m;
        if (!dies_part(&die, &offset) || !dies_type(&die, &inner.type))
            continue;
        inner.address += offset;
        inner.size = dies_part_size(&die, &inner.type);
        inner.bits = dies_part_bits(&die);
        const char *own = dwarf_diename(&die);
        bool is = own && !strncmp(own, name, length) && !own[length];
        if (is || (!own && depth < DIES_NESTED_MAX && member(&inner, name, length, depth + 1))) {
            *m = inner;
            return true;
        }
    }
    return false;
}

/* The elements of an array's first dimension: their number. */
static uint64_t dimension(Dwarf_Die *array, unsigned number)
{
    Dwarf_Die die;
    for (int more = dwarf_child(array, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        Dwarf_Attribute a;
        Dwarf_Word value;
        if (dwarf_tag(&die) != DW_TAG_subrange_type || number--)
            continue;
        if (dwarf_attr(&die, DW_AT_count, &a) && !dwarf_formudata(&a, &value))
            return value;
        return dwarf_attr(&die, DW_AT_upper_bound, &a) && !dwarf_formudata(&a, &value) ? value + 1 : 0;
    }
    return 0;
}

/* An array of several dimensions is one type: `number` of them have been taken. */
static bool element(meaning *m, uint64_t index, unsigned *number)
{
    Dwarf_Die of;
    uint64_t count = dwarf_tag(&m->type) == DW_TAG_array_type ? dimension(&m->type, *number) : 0;
    if (index >= count || !dies_type(&m->type, &of))
        return false;
    uint64_t size = dies_size(&of);
    for (unsigned k = *number + 1; dimension(&m->type, k); k++)
        size *= dimension(&m->type, k);
    m->address += index * size;
    m->size = size;
    ++*number;
    if (!dimension(&m->type, *number)) {
        m->type = of;
        *number = 0;
    }
    return true;
}

/* ---- expressions ---- */

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

static bool parts(meaning *m, const char *text)
{
    unsigned number = 0;
    m->size = dies_size(&m->type);
    while (*text) {
        const char *end;
        uint64_t index;
        if (*text == '.') {
            size_t length = name_length(text + 1);
            if (!length || number || !member(m, text + 1, length, 0))
                return false;
            text += 1 + length;
        } else if (*text == '[' && isdigit((unsigned char)text[1])) {
            if (!digits_read(text + 1, &end, &index) || *end != ']' || !element(m, index, &number))
                return false;
            text = end + 1;
        } else {
            return false;
        }
    }
    return true;
}

static bool find(Dwarf *dwarf, const char *expression, meaning *m, char *message, size_t message_size)
{
    size_t length = name_length(expression);
    if (!variable_named(dwarf, expression, length, m)) {
        snprintf(message, message_size, "'%.*s' is not a variable that the debug information knows",
                 length ? (int)length : INT_MAX, expression);
        return false;
    }
    if (parts(m, expression + length) && m->size && m->address + m->size <= UINT64_C(1) << 32)
        return true;
    snprintf(message, message_size, "'%s': there is no such member or element", expression);
    return false;
}

static Dwarf_Word encoding_of(Dwarf_Die *type)
{
    Dwarf_Attribute a;
    Dwarf_Word encoding = DW_ATE_unsigned;
    if (dwarf_tag(type) == DW_TAG_base_type && dwarf_attr(type, DW_AT_encoding, &a))
        dwarf_formudata(&a, &encoding);
    return encoding;
}

/* Of an array, that of its elements. */
static image_kind kind_of(Dwarf_Die type)
{
    for (unsigned depth = 0; depth < DIES_NESTED_MAX && dwarf_tag(&type) == DW_TAG_array_type; depth++) {
        Dwarf_Die array = type;
        if (!dies_type(&array, &type))
            break;
    }
    Dwarf_Word encoding = encoding_of(&type);
    uint64_t size = dies_size(&type);
    return (image_kind){.positive = encoding != DW_ATE_signed && encoding != DW_ATE_signed_char,
                        .is_float = encoding == DW_ATE_float && (size == 4 || size == 8),
                        .size = (uint32_t)size};
}

bool image_variable_kind(const image *im, const char *expression, image_kind *kind)
{
    meaning m = {0};
    char message[200];
    Dwarf *dwarf = image_dwarf(im);
    if (!dwarf || !find(dwarf, expression, &m, message, sizeof message))
        return false;
    *kind = kind_of(m.type);
    kind->first_bit = m.bits.first;
    kind->bits = m.bits.count;
    return true;
}

bool image_variable(const image *im, const char *expression, uint32_t *address, uint32_t *size, char *message,
                    size_t message_size)
{
    meaning m = {0};
    Dwarf *dwarf = image_dwarf(im);
    if (!dwarf)
        snprintf(message, message_size, "'%s' has no debug information", im->path);
    bool good = dwarf && find(dwarf, expression, &m, message, message_size);
    *address = (uint32_t)m.address;
    *size = (uint32_t)m.size;
    return good;
}

bool image_pointed_member(const image *im, const char *pointer, const char *name, uint32_t *offset)
{
    meaning m = {0};
    Dwarf_Die to;
    Dwarf *dwarf = image_dwarf(im);
    if (!dwarf || !variable_named(dwarf, pointer, strlen(pointer), &m) || dwarf_tag(&m.type) != DW_TAG_pointer_type ||
        !dies_type(&m.type, &to))
        return false;
    m.address = 0;
    m.type = to;
    bool found = member(&m, name, strlen(name), 0);
    *offset = (uint32_t)m.address;
    return found;
}

/* ---- locals ---- */

typedef struct locals {
    const char *name;
    image_range *ranges; /* in registers; or */
    image_slot *slots;   /* in the frame; or */
    image_kind *kind;    /* what it is */
    size_t count, max;
    uint32_t size;        /* with kind; 0: several types */
    Dwarf_Addr low, high; /* of the function */
} locals;

static void ranges_add(locals *l, Dwarf_Die *die)
{
    Dwarf_Attribute a;
    Dwarf_Addr base, low, high;
    Dwarf_Op *op;
    size_t count;
    if (!dwarf_attr_integrate(die, DW_AT_location, &a))
        return;
    for (ptrdiff_t at = 0; (at = dwarf_getlocations(&a, at, &base, &low, &high, &op, &count)) > 0;) {
        unsigned reg = op[0].atom >= DW_OP_reg0 && op[0].atom <= DW_OP_reg15 ? (unsigned)(op[0].atom - DW_OP_reg0)
                       : op[0].atom == DW_OP_regx                            ? (unsigned)op[0].number
                                                                             : UINT32_MAX;
        unsigned location = reg < 16 ? reg : reg >= 64 && reg < 96 ? reg - 32 : UINT32_MAX;
        if (count != 1 || location == UINT32_MAX || l->count == l->max)
            continue;
        l->ranges[l->count++] =
            (image_range){(uint32_t)low, (uint32_t)high, (uint32_t)l->low, (uint32_t)l->high, location};
    }
}

/* DW_OP_fbreg: from the frame's address, as GCC and clang write it for this architecture. */
static void slots_add(locals *l, Dwarf_Die *die)
{
    Dwarf_Attribute a;
    Dwarf_Addr base, low, high;
    Dwarf_Op *op;
    Dwarf_Die type;
    size_t count;
    if (!dwarf_attr_integrate(die, DW_AT_location, &a))
        return;
    uint32_t size = dies_type(die, &type) ? (uint32_t)dies_size(&type) : 0;
    for (ptrdiff_t at = 0; (at = dwarf_getlocations(&a, at, &base, &low, &high, &op, &count)) > 0;)
        if (count == 1 && op[0].atom == DW_OP_fbreg && l->count < l->max)
            l->slots[l->count++] = (image_slot){(uint32_t)low,         high > UINT32_MAX ? UINT32_MAX : (uint32_t)high,
                                                (uint32_t)l->low,      (uint32_t)l->high,
                                                (int32_t)op[0].number, size ? size : 4};
}

static void kind_add(locals *l, Dwarf_Die *die)
{
    Dwarf_Die type;
    if (!dies_type(die, &type))
        return;
    uint32_t size = (uint32_t)dies_size(&type);
    image_kind kind = kind_of(type);
    bool same =
        !l->count || (size == l->size && kind.positive == l->kind->positive && kind.is_float == l->kind->is_float);
    *l->kind = kind;
    l->size = same ? size : 0;
    l->count++;
}

/* In the function, its blocks, and what was inlined into it. */
static void locals_find(locals *l, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;
    for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        int tag = dwarf_tag(&die);
        const char *own = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter ? dwarf_diename(&die) : NULL;
        if (own && !strcmp(own, l->name) && l->slots)
            slots_add(l, &die);
        else if (own && !strcmp(own, l->name) && l->kind)
            kind_add(l, &die);
        else if (own && !strcmp(own, l->name))
            ranges_add(l, &die);
        if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) && depth < DIES_NESTED_MAX)
            locals_find(l, &die, depth + 1);
    }
}

static void functions_find(locals *l, Dwarf *dwarf, const char *function)
{
    Dwarf_Off at = 0, next;
    size_t head;
    for (; dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0; at = next) {
        Dwarf_Die unit, die;
        if (!dwarf_offdie(dwarf, at + head, &unit))
            continue;
        for (int more = dwarf_child(&unit, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
            const char *own = dwarf_tag(&die) == DW_TAG_subprogram ? dwarf_diename(&die) : NULL;
            if (own && !strcmp(own, function) && !dwarf_lowpc(&die, &l->low) && !dwarf_highpc(&die, &l->high))
                locals_find(l, &die, 0);
        }
    }
}

static size_t local_find(const image *im, const char *function, locals *l)
{
    Dwarf *dwarf = image_dwarf(im);
    if (dwarf)
        functions_find(l, dwarf, function);
    return l->count;
}

size_t image_local(const image *im, const char *function, const char *name, image_range *ranges, size_t max)
{
    return local_find(im, function, &(locals){.name = name, .ranges = ranges, .max = max});
}

size_t image_local_slots(const image *im, const char *function, const char *name, image_slot *slots, size_t max)
{
    return local_find(im, function, &(locals){.name = name, .slots = slots, .max = max});
}

bool image_local_kind(const image *im, const char *function, const char *name, image_kind *kind, uint32_t *size)
{
    locals l = {.name = name, .kind = kind};
    local_find(im, function, &l);
    *size = l.size;
    return l.size != 0;
}
