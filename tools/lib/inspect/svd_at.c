/* SPDX-License-Identifier: MIT */
/* Registers by address. Registers may overlap: views of one in bytes and words, or one that is loaded and another that
 * is stored at the same address. They are sorted by address, and none is larger than LARGEST. */
#include "tools/lib/base/bisect.h"
#include "tools/lib/inspect/svd.h"

enum { LARGEST = 8 };

static size_t up_to(const svd *s, uint32_t address)
{
    return bisect_up_to(s->all, s->count, sizeof *s->all, offsetof(svd_register, address), address);
}

/* How well a register suits an access; the larger the better. */
static unsigned suits(const svd_register *r, uint32_t address, uint32_t size, bool store)
{
    bool meant = store ? r->stores : r->loads;
    return meant * 4u + (r->address == address) * 2u + (r->address + r->size == address + size);
}

const svd_register *svd_accessed(const svd *s, uint32_t address, uint32_t size, bool store)
{
    const svd_register *best = NULL;
    for (size_t at = up_to(s, address); at && address - s->all[at - 1].address < LARGEST; at--) {
        const svd_register *r = &s->all[at - 1];
        if (address - r->address >= r->size)
            continue;
        /* Of equals that begins latest, and of these the first by name. */
        unsigned well = suits(r, address, size, store), before = best ? suits(best, address, size, store) : 0;
        if (!best || well > before || (well == before && r->address == best->address))
            best = r;
    }
    return best;
}

const svd_register *svd_at(const svd *s, uint32_t address)
{
    return svd_accessed(s, address, 0, false);
}

uint32_t svd_next(const svd *s, uint32_t address, uint32_t size)
{
    size_t next = up_to(s, address);
    bool within = next < s->count && s->all[next].address - address < size;
    return within ? s->all[next].address : address + size;
}

uint64_t svd_bits(const svd_field *field, uint64_t value)
{
    uint64_t bits = value >> field->first;
    return field->width >= 64 ? bits : bits & ((UINT64_C(1) << field->width) - 1);
}

const char *svd_value_name(const svd_field *field, uint64_t bits)
{
    for (size_t i = 0; i < field->value_count; i++)
        if (field->value[i].value == (bits & field->value[i].mask))
            return field->value[i].name;
    return field->otherwise;
}
