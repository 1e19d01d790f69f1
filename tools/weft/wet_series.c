/* SPDX-License-Identifier: MIT */
/* A point for each instance. Of an object in memory it is what the object holds after the store, where all of its bytes
 * have been stored by then: those of a local in a frame during the same execution of a path, since between two paths
 * the frame may be another one's, or others may have stored there. */
#include "tools/weft/wet_series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/image/variables.h"
#include "tools/weft/command.h"
#include "tools/weft/wet_query.h"

enum { HEIGHT = 16, LABEL = 14, WIDTH_MIN = 20, OBJECT_MAX = 8 };

/* What a point's `value` is. Each keeps the order of the numbers. */
typedef enum numbers {
    NUMBERS_SIGNED,
    NUMBERS_UNSIGNED, /* of 64 bits: the highest bit is the other way round */
    NUMBERS_REAL      /* a double's bits; of negative ones all but the sign are the other way round */
} numbers;

typedef struct point {
    uint32_t time, instruction;
    bool known;
    int64_t value;
} point;

typedef struct series {
    const wet_options *o;
    wet_file *f;
    wet_place place;
    bool addresses;
    image_kind kind;
    numbers numbers;
    uint8_t bytes[OBJECT_MAX];
    uint32_t known; /* mask of them */
    uint32_t time;  /* when they were noted */
    point *points;
    size_t count;
} series;

/* ---- points ---- */

static int64_t number_of(const series *s, uint64_t word, unsigned size)
{
    unsigned unused = size && size < 8 ? 64 - 8 * size : 0;
    return s->kind.positive || s->addresses ? (int64_t)word : (int64_t)(word << unused) >> unused;
}

/* From a double's bits, and back. */
static int64_t real_turn(int64_t bits)
{
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static double real_of(const series *s, int64_t value)
{
    double real;
    int64_t bits = real_turn(value);
    if (s->numbers != NUMBERS_REAL)
        return s->numbers == NUMBERS_SIGNED ? (double)value : (double)((uint64_t)value ^ UINT64_C(1) << 63);
    memcpy(&real, &bits, sizeof real);
    return real;
}

static int64_t real_number(const series *s, uint64_t word)
{
    float single;
    uint32_t low = (uint32_t)word;
    memcpy(&single, &low, sizeof single);
    double real = single;
    int64_t bits = (int64_t)word;
    if (s->kind.size == sizeof single)
        memcpy(&bits, &real, sizeof bits);
    return real_turn(bits);
}

/* The object's value, from its bytes. */
static int64_t object_number(const series *s, uint64_t word)
{
    if (s->numbers == NUMBERS_REAL)
        return real_number(s, word);
    if (s->numbers == NUMBERS_UNSIGNED)
        return (int64_t)(word ^ UINT64_C(1) << 63);
    unsigned bits = s->kind.bits ? s->kind.bits : 8 * s->place.size, unused = bits && bits < 64 ? 64 - bits : 0;
    word = word >> s->kind.first_bit << unused;
    return s->kind.positive ? (int64_t)(word >> unused) : (int64_t)word >> unused;
}

/* A store to a large object. */
static int64_t stored_number(const series *s, uint64_t word, unsigned size)
{
    return s->numbers == NUMBERS_SIGNED ? number_of(s, word, size) : object_number(s, word);
}

static void note_bytes(series *s, const wet_access_seen *a)
{
    for (unsigned i = 0; i < a->size; i++) {
        uint32_t at = a->address + i - s->place.address;
        if (at >= s->place.size || at >= OBJECT_MAX)
            continue;
        s->bytes[at] = (uint8_t)(a->value >> 8 * i);
        s->known = a->known ? s->known | 1u << at : s->known & ~(1u << at);
    }
}

static void point_of_object(series *s, wet_instance at, point *p)
{
    wet_access_seen seen[FULL_ACCESSES_MAX];
    uint32_t count = wet_accesses_of(s->f, at, seen), size = s->place.size;
    uint64_t word = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool touches = seen[i].address - s->place.address < size || s->place.address - seen[i].address < seen[i].size;
        if (!seen[i].store || !touches)
            continue;
        note_bytes(s, &seen[i]);
        bool part = s->numbers == NUMBERS_REAL && seen[i].size != s->kind.size; /* of a float */
        p->known = s->addresses || (size > OBJECT_MAX && seen[i].known && !part);
        p->value = s->addresses ? (int64_t)seen[i].address : stored_number(s, seen[i].value, seen[i].size);
    }
    if (s->addresses || size > OBJECT_MAX) /* of a large object, what was stored */
        return;
    for (uint32_t i = size; i-- > 0;)
        word = word << 8 | s->bytes[i];
    p->known = s->known == (1u << size) - 1;
    p->value = object_number(s, word);
}

static void point_of_local(series *s, wet_instance at, point *p)
{
    wet_access_seen seen[FULL_ACCESSES_MAX];
    if (!wet_accesses_of(s->f, at, seen))
        return;
    uint32_t address = wet_place_local(&s->place, p->instruction, seen);
    if (address != s->place.address || p->time != s->time)
        s->known = 0;
    s->place.address = address;
    s->time = p->time;
    point_of_object(s, at, p);
}

static void point_of_statement(series *s, wet_instance at, point *p)
{
    wet_access_seen seen[FULL_ACCESSES_MAX];
    uint32_t values[64], count;
    uint8_t locations[64];
    if (s->addresses) {
        p->known = wet_accesses_of(s->f, at, seen) > 0;
        p->value = p->known ? (int64_t)seen[0].address : 0;
        return;
    }
    count = wet_values_of(s->f, at, values, locations);
    for (uint32_t i = 0; i < count && !p->known; i++) {
        bool meant = s->place.defines ? s->place.defines >> locations[i] & 1 : locations[i] != THUMB_FLAGS;
        p->known = meant;
        p->value = !meant ? 0 : s->place.size ? object_number(s, values[i]) : number_of(s, values[i], 4);
    }
    if (p->known || !wet_accesses_of(s->f, at, seen))
        return;
    p->known = seen[0].known; /* a store, which gives no register a value */
    p->value = number_of(s, seen[0].value, seen[0].size);
}

static void points_gather(series *s)
{
    wet_hit *hits = wet_place_hits(s->f, &s->place, &s->count);
    s->points = memory_zero(s->count + 1, sizeof *s->points);
    for (size_t i = 0; i < s->count; i++) {
        wet_instance at = {hits[i].node, hits[i].statement, hits[i].instance};
        const wet_node *n = &s->f->nodes[at.node].n;
        point *p = &s->points[i];
        *p = (point){.time = hits[i].time, .instruction = s->f->statements[n->statements[at.statement]].instruction};
        if (s->place.parts)
            point_of_local(s, at, p);
        else if (s->place.statics)
            point_of_statement(s, at, p);
        else
            point_of_object(s, at, p);
    }
    free(hits);
}

/* ---- for people ---- */

static void value_text(const series *s, int64_t value, char *text, size_t size)
{
    if (s->addresses)
        snprintf(text, size, "0x%08x", (unsigned)value);
    else if (s->numbers == NUMBERS_REAL)
        text_real(text, size, real_of(s, value), s->kind.size == sizeof(float));
    else if (s->numbers == NUMBERS_UNSIGNED)
        snprintf(text, size, "%llu", (unsigned long long)value ^ 1ull << 63);
    else
        snprintf(text, size, "%lld", (long long)value);
}

static void print_table(const series *s)
{
    char text[32];
    printf("%10s  %*s  where\n", "time", LABEL, s->addresses ? "address" : "value");
    for (size_t i = 0; i < s->count; i++) {
        const point *p = &s->points[i];
        const char *file = wet_file_name(s->f, p->instruction);
        value_text(s, p->value, text, sizeof text);
        printf("%10u  %*s  ", p->time, LABEL, p->known ? text : "?");
        text_print(stdout, wet_function_name(s->f, p->instruction));
        if (*file) {
            fputs(" (", stdout);
            text_print(stdout, text_base(file));
            printf(":%u)", s->f->static_line[p->instruction]);
        }
        putchar('\n');
    }
}

/* A column of the plot. */
typedef struct bin {
    bool any, carried; /* carried: nothing new, it is still what it was */
    int64_t low, high;
} bin;

typedef struct plot {
    bin *bins;
    unsigned width;
    int64_t low, high;
    uint32_t first, last;
} plot;

/* It is known, and neither an infinity nor a NaN. */
static bool is_drawn(const series *s, const point *p)
{
    return p->known && isfinite(real_of(s, p->value));
}

static bool range_find(const series *s, plot *p)
{
    bool any = false;
    for (size_t i = 0; i < s->count; i++) {
        const point *at = &s->points[i];
        if (!is_drawn(s, at))
            continue;
        p->low = !any || at->value < p->low ? at->value : p->low;
        p->high = !any || at->value > p->high ? at->value : p->high;
        p->first = any ? p->first : at->time;
        p->last = at->time;
        any = true;
    }
    return any;
}

static void bins_fill(const series *s, plot *p)
{
    for (size_t i = 0; i < s->count; i++) {
        const point *at = &s->points[i];
        if (!is_drawn(s, at))
            continue;
        uint64_t span = (uint64_t)p->last - p->first + 1;
        bin *b = &p->bins[(uint64_t)(at->time - p->first) * p->width / span];
        b->low = !b->any || at->value < b->low ? at->value : b->low;
        b->high = !b->any || at->value > b->high ? at->value : b->high;
        b->any = true;
        b->carried = false;
        for (bin *after = b + 1; !s->addresses && after < p->bins + p->width; after++) /* bins are few */
            *after = (bin){.carried = true, .low = at->value, .high = at->value};
    }
}

/* The row of a value, 0 at the bottom. Halves: the difference of two doubles may be none. */
static unsigned row_of(const series *s, const plot *p, int64_t value)
{
    double low = real_of(s, p->low) / 2, span = real_of(s, p->high) / 2 - low;
    return span > 0 ? (unsigned)((real_of(s, value) / 2 - low) / span * (HEIGHT - 1) + 0.5) : 0;
}

/* What stands beside a row. */
static void row_text(const series *s, const plot *p, unsigned row, char *text, size_t size)
{
    double low = real_of(s, p->low), high = real_of(s, p->high), part = (double)row / (HEIGHT - 1);
    uint64_t step = ((uint64_t)p->high - (uint64_t)p->low) / (HEIGHT - 1);
    if (s->numbers == NUMBERS_REAL)
        snprintf(text, size, "%.6g", low * (1 - part) + high * part);
    else if (row == HEIGHT - 1)
        value_text(s, p->high, text, size);
    else
        value_text(s, (int64_t)((uint64_t)p->low + step * row), text, size);
}

static char mark_of(const series *s, const plot *p, const bin *b, unsigned row)
{
    unsigned low = row_of(s, p, b->low), high = row_of(s, p, b->high);
    if ((!b->any && !b->carried) || row < low || row > high)
        return ' ';
    return b->carried ? '-' : row == low || row == high ? '*' : ':';
}

static void print_plot(const series *s)
{
    char text[32];
    unsigned columns = command_columns();
    plot p = {.width = columns > LABEL + WIDTH_MIN + 3 ? columns - LABEL - 3 : WIDTH_MIN};
    if (!range_find(s, &p)) {
        puts("no value is known");
        return;
    }
    p.bins = memory_zero(p.width, sizeof *p.bins);
    bins_fill(s, &p);
    for (unsigned row = HEIGHT; row-- > 0;) {
        row_text(s, &p, row, text, sizeof text);
        printf("%*s |", LABEL, row % 5 == 0 ? text : "");
        for (unsigned i = 0; i < p.width; i++) {
            const bin *b = &p.bins[i];
            putchar(mark_of(s, &p, b, row));
        }
        putchar('\n');
    }
    printf("%*s +", LABEL, "");
    for (unsigned i = 0; i < p.width; i++)
        putchar('-');
    printf("\n%*s  %-*u%10u\n", LABEL, "time", (int)p.width - 10, p.first, p.last);
    free(p.bins);
}

/* FUNCTION:LOCAL. Of one in a register, the register's bytes are the object. */
static bool local_kind(series *s, const image *im, char *expression)
{
    char *colon = strrchr(expression, ':');
    uint32_t size;
    if (!colon)
        return false;
    *colon = 0;
    if (!image_local_kind(im, expression, colon + 1, &s->kind, &size))
        return false;
    if (!s->place.parts && size <= sizeof(uint32_t))
        s->place.size = size;
    return s->place.parts || s->place.size;
}

/* How the object's bytes are read, by the debug information. */
static void kind_find(series *s)
{
    char message[512];
    bool local = s->place.parts || s->place.defines;
    image *im = (!s->place.statics || local) && s->o->elf ? image_open(s->o->elf, message, sizeof message) : NULL;
    if (!im)
        return;
    char *expression = memory_got(strndup(s->o->at, strcspn(s->o->at, "#")));
    if ((local ? local_kind(s, im, expression) : image_variable_kind(im, expression, &s->kind)) && !s->addresses) {
        bool whole = s->place.size == s->kind.size, small = s->place.size <= OBJECT_MAX;
        if (!whole && small && !s->kind.bits) /* a small array is a number */
            s->kind = (image_kind){.positive = true};
        unsigned bits = s->kind.bits ? s->kind.bits : 8 * (small ? s->place.size : s->kind.size);
        s->numbers = s->kind.is_float                 ? NUMBERS_REAL
                     : s->kind.positive && bits == 64 ? NUMBERS_UNSIGNED
                                                      : NUMBERS_SIGNED;
    }
    free(expression);
    image_close(im);
}

int wet_series(const wet_options *o, bool addresses)
{
    char message[512];
    series s = {.o = o, .addresses = addresses};
    if (o->table && o->plot)
        return command_fail("wet", EXIT_USAGE, "--table and --plot exclude each other");
    s.f = wet_open(o);
    if (!s.f)
        return EXIT_INPUT;
    if (!wet_place_of(o, s.f, &s.place, message, sizeof message))
        return wet_close(o, s.f, command_fail("wet", EXIT_INPUT, "%s", message));
    kind_find(&s);
    points_gather(&s);
    int status = EXIT_DONE;
    if (!s.count || s.place.nth > s.count) {
        wet_place_few(s.count, s.place.nth, message, sizeof message);
        status = command_fail("wet", EXIT_INPUT, "%s", message);
    } else if (s.place.nth) {
        s.points[0] = s.points[s.place.nth - 1]; /* the values before it were needed for what the object held */
        s.count = 1;
    }
    if (status == EXIT_DONE)
        (o->table ? print_table : print_plot)(&s);
    free(s.points);
    wet_place_free(&s.place);
    return wet_close(o, s.f, status);
}
