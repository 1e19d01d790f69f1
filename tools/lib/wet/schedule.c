/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/schedule.h"

#include <stdlib.h>
#include <zstd.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/varint.h"
#include "tools/lib/wet/stream.h"

/* ---- writing ---- */

struct wet_schedule {
    uint32_t *counts; /* of each node, in this window */
    size_t count_max;
    uint32_t *nodes; /* that execute in it */
    uint32_t node_count;
    size_t node_max;
    squeeze_bytes bytes;
};

wet_schedule *wet_schedule_new(void)
{
    return memory_zero(1, sizeof(wet_schedule));
}

void wet_schedule_free(wet_schedule *s)
{
    free(s->counts);
    free(s->nodes);
    squeeze_bytes_free(&s->bytes);
    free(s);
}

void wet_schedule_add(wet_schedule *s, uint32_t node)
{
    while (node >= s->count_max) {
        size_t before = s->count_max;
        s->counts = memory_room(s->counts, node, &s->count_max, sizeof *s->counts);
        for (size_t i = before; i < s->count_max; i++)
            s->counts[i] = 0;
    }
    if (s->counts[node]++)
        return;
    s->nodes = memory_room(s->nodes, s->node_count, &s->node_max, sizeof *s->nodes);
    s->nodes[s->node_count++] = node;
}

static int number_order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void wet_schedule_window(wet_schedule *s)
{
    uint32_t next = 0;
    if (s->node_count)
        qsort(s->nodes, s->node_count, sizeof *s->nodes, number_order);
    squeeze_bytes_varint(&s->bytes, s->node_count);
    for (uint32_t i = 0; i < s->node_count; i++) {
        uint32_t node = s->nodes[i];
        squeeze_bytes_varint(&s->bytes, node - next);
        squeeze_bytes_varint(&s->bytes, s->counts[node] - 1);
        s->counts[node] = 0;
        next = node + 1;
    }
    s->node_count = 0;
}

const squeeze_bytes *wet_schedule_bytes(const wet_schedule *s)
{
    return &s->bytes;
}

/* ---- reading ---- */

typedef struct reading {
    wet_file *f;
    weft_reader in;
    uint32_t *executions; /* of each node, so far */
    uint32_t *places;     /* of its next shift; while they are counted, how many it has */
} reading;

/* Goes over all windows; `keep`: the shifts are put into their places, else counted. False: damaged. */
static bool windows_read(reading *r, bool keep)
{
    const wet_file *f = r->f;
    uint64_t windows = (f->time + (uint64_t)f->window - 1) / f->window;
    for (uint64_t window = 0; window < windows; window++) {
        uint64_t next = 0, executed = 0, most = window + 1 < windows ? f->window : f->time - window * f->window;
        for (uint32_t left = varint_read(&r->in); left; left--) {
            uint64_t node = next + varint_read(&r->in), count = varint_read(&r->in) + UINT64_C(1);
            executed += count;
            next = node + 1;
            if (r->in.status != WEFT_OK || node >= f->node_count || executed > most)
                return false;
            if (keep)
                f->shifts[r->places[node]] = (wet_shift){(uint32_t)window, r->executions[node]};
            r->places[node]++;
            r->executions[node] += (uint32_t)count;
        }
        if (executed != most)
            return false;
    }
    return weft_reader_left(&r->in) == 0;
}

static bool executions_agree(const reading *r)
{
    for (uint32_t i = 0; i < r->f->node_count; i++)
        if (r->executions[i] != r->f->nodes[i].n.count)
            return false;
    return true;
}

/* From counts of shifts to the places of the first. */
static void shifts_place(reading *r)
{
    wet_file *f = r->f;
    uint32_t total = 0;
    for (uint32_t i = 0; i < f->node_count; i++) {
        f->nodes[i].shift_count = r->places[i];
        r->places[i] = total;
        r->executions[i] = 0;
        total += f->nodes[i].shift_count;
    }
    f->shifts = memory_zero(total + UINT64_C(1), sizeof *f->shifts);
    for (uint32_t i = 0; i < f->node_count; i++)
        f->nodes[i].shifts = f->shifts + r->places[i];
}

static bool schedule_take(wet_file *f, const uint8_t *plain)
{
    reading r = {.f = f,
                 .executions = memory_zero(f->node_count + 1, sizeof(uint32_t)),
                 .places = memory_zero(f->node_count + 1, sizeof(uint32_t))};
    weft_reader_init(&r.in, plain, (size_t)f->schedule_plain);
    bool good = windows_read(&r, false) && executions_agree(&r);
    if (good) {
        shifts_place(&r);
        weft_reader_init(&r.in, plain, (size_t)f->schedule_plain);
        windows_read(&r, true);
    }
    free(r.executions);
    free(r.places);
    return good;
}

void wet_schedule_read(wet_file *f)
{
    if (!f->schedule)
        return;
    const uint8_t *packed = f->schedule;
    f->schedule = NULL; /* once */
    wet_stream_check(f, packed, f->schedule_size);
    uint8_t *plain = memory_try((size_t)f->schedule_plain + 1);
    if (!plain || ZSTD_decompress(plain, (size_t)f->schedule_plain, packed, f->schedule_size) != f->schedule_plain ||
        !schedule_take(f, plain))
        f->damaged = true;
    free(plain);
}

bool wet_schedule_find(const wet_file *f, uint32_t node, uint32_t window, uint32_t *first, uint32_t *end)
{
    const wet_file_node *n = &f->nodes[node];
    size_t low = bisect_up_to(n->shifts, n->shift_count, sizeof *n->shifts, offsetof(wet_shift, window), window);
    *end = low < n->shift_count ? n->shifts[low].first : n->n.count;
    if (!low || n->shifts[low - 1].window != window) {
        *end = low ? *end : 0;
        return false;
    }
    *first = n->shifts[low - 1].first;
    return true;
}
