/* SPDX-License-Identifier: MIT */
/* Steps: 1 the elements that matter become a tree (svd_tree.h); 2 peripherals, clusters and registers are expanded from
 * it, arrays and derived ones included; 3 registers are sorted by address.
 * The format: CMSIS-SVD schema version 1.3. */
#include "tools/lib/inspect/svd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/inspect/svd_tree.h"

/* ---- step 2: registers ---- */

typedef struct place {
    char name[SVD_NAME_MAX];
    uint64_t address;
} place;

/* Appends what fits: a name that is too long is cut. */
static void append(place *at, const char *bytes, size_t count)
{
    size_t used = strlen(at->name);
    count = count < sizeof at->name - used ? count : sizeof at->name - used - 1;
    memcpy(at->name + used, bytes, count);
    at->name[used + count] = 0;
}

static place place_of(const place *in, const svd_node *n, unsigned i, bool first)
{
    place at = *in;
    char name[SVD_NAME_MAX];
    append(&at, ".", !first);
    svd_element_name(n, i, name);
    append(&at, name, strlen(name));
    at.address +=
        svd_number_of(n, first ? "baseAddress" : "addressOffset", 0) + i * svd_number_of(n, "dimIncrement", 0);
    return at;
}

static bool add_register(svd *s, const place *at, svd_node *n)
{
    if (s->count >= SVD_REGISTERS_MAX)
        return false;
    uint64_t bits;
    const char *access = svd_inherited(n, "access");
    uint32_t bytes = svd_number(svd_inherited(n, "size"), &bits) && bits / 8 <= 8 ? (uint32_t)bits / 8 : 0;
    svd_find_fields(s->own, n);
    s->all = memory_room(s->all, s->count, &s->own->max, sizeof *s->all);
    s->all[s->count++] = (svd_register){.name = memory_text(at->name),
                                        .address = (uint32_t)at->address,
                                        .size = bytes ? bytes : 4,
                                        .loads = !access || strncmp(access, "write", 5) != 0,
                                        .stores = !access || strcmp(access, "read-only") != 0,
                                        .field = n->fields,
                                        .field_count = n->field_count};
    return true;
}

static bool has_registers(const svd_node *n)
{
    return svd_own_child(n, "register") || svd_own_child(n, "cluster");
}

/* Registers and clusters of a node, and of what it is derived from. Recursion ends with the tree. */
static bool add_registers(svd *s, const place *in, const svd_node *list, unsigned depth)
{
    for (svd_node *n = list ? list->child : NULL; n; n = n->next) {
        bool cluster = !strcmp(n->tag, "cluster");
        if (!cluster && strcmp(n->tag, "register"))
            continue;
        for (unsigned i = 0; i < svd_elements(n); i++) {
            place at = place_of(in, n, i, false);
            const svd_node *inner = n;
            for (int k = 0; cluster && k < SVD_DERIVED_MAX && inner && !has_registers(inner); k++)
                inner = svd_base(inner);
            if (depth > SVD_DEPTH_MAX ||
                (cluster ? !add_registers(s, &at, inner, depth + 1) : !add_register(s, &at, n)))
                return false;
        }
    }
    return true;
}

static bool add_peripherals(svd *s)
{
    const svd_node *list = svd_own_child(s->own->root, "peripherals");
    const place root = {.name = ""};
    for (const svd_node *n = list ? list->child : NULL; n; n = n->next)
        for (unsigned i = 0; !strcmp(n->tag, "peripheral") && i < svd_elements(n); i++) {
            place at = place_of(&root, n, i, true);
            if (!add_registers(s, &at, svd_child(n, "registers"), 0))
                return false;
        }
    return true;
}

static int by_address(const void *a, const void *b)
{
    const svd_register *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return strcmp(x->name, y->name);
}

svd *svd_open(const char *path, char *message, size_t message_size)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
    if (!file || fstat(fd, &status) || !S_ISREG(status.st_mode)) {
        snprintf(message, message_size, "%s: %s", path, file ? "it is not a file on a disk" : strerror(errno));
        if (file)
            fclose(file);
        return NULL;
    }
    svd *s = memory_zero(1, sizeof *s);
    s->own = memory_zero(1, sizeof *s->own);
    bool good = svd_tree_read(s->own, file, message, message_size, path);
    fclose(file);
    if (good && (!s->own->root || strcmp(s->own->root->tag, "device"))) {
        good = false;
        snprintf(message, message_size, "%s: it is XML, but not an SVD file: its root is not <device>", path);
    }
    if (good && !add_peripherals(s)) {
        good = false;
        snprintf(message, message_size, "%s: it has more than %u registers", path, SVD_REGISTERS_MAX);
    }
    if (!good) {
        svd_close(s);
        return NULL;
    }
    if (s->count)
        qsort(s->all, s->count, sizeof *s->all, by_address);
    return s;
}

void svd_close(svd *s)
{
    if (!s)
        return;
    for (svd_node *n = s->own->all, *next; n; n = next) {
        next = n->all;
        svd_node_free(n);
    }
    for (size_t i = 0; i < s->count; i++)
        free(s->all[i].name);
    free(s->all);
    free(s->own);
    free(s);
}
