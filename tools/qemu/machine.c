/* SPDX-License-Identifier: MIT */
#include "tools/qemu/machine.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/qemu/official.h"
#include "tools/qemu/symbols.h"

#define XPSR 25 /* number of xPSR in the emulator's debugger interface */
#define PAGE_BITS 10u
#define CODE_END 0x20000000u
#define SECURE_SPACE 1               /* the emulator's number of the secure address space */
#define SECURE_ATTRIBUTE (1u << 1)   /* of a transaction: the struct's second bit */
#define SECURE_PROPERTY "init-svtor" /* which only such cores have */

/* Functions of the emulator and of glib, found by name. */
static struct {
    void *(*get_cpu)(int index);
    int (*read_register)(void *cpu, void *bytes, int reg);
    int (*write_register)(void *cpu, uint8_t *bytes, int reg);
    void (*write_exception)(void *env, uint32_t exception);
    long (*float_offset)(bool is_double, unsigned reg);
    uint32_t (*get_fpscr)(void *env);
    bool (*is_io)(uint64_t address);
    void *(*map)(uint64_t address, uint64_t *size, bool is_write);
    void *(*property)(void *cpu, const char *name);
    void *(*space)(void *cpu, int index);
    void *(*map_in)(void *space, uint64_t address, uint64_t *size, bool is_write, unsigned attributes);
    void (*unmap_in)(void *space, void *mapped, uint64_t size, bool is_write, uint64_t used);
    uint64_t (*ram_offset)(const void *host);
    void *(*array_new)(void);
    void *(*array_resize)(void *array, unsigned size);
    int *single_step;      /* to QEMU 8.0 */
    bool *one_instruction; /* from then on */
} qemu;

static struct {
    void *cpu;
    void *array;
    const uint8_t **pages;
    bool secure; /* it has a secure state, and starts in it */
    const uint32_t *registers;
    const uint32_t *floats[32];
} here;

/* What machine_copy read. */
static struct {
    uint32_t registers[16], carry[6], exception;
} copy;

void machine_copy(uint32_t registers)
{
    uint32_t xpsr = (uint32_t)official_register_value(OFFICIAL_XPSR);
    const uint32_t flags[6] = {xpsr >> 29 & 1,        xpsr << 3 & 0x80000000u, xpsr & 0x80000000u,
                               !(xpsr & 0x40000000u), xpsr >> 27 & 1,          xpsr >> 16 & 15};
    memcpy(copy.carry, flags, sizeof flags);
    copy.exception = xpsr & 0x1ff;
    for (; registers; registers &= registers - 1) {
        int r = __builtin_ctz(registers);
        copy.registers[r] = (uint32_t)official_register_value((official_register)(OFFICIAL_R0 + r));
    }
}

static bool resolve(void)
{
    const emulator_symbol names[] = {
        {"qemu_get_cpu", &qemu.get_cpu},
        {"arm_cpu_gdb_read_register", &qemu.read_register},
        {"arm_cpu_gdb_write_register", &qemu.write_register},
        {"write_v7m_exception", &qemu.write_exception},
        {"vfp_reg_offset", &qemu.float_offset},
        {"vfp_get_fpscr", &qemu.get_fpscr},
        {"cpu_physical_memory_is_io", &qemu.is_io},
        {"cpu_physical_memory_map", &qemu.map},
        {"object_property_find", &qemu.property},
        {"cpu_get_address_space", &qemu.space},
        {"address_space_map", &qemu.map_in},
        {"address_space_unmap", &qemu.unmap_in},
        {"qemu_ram_addr_from_host", &qemu.ram_offset},
        {"g_byte_array_new", &qemu.array_new},
        {"g_byte_array_set_size", &qemu.array_resize},
    };
    void *step = dlsym(RTLD_DEFAULT, "singlestep"), *one = dlsym(RTLD_DEFAULT, "one_insn_per_tb");
    memcpy(&qemu.single_step, &step, sizeof step);
    memcpy(&qemu.one_instruction, &one, sizeof one);
    const char *missing = emulator_find(names, sizeof names / sizeof *names);
    if (missing)
        fprintf(stderr, "weft_qemu: this emulator does not export %s (QEMU 7.2 does)\n", missing);
    return !missing;
}

static uint32_t read_register(int reg)
{
    struct {
        uint8_t *data;
        unsigned size;
    } *array = here.array;
    uint32_t value = 0;
    qemu.array_resize(array, 0);
    qemu.read_register(here.cpu, array, reg);
    memcpy(&value, array->data, array->size < 4 ? array->size : 4);
    return value;
}

static void write_register(int reg, uint32_t value)
{
    uint8_t bytes[8] = {0};
    memcpy(bytes, &value, 4);
    qemu.write_register(here.cpu, bytes, reg);
}

/* The only place where `count` words in a row equal `pattern`, or NULL. */
static uint32_t *find(const uint32_t *pattern, size_t count)
{
    uint32_t *words = here.cpu, *found = NULL;
    size_t total = malloc_usable_size(here.cpu) / sizeof *words;
    for (size_t i = 0; i + count <= total; i++) {
        if (memcmp(words + i, pattern, count * sizeof *words))
            continue;
        if (found)
            return NULL;
        found = words + i;
    }
    return found;
}

static uint32_t *find_registers(void)
{
    uint32_t saved[13], pattern[13];
    for (int i = 0; i < 13; i++) {
        saved[i] = read_register(i);
        pattern[i] = 0x9e3779b9u * (uint32_t)(i + 1);
        write_register(i, pattern[i]);
    }
    uint32_t *found = find(pattern, 13);
    for (int i = 0; i < 13; i++)
        write_register(i, saved[i]);
    return found;
}

/* The emulator keeps C, V, N, Z, Q, GE in six words in this order, each in its own way. */
static uint32_t *find_flags(void)
{
    uint32_t saved = read_register(XPSR);
    write_register(XPSR, 0xb9050000u);
    const uint32_t set[6] = {1, 0x80000000u, 0xb9050000u, 0x40000000u, 1, 5};
    uint32_t *found = find(set, 6);
    write_register(XPSR, 0x40020000u);
    const uint32_t clear[6] = {0, 0, 0x40020000u, 0, 0, 2};
    if (found && memcmp(found, clear, sizeof clear))
        found = NULL;
    write_register(XPSR, saved);
    return found;
}

/* IPSR: the word that follows two writes of it. In thread mode on the main stack that write changes nothing else. */
static uint32_t *find_exception(void *env)
{
    size_t size = malloc_usable_size(here.cpu) / sizeof(uint32_t);
    uint32_t *words = here.cpu, *found = NULL;
    uint32_t *before = malloc(size * sizeof *before);
    if (!before)
        return NULL;
    memcpy(before, words, size * sizeof *before);
    qemu.write_exception(env, 0x155);
    for (size_t i = 0; i < size && !found; i++)
        if (words[i] == 0x155 && before[i] == 0)
            found = words + i;
    qemu.write_exception(env, 0);
    free(before);
    return found && *found == 0 ? found : NULL;
}

static bool find_memory(void)
{
    if (here.pages || official_has_memory())
        return true;
    if (!resolve())
        return false;
    here.cpu = qemu.get_cpu(0);
    here.secure = here.cpu && qemu.property(here.cpu, SECURE_PROPERTY);
    here.pages = calloc((size_t)1 << (32 - PAGE_BITS), sizeof *here.pages);
    return here.cpu && here.pages;
}

bool machine_find(machine *m)
{
    if (!find_memory())
        return false;
    if (official_has_registers()) {
        *m = (machine){true, copy.registers, copy.carry, &copy.exception};
        return official_find();
    }
    here.array = qemu.array_new();
    m->registers = find_registers();
    m->carry = find_flags();
    m->exception = m->registers ? find_exception((void *)m->registers) : NULL;
    if (!m->registers || !m->carry || !m->exception) {
        fprintf(stderr, "weft_qemu: the registers are not where QEMU 7.2 keeps them (a Cortex-M is needed)\n");
        return false;
    }
    for (unsigned i = 0; i < 32; i++)
        here.floats[i] = (const uint32_t *)((const char *)m->registers + qemu.float_offset(false, i));
    return true;
}

uint32_t machine_float(unsigned s)
{
    if (!official_has_registers())
        return *here.floats[s];
    return (uint32_t)(official_register_value((official_register)(OFFICIAL_D0 + s / 2)) >> 32 * (s % 2));
}

uint32_t machine_fpscr(const machine *m)
{
    return m->copies ? (uint32_t)official_register_value(OFFICIAL_FPSCR) : qemu.get_fpscr((void *)m->registers);
}

uint32_t machine_xpsr(const machine *m)
{
    return m->copies ? (uint32_t)official_register_value(OFFICIAL_XPSR) : read_register(XPSR);
}

uint32_t machine_other_stack(const machine *m)
{
    return m->copies ? (uint32_t)official_register_value(OFFICIAL_PSP) : m->exception[-22];
}

/* Memory as the core sees it in one of its address spaces. What is not RAM or ROM gets a buffer of the emulator's,
 * which is given back unused. */
static const uint8_t *map_seen(int index, unsigned attributes, uint32_t address, bool is_write)
{
    uint64_t size = 1u << PAGE_BITS;
    void *space = qemu.space(here.cpu, index);
    uint8_t *mapped = space ? qemu.map_in(space, address, &size, is_write, attributes) : NULL;
    if (mapped && qemu.ram_offset(mapped) == UINT64_MAX) {
        qemu.unmap_in(space, mapped, size, is_write, 0);
        return NULL;
    }
    return size == 1u << PAGE_BITS ? mapped : NULL;
}

/* Some machines (the nRF51's) give the core memory that the system's address space does not have, and ARMv8-M boards
 * have RAM after a security gate. Mapping for a write reads no device, but finds no ROM: that is only below 0x20000000,
 * where a core has its code (ARMv7-M Architecture Reference Manual, B3.1). */
static const uint8_t *map_page(uint32_t address)
{
    uint64_t size = 1u << PAGE_BITS;
    if (!qemu.is_io(address)) {
        const uint8_t *mapped = qemu.map(address, &size, false);
        return size == 1u << PAGE_BITS ? mapped : NULL;
    }
    const uint8_t *mapped = map_seen(0, 0, address, address >= CODE_END);
    return mapped || !here.secure ? mapped : map_seen(SECURE_SPACE, SECURE_ATTRIBUTE, address, true);
}

/* The host's address of a guest byte in RAM or ROM; NULL: a device, or nothing. */
static const uint8_t *memory_at(uint32_t address)
{
    static const uint8_t device[1];
    const uint8_t **page = &here.pages[address >> PAGE_BITS];
    uint32_t offset = address & ((1u << PAGE_BITS) - 1);
    if (!*page) {
        *page = map_page(address - offset);
        if (!*page)
            *page = device;
    }
    return *page == device ? NULL : *page + offset;
}

/* Byte by byte across a page. */
bool machine_read(uint32_t address, void *bytes, size_t size)
{
    const uint32_t page = 1u << PAGE_BITS;
    if (official_has_memory())
        return official_read(address, bytes, size);
    for (size_t i = 0; i < size;) {
        size_t part = (address & (page - 1)) + size > page ? 1 : size;
        const uint8_t *from = memory_at(address + (uint32_t)i);
        if (!from)
            return false;
        memcpy((uint8_t *)bytes + i, from, part);
        i += part;
    }
    return true;
}

bool machine_access(uint32_t info, uint32_t address, unsigned size, uint64_t *value)
{
    *value = 0;
    return official_has_memory() ? official_access(info, address, value) : machine_read(address, value, size);
}

bool machine_single_step(void)
{
    if (official_has_registers())
        return true;
    if (!qemu.get_cpu && !resolve())
        return false;
    if (qemu.single_step)
        *qemu.single_step = 1;
    if (qemu.one_instruction)
        *qemu.one_instruction = true;
    return qemu.single_step || qemu.one_instruction;
}
