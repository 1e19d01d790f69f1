/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/local_value.h"

#include <dwarf.h>
#include <string.h>

#include "tools/lib/debug/location.h"

/* A child by its tag, and by its name or an instruction in it. */
static bool find_child(Dwarf_Die *parent, int tag, const char *name, uint32_t pc, Dwarf_Die *die)
{
    for (int more = dwarf_child(parent, die); more == 0; more = dwarf_siblingof(die, die)) {
        const char *own = name && dwarf_tag(die) == tag ? dwarf_diename(die) : NULL;
        if (name ? own && !strcmp(own, name) : dwarf_tag(die) == tag && dwarf_haspc(die, pc) == 1)
            return true;
    }
    return false;
}

static size_t no_memory(void *own, debug_instant at, uint32_t address, uint8_t *bytes, size_t size)
{
    (void)own;
    (void)at;
    (void)address;
    (void)bytes;
    (void)size;
    return 0;
}

/* A value that lies in memory is not known. */
static bool evaluate(const Dwarf_Op *ops, size_t count, const uint32_t r[16], uint32_t known, uint32_t *value)
{
    const debug_subject registers = {.memory = no_memory};
    debug_view v = {.subject = &registers, .frame = {.known = known}};
    location l;
    memcpy(v.frame.r, r, sizeof v.frame.r);
    if (!location_evaluate(&v, ops, count, &l) || l.kind == LOCATION_MEMORY)
        return false;
    *value = l.kind == LOCATION_REGISTER ? r[l.value] : l.value;
    return true;
}

bool debug_local_value(const image *im, uint32_t pc, const char *name, const uint32_t r[16], uint32_t known,
                       uint32_t *value)
{
    Dwarf *dwarf = image_dwarf(im);
    Dwarf_Die unit, function, variable;
    Dwarf_Attribute a;
    Dwarf_Op *ops;
    size_t count;
    return dwarf && dwarf_addrdie(dwarf, pc, &unit) && find_child(&unit, DW_TAG_subprogram, NULL, pc, &function) &&
           find_child(&function, DW_TAG_variable, name, pc, &variable) &&
           dwarf_attr_integrate(&variable, DW_AT_location, &a) &&
           dwarf_getlocation_addr(&a, pc, &ops, &count, 1) == 1 && evaluate(ops, count, r, known, value);
}
