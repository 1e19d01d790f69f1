/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/packs.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"

/* ---- reading ---- */

typedef struct stored_function {
    uint32_t number, count; /* its pack number; its paths are the `count` numbers before that */
} stored_function;

/* After that path the next one starts at `value`, a local number, as one of `ways`. */
typedef struct stored_link {
    uint32_t path, value, ways;
} stored_link;

struct stored_packs {
    uint32_t image;
    stored_function *function; /* by number */
    stored_link *link;         /* by path */
    size_t function_count, function_max, link_count, link_max;
};

/* A count of things that take a byte each at least; 0 where it cannot be. */
static uint32_t read_count(weft_reader *in)
{
    uint32_t count = weft_read_varint(in);
    if (count > weft_reader_left(in))
        in->status = WEFT_CORRUPT;
    return in->status == WEFT_OK ? count : 0;
}

/* The places where paths of a function start, ascending. */
static ballarus_start *read_starts(weft_reader *in, uint32_t paths, uint32_t *count)
{
    *count = read_count(in);
    ballarus_start *start = memory_grow(NULL, (size_t)*count + 1, sizeof *start);
    uint64_t value = 0;
    for (uint32_t i = 0; i < *count; i++) {
        value += weft_read_varint(in);
        start[i] = (ballarus_start){(uint32_t)value, weft_read_varint(in)};
        if (value >= paths || !start[i].ways || start[i].ways > paths - value)
            in->status = WEFT_CORRUPT;
    }
    return start;
}

/* What the frame says of one function. */
static void read_function(stored_packs *packs, weft_reader *in, uint64_t *next)
{
    uint64_t base = *next + weft_read_varint(in), local = 0;
    uint32_t paths = weft_read_varint(in), count;
    if (!paths || base + paths > UINT32_MAX)
        in->status = WEFT_CORRUPT;
    if (in->status != WEFT_OK)
        return;
    ballarus_start *start = read_starts(in, paths, &count);
    uint32_t links = read_count(in);
    if (links && !count)
        in->status = WEFT_CORRUPT;
    for (uint32_t i = 0; i < links && in->status == WEFT_OK; i++) {
        uint64_t number = weft_read_varint64(in);
        if (number / count >= paths - local) {
            in->status = WEFT_CORRUPT;
            break;
        }
        local += number / count;
        const ballarus_start *to = &start[number % count];
        packs->link = memory_room(packs->link, packs->link_count, &packs->link_max, sizeof *packs->link);
        packs->link[packs->link_count++] = (stored_link){(uint32_t)(base + local), to->value, (uint32_t)to->ways};
        local++;
        if (i + 1 < links && local >= paths)
            in->status = WEFT_CORRUPT;
    }
    free(start);
    packs->function =
        memory_room(packs->function, packs->function_count, &packs->function_max, sizeof *packs->function);
    packs->function[packs->function_count++] = (stored_function){(uint32_t)(base + paths), paths};
    *next = base + paths + 1;
}

stored_packs *stored_packs_read(const uint8_t *body, size_t size)
{
    weft_reader in;
    weft_reader_init(&in, body, size);
    stored_packs *packs = memory_zero(1, sizeof *packs);
    packs->image = weft_read_u32(&in);
    for (uint64_t next = 0; in.status == WEFT_OK && weft_reader_left(&in) > 0;)
        read_function(packs, &in, &next);
    if (in.status == WEFT_OK)
        return packs;
    stored_packs_free(packs);
    return NULL;
}

void stored_packs_free(stored_packs *packs)
{
    if (!packs)
        return;
    free(packs->function);
    free(packs->link);
    free(packs);
}

uint32_t stored_packs_image(const stored_packs *packs)
{
    return packs->image;
}

static const stored_function *function_of(const stored_packs *packs, uint32_t number)
{
    size_t low = bisect_below(packs->function, packs->function_count, sizeof *packs->function,
                              offsetof(stored_function, number), number);
    bool found = low < packs->function_count && packs->function[low].number == number;
    return found ? &packs->function[low] : NULL;
}

static const stored_link *link_after(const stored_packs *packs, uint32_t path)
{
    size_t low = bisect_below(packs->link, packs->link_count, sizeof *packs->link, offsetof(stored_link, path), path);
    return low < packs->link_count && packs->link[low].path == path ? &packs->link[low] : NULL;
}

static int by_number(const void *a, const void *b)
{
    const stored_function *f = a, *g = b;
    return f->number < g->number ? -1 : f->number > g->number;
}

static int by_path(const void *a, const void *b)
{
    const stored_link *f = a, *g = b;
    return f->path < g->path ? -1 : f->path > g->path;
}

static bool agree(const stored_packs *packs, const stored_packs *other)
{
    for (size_t i = 0; i < other->function_count; i++) {
        const stored_function *f = &other->function[i], *own = function_of(packs, f->number);
        if (own && own->count != f->count)
            return false;
    }
    for (size_t i = 0; i < other->link_count; i++) {
        const stored_link *l = &other->link[i], *own = link_after(packs, l->path);
        if (own && (own->value != l->value || own->ways != l->ways))
            return false;
    }
    return true;
}

bool stored_packs_add(stored_packs *packs, const stored_packs *other)
{
    if (!agree(packs, other))
        return false;
    size_t functions = packs->function_count, links = packs->link_count;
    for (size_t i = 0; i < other->function_count; i++) {
        size_t known = packs->function_count;
        packs->function_count = functions; /* only these are sorted */
        bool has = function_of(packs, other->function[i].number);
        packs->function_count = known;
        packs->function = memory_room(packs->function, known, &packs->function_max, sizeof *packs->function);
        packs->function[known] = other->function[i];
        packs->function_count += !has;
    }
    for (size_t i = 0; i < other->link_count; i++) {
        size_t known = packs->link_count;
        packs->link_count = links;
        bool has = link_after(packs, other->link[i].path);
        packs->link_count = known;
        packs->link = memory_room(packs->link, known, &packs->link_max, sizeof *packs->link);
        packs->link[known] = other->link[i];
        packs->link_count += !has;
    }
    if (packs->function_count)
        qsort(packs->function, packs->function_count, sizeof *packs->function, by_number);
    if (packs->link_count)
        qsort(packs->link, packs->link_count, sizeof *packs->link, by_path);
    return true;
}

bool stored_packs_has(const stored_packs *packs, uint32_t number)
{
    return function_of(packs, number) != NULL;
}

/* One function of them. */
typedef struct stored_walk {
    const stored_packs *packs;
    uint32_t base;
} stored_walk;

static bool next_of(const void *own, uint32_t number, ballarus_start *start)
{
    const stored_walk *w = own;
    const stored_link *link = link_after(w->packs, w->base + number);
    if (!link)
        return false;
    *start = (ballarus_start){link->value, link->ways};
    return true;
}

size_t stored_packs_unpack(const stored_packs *packs, uint32_t number, uint32_t word, uint32_t paths[BALLARUS_PACK_MAX])
{
    const stored_function *f = function_of(packs, number);
    if (!f)
        return 0;
    stored_walk w = {packs, f->number - f->count};
    size_t count = ballarus_unpack_by(next_of, &w, f->count, word, paths);
    for (size_t i = 0; i < count; i++)
        paths[i] += w.base;
    return count;
}

/* ---- gathering ---- */

/* A path that another one of a pack came after; or, with no ways, a pack number. */
typedef struct noted {
    uint32_t number; /* global */
    uint32_t value, ways;
    const descriptor_function *function; /* NULL: the slot is empty */
} noted;

struct packs_gathered {
    noted *slot; /* open addressing by number; a power of two */
    size_t slots, count;
};

packs_gathered *packs_gathered_new(void)
{
    packs_gathered *all = memory_zero(1, sizeof *all);
    all->slots = 256;
    all->slot = memory_zero(all->slots, sizeof *all->slot);
    return all;
}

void packs_gathered_free(packs_gathered *all)
{
    if (!all)
        return;
    free(all->slot);
    free(all);
}

static noted *slot_of(const packs_gathered *all, uint32_t number)
{
    size_t at = (number * 2654435761u >> 7) & (all->slots - 1);
    while (all->slot[at].function && all->slot[at].number != number)
        at = (at + 1) & (all->slots - 1);
    return &all->slot[at];
}

static void grow(packs_gathered *all)
{
    packs_gathered old = *all;
    all->slots *= 2;
    all->slot = memory_zero(all->slots, sizeof *all->slot);
    for (size_t i = 0; i < old.slots; i++)
        if (old.slot[i].function)
            *slot_of(all, old.slot[i].number) = old.slot[i];
    free(old.slot);
}

static void note(packs_gathered *all, const descriptor_function *f, uint32_t number, bool path)
{
    ballarus_start start = {0, 0};
    noted *slot = slot_of(all, number);
    if (slot->function || (path && !ballarus_start_after(f->graph, f->apart, number - f->path_base, &start)))
        return;
    *slot = (noted){number, start.value, (uint32_t)start.ways, f};
    if (2 * ++all->count > all->slots)
        grow(all);
}

void packs_gathered_add(packs_gathered *all, const descriptor_function *f, const uint32_t *paths, size_t count)
{
    note(all, f, f->path_base + f->path_count, false);
    for (size_t i = 0; i + 1 < count; i++)
        note(all, f, paths[i], true);
}

size_t packs_gathered_size(const packs_gathered *all)
{
    return 4 + all->count * 20; /* of one path: a start, and its place; of a function: four numbers */
}

static int by_noted(const void *a, const void *b)
{
    const noted *f = a, *g = b;
    if (!f->function != !g->function)
        return f->function ? -1 : 1;
    return f->number < g->number ? -1 : f->number > g->number;
}

static int by_start(const void *a, const void *b)
{
    const ballarus_start *f = a, *g = b;
    return f->value < g->value ? -1 : f->value > g->value;
}

static uint32_t start_index(const ballarus_start *start, uint32_t count, uint32_t value)
{
    uint32_t low = 0;
    while (low + 1 < count && start[low].value != value)
        low++;
    return low;
}

/* The different starts of `count` paths. Two of a function differ in their values. */
static uint32_t find_starts(const noted *link, size_t count, ballarus_start *start)
{
    uint32_t starts = 0;
    for (size_t i = 0; i < count; i++)
        start[i] = (ballarus_start){link[i].value, link[i].ways};
    if (count)
        qsort(start, count, sizeof *start, by_start);
    for (size_t i = 0; i < count; i++)
        if (!i || start[i].value != start[starts - 1].value)
            start[starts++] = start[i];
    return starts;
}

/* `link[count]` is the function's own entry. Returns the number after its pack number. */
static uint32_t write_function(const noted *link, size_t count, uint32_t next, ballarus_start *start, weft_writer *to)
{
    const descriptor_function *f = link[count].function;
    uint32_t starts = find_starts(link, count, start), value = 0, local = 0;
    weft_write_varint(to, f->path_base - next);
    weft_write_varint(to, f->path_count);
    weft_write_varint(to, starts);
    for (uint32_t i = 0; i < starts; i++) {
        weft_write_varint(to, start[i].value - value);
        weft_write_varint(to, (uint32_t)start[i].ways);
        value = start[i].value;
    }
    weft_write_varint(to, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        uint32_t at = link[i].number - f->path_base;
        weft_write_varint64(to, (uint64_t)(at - local) * starts + start_index(start, starts, link[i].value));
        local = at + 1;
    }
    return f->path_base + f->path_count + 1;
}

void packs_gathered_write(packs_gathered *all, uint32_t image_crc, weft_writer *to)
{
    ballarus_start *start = memory_grow(NULL, all->count + 1, sizeof *start);
    uint32_t next = 0;
    qsort(all->slot, all->slots, sizeof *all->slot, by_noted); /* the table is no longer needed */
    weft_write_u32(to, image_crc);
    for (size_t first = 0, i = 0; i < all->count; i++)
        if (!all->slot[i].ways) {
            next = write_function(&all->slot[first], i - first, next, start, to);
            first = i + 1;
        }
    free(start);
}
