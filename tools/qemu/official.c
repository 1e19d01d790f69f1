/* SPDX-License-Identifier: MIT */
#include "tools/qemu/official.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/qemu/api.h"

enum { REGISTERS_SINCE = 3, MEMORY_SINCE = 4 };

/* GLib's arrays, as its documentation gives them. */
typedef struct byte_array {
    uint8_t *data;
    unsigned size;
} byte_array;
typedef struct any_array {
    char *data;
    unsigned count;
} any_array;

typedef struct register_description {
    void *handle;
    const char *name, *feature;
} register_description;

typedef struct access_value {
    int type; /* 0 to 4: 1, 2, 4, 8, 16 bytes */
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        uint64_t both[2];
    } data;
} access_value;

static struct {
    bool tried, registers, memory;
    any_array *(*list)(void);
    int (*read)(void *handle, byte_array *to);
    bool (*read_memory)(uint64_t address, byte_array *to, size_t size);
    access_value (*value)(uint32_t info);
    void *(*place)(uint32_t info, uint64_t address);
    bool (*is_device)(const void *place);
    byte_array *(*array_new)(void);
    byte_array *(*array_resize)(byte_array *array, unsigned size);
    byte_array *bytes;
    void *handle[OFFICIAL_COUNT];
} official;

static bool find(const char *name, void *function)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol;
}

static void look(void)
{
    if (official.tried)
        return;
    official.tried = true;
    bool arrays =
        find("g_byte_array_new", &official.array_new) && find("g_byte_array_set_size", &official.array_resize);
    bool registers =
        find("qemu_plugin_get_registers", &official.list) && find("qemu_plugin_read_register", &official.read);
    bool memory = find("qemu_plugin_read_memory_vaddr", &official.read_memory) &&
                  find("qemu_plugin_mem_get_value", &official.value) &&
                  find("qemu_plugin_get_hwaddr", &official.place) &&
                  find("qemu_plugin_hwaddr_is_io", &official.is_device);
    official.registers = api_version() >= REGISTERS_SINCE && arrays && registers;
    official.memory = api_version() >= MEMORY_SINCE && official.registers && memory;
    if (official.registers)
        official.bytes = official.array_new();
}

bool official_has_registers(void)
{
    look();
    return official.registers;
}

bool official_has_memory(void)
{
    look();
    return official.memory;
}

/* "r0" to "r12", "sp", "lr", "xpsr", ... by their names in the debugger's description of the core. */
static void name_of(official_register number, char name[8])
{
    static const char *const others[] = {"r13", "r14", "xpsr", "psp", "fpscr"};
    if (number < 13)
        snprintf(name, 8, "r%d", (int)number);
    else if (number < OFFICIAL_D0)
        snprintf(name, 8, "%s", others[number - 13]);
    else
        snprintf(name, 8, "d%d", (int)(number - OFFICIAL_D0));
}

static void *handle_named(const any_array *all, const char *name)
{
    const char *other = !strcmp(name, "r13") ? "sp" : !strcmp(name, "r14") ? "lr" : name;
    for (unsigned i = 0; i < all->count; i++) {
        register_description one;
        memcpy(&one, all->data + i * sizeof one, sizeof one);
        if (one.name && (!strcmp(one.name, name) || !strcmp(one.name, other)))
            return one.handle;
    }
    return NULL;
}

bool official_find(void)
{
    any_array *all = official.list();
    char name[8];
    for (int r = 0; all && r < OFFICIAL_COUNT; r++) {
        name_of((official_register)r, name);
        official.handle[r] = handle_named(all, name);
        if (!official.handle[r] && r <= OFFICIAL_XPSR) {
            fprintf(stderr, "weft_qemu: the emulator's core has no register %s (a Cortex-M is needed)\n", name);
            return false;
        }
    }
    return all;
}

uint64_t official_register_value(official_register number)
{
    uint64_t value = 0;
    if (!official.handle[number])
        return 0;
    official.array_resize(official.bytes, 0);
    official.read(official.handle[number], official.bytes);
    memcpy(&value, official.bytes->data, official.bytes->size < sizeof value ? official.bytes->size : sizeof value);
    return value;
}

bool official_read(uint32_t address, void *bytes, size_t size)
{
    if (!official.read_memory(address, official.bytes, size) || official.bytes->size < size)
        return false;
    memcpy(bytes, official.bytes->data, size);
    return true;
}

bool official_access(uint32_t info, uint64_t address, uint64_t *value)
{
    const void *place = official.place(info, address);
    if (place && official.is_device(place))
        return false;
    access_value got = official.value(info);
    *value = got.type == 0 ? got.data.u8 : got.type == 1 ? got.data.u16 : got.type == 2 ? got.data.u32 : got.data.u64;
    return true;
}
