/* SPDX-License-Identifier: MIT */
#include "tools/qemu/full.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/machine/thumb.h"

/* What the instruction left in each thing that it writes, in the order of the mask. */
static uint32_t collect(const node *n, const uint32_t *registers, uint32_t apsr, uint32_t *values)
{
    uint32_t count = 0;
    uint32_t core = (uint32_t)n->writes & 0x7fff;
    for (; core; core &= core - 1)
        values[count++] = registers[__builtin_ctz(core)];
    if (n->writes & FULL_FLAGS)
        values[count++] = apsr;
    if (n->writes < FULL_FPSCR)
        return count;
    if (n->writes & FULL_FPSCR)
        values[count++] = machine_fpscr(&full.m);
    for (uint32_t floats = (uint32_t)(n->writes >> 32); floats; floats &= floats - 1)
        values[count++] = machine_float((unsigned)__builtin_ctz(floats));
    return count;
}

static inline uint64_t low_bytes(uint64_t value, unsigned size)
{
    return size == 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

/* The register that the k-th access of a load or store moves; 16 if it is none of the core's. */
static unsigned moved_register(const node *n, unsigned k)
{
    unsigned first = n->first, second = n->second;
    if (!thumb_is_wide(n->first)) {
        if (first >> 12 == 9 || first >> 11 == 9)
            return first >> 8 & 7;
        bool stack = (first & 0xf600) == 0xb400; /* push, pop */
        if (first >> 12 == 12 || stack) {        /* or ldm, stm */
            unsigned list = first & 0xff;
            if (stack && first & 0x100)
                list |= first & 0x800 ? 1u << 15 : 1u << 14;
            for (; k && list; k--)
                list &= list - 1;
            return list ? (unsigned)__builtin_ctz(list) : 16;
        }
        return first >> 12 >= 5 && first >> 12 <= 8 ? first & 7 : 16;
    }
    if ((first & 0xec00) == 0xec00)
        return 16;
    if ((first & 0xfe40) == 0xe800) {
        for (; k && second; k--)
            second &= second - 1;
        return second ? (unsigned)__builtin_ctz(second) : 16;
    }
    return k ? second >> 8 & 15 : second >> 12;
}

/* Devices are not read twice: the register has the value. */
static void fill_devices(const node *n, const uint32_t *after)
{
    for (uint32_t k = 0; k < full.access_count; k++) {
        access *a = &full.accesses[k];
        if (!a->device)
            continue;
        unsigned r = moved_register(n, k);
        a->value = r < 15 ? low_bytes(a->store ? full.before[r] : after[r], a->size) : 0;
    }
}

static inline uint8_t shape_of(const access *a)
{
    return (uint8_t)(__builtin_ctz(a->size) | a->store << 2);
}

/* The shape changed: finds for each access a written value that is also its own. */
static void reshape(node *n, const uint32_t *values, uint32_t count)
{
    if (full.access_count > n->slot_count) {
        slot *grown = realloc(n->slots, FULL_ACCESSES_MAX * sizeof *grown);
        if (!grown)
            abort();
        if (!n->slots)
            memset(grown, 0, FULL_ACCESSES_MAX * sizeof *grown);
        n->slots = grown;
    }
    n->slot_count = (uint8_t)full.access_count;
    put_note(FULL_NOTE_SHAPE);
    put_varint(FULL_NOTES, n->slot_count);
    for (uint32_t k = 0; k < full.access_count; k++) {
        const access *a = &full.accesses[k];
        uint8_t source = FULL_NO_SOURCE;
        for (uint32_t v = 0; v < count && v < FULL_NO_SOURCE && !a->store && source == FULL_NO_SOURCE; v++)
            if (low_bytes(values[v], a->size) == a->value)
                source = (uint8_t)v;
        n->slots[k].shape = (uint8_t)(shape_of(a) | source << 3);
        put_byte(FULL_NOTES, n->slots[k].shape);
    }
}

static inline bool shape_differs(const node *n)
{
    if (full.access_count != n->slot_count)
        return true;
    for (uint32_t k = 0; k < full.access_count; k++)
        if (shape_of(&full.accesses[k]) != (n->slots[k].shape & 7))
            return true;
    return false;
}

static void put_accesses(node *n, const uint32_t *values)
{
    uint32_t expected = n->slot_count ? n->slots[0].address : 0;
    for (uint32_t k = 0; k < full.access_count; k++) {
        const access *a = &full.accesses[k];
        slot *s = &n->slots[k];
        put_difference(FULL_ACCESSES, a->address, expected);
        s->address = a->address;
        expected = a->address + a->size;
        unsigned source = s->shape >> 3;
        uint64_t likely = source == FULL_NO_SOURCE ? s->value : low_bytes(values[source], a->size);
        put_varint(FULL_ACCESSES, weft_zigzag64((int64_t)(a->value - likely)));
        s->value = a->value;
    }
    full.access_total += full.access_count;
}

/* Step 3. `after`: registers after the instruction; `completed`: it did not fault. */
void full_append(node *n, const uint32_t *after, uint32_t apsr, uint64_t changed, bool completed)
{
    uint32_t values[FULL_VALUES_MAX] = {0}, count = 0;
    if (n->number == UNNUMBERED)
        full_define(n);
    if (n->number != full.run_start + full.run_length || !full.run_length) {
        full_end_run();
        full.run_start = n->number;
    }
    full.run_length++;
    if (n->condition != FULL_ALWAYS)
        put_byte(FULL_PASSED, full.passed);
    if (full.passed) {
        if (completed && changed & ~n->writes)
            full_learn(n, changed & ~n->writes);
        if (completed)
            count = collect(n, after, apsr, values);
        if (full.access_count)
            fill_devices(n, after);
        if (shape_differs(n))
            reshape(n, values, count);
        for (uint32_t i = 0; i < count; i++) {
            put_difference(FULL_VALUES, values[i], n->last[i]);
            n->last[i] = values[i];
        }
        put_accesses(n, values);
    }
    if (!completed)
        put_note(FULL_NOTE_INCOMPLETE);
}
