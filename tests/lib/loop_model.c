/* SPDX-License-Identifier: MIT */
#include "tests/lib/loop_model.h"

#include <stdbool.h>
#include <string.h>

#include "core/bytes.h"

typedef struct term {
    uint32_t symbol, count;
    const struct term *body; /* NULL: a run */
    size_t terms;
} term;

enum { TERMS_MAX = 1 << 16, ARENA_MAX = 1 << 20 };

static struct {
    term closed[TERMS_MAX];
    size_t count, first; /* those before `first` have left the window */
    term rest[TERMS_MAX];
    size_t rest_first, rest_count;
    term open;
    bool is_open;
    uint64_t passed; /* symbols of the open loop's next iteration */
    term arena[ARENA_MAX];
    size_t used;
    uint32_t window, depth_max;
} m;

/* A run of two small symbols is written as two symbols. */
static bool is_pair(const term *t)
{
    return !t->body && t->count == 2 && t->symbol < 64;
}

static uint64_t length_of_all(const term *terms, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += terms[i].count * (terms[i].body ? length_of_all(terms[i].body, terms[i].terms) : 1);
    return sum;
}

static uint32_t depth_of(const term *t)
{
    uint32_t deepest = 0;
    for (size_t i = 0; i < t->terms; i++)
        if (depth_of(&t->body[i]) > deepest)
            deepest = depth_of(&t->body[i]);
    return deepest + (t->count > 1 && !is_pair(t));
}

static bool equal(const term *a, const term *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].symbol != b[i].symbol || a[i].count != b[i].count || a[i].terms != b[i].terms ||
            !equal(a[i].body, b[i].body, a[i].terms))
            return false;
    return true;
}

static uint32_t symbol_at(const term *terms, uint64_t at)
{
    for (;; terms++) {
        uint64_t once = terms->body ? length_of_all(terms->body, terms->terms) : 1;
        if (at < once * terms->count)
            return terms->body ? symbol_at(terms->body, at % once) : terms->symbol;
        at -= once * terms->count;
    }
}

/* Step 2. */
static void append(term t)
{
    m.closed[m.count++] = t;
    if (m.count - m.first > m.window)
        m.first = m.count - m.window;
    for (size_t b = 2; 2 * b <= m.count - m.first; b++) {
        const term *body = &m.closed[m.count - b];
        if (!equal(body - b, body, b))
            continue;
        term loop = {.count = 2, .body = body, .terms = b};
        if (depth_of(&loop) > m.depth_max)
            return;
        loop.body = memcpy(&m.arena[m.used], body, b * sizeof *body);
        m.used += b;
        m.count -= 2 * b;
        m.open = loop;
        m.is_open = true;
        m.passed = 0;
        return;
    }
}

/* Step 4: adds the first `passed` symbols of a body, as they are written: two small symbols instead of a run of
 * them. */
static void add_rest(const term *terms, size_t count, uint64_t passed)
{
    for (; count && passed; terms++, count--) {
        uint64_t once = terms->body ? length_of_all(terms->body, terms->terms) : 1, times = passed / once;
        term t = *terms;
        if (times > t.count)
            times = t.count;
        passed -= times * once;
        bool whole = times == t.count;
        t.count = (uint32_t)times;
        if (is_pair(&t)) {
            t.count = 1;
            m.rest[m.rest_count++] = t;
            m.rest[m.rest_count++] = t;
        } else if (times > 1 || (times && !t.body)) {
            m.rest[m.rest_count++] = t;
        } else if (times) {
            add_rest(t.body, t.terms, once);
        }
        if (whole)
            continue;
        if (t.body)
            add_rest(t.body, t.terms, passed);
        return;
    }
}

static void close(void)
{
    term t = m.open;
    m.is_open = false;
    if (t.body)
        add_rest(t.body, t.terms, m.passed);
    m.passed = 0;
    append(t);
    if (m.is_open || m.rest_first == m.rest_count)
        return;
    m.open = m.rest[m.rest_first++];
    m.is_open = true;
    const term *next = &m.rest[m.rest_first];
    if (!m.open.body && m.open.count == 1 && m.open.symbol < 64 && m.rest_first < m.rest_count &&
        equal(&m.open, next, 1)) {
        m.open.count = 2;
        m.rest_first++;
    }
}

static bool goes_on(uint32_t symbol)
{
    if (!m.open.body) {
        m.open.count += symbol == m.open.symbol;
        return symbol == m.open.symbol;
    }
    if (symbol_at(m.open.body, m.passed) != symbol)
        return false;
    if (++m.passed == length_of_all(m.open.body, m.open.terms)) {
        m.passed = 0;
        m.open.count++;
    }
    return true;
}

static void put(weft_writer *out, const term *terms, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const term *t = &terms[i];
        size_t written = t->body ? t->terms : 1;
        for (size_t j = 0; j < t->terms; j++)
            written += is_pair(&t->body[j]);
        if (t->count > 1 && !is_pair(t)) {
            weft_write_varint64(out, (uint64_t)written << 1 | 1);
            weft_write_varint(out, t->count);
        }
        if (t->body)
            put(out, t->body, t->terms);
        else
            weft_write_varint64(out, (uint64_t)t->symbol << 1);
        if (is_pair(t))
            weft_write_varint64(out, (uint64_t)t->symbol << 1);
    }
}

size_t loop_model(uint8_t *out, size_t out_max, const uint32_t *symbols, size_t size, uint32_t window,
                  uint32_t depth_max)
{
    weft_writer writer;
    m.count = m.first = m.rest_first = m.rest_count = m.used = 0;
    m.is_open = false;
    m.window = window;
    m.depth_max = depth_max;
    for (size_t i = 0; i < size; i++) {
        while (m.is_open && (m.rest_first != m.rest_count || !goes_on(symbols[i])))
            close();
        m.rest_first = m.rest_count = 0;
        if (!m.is_open) {
            m.open = (term){.symbol = symbols[i], .count = 1};
            m.is_open = true;
        }
        if (m.count > TERMS_MAX - window || m.used > ARENA_MAX - window)
            return 0;
    }
    while (m.is_open)
        close();
    weft_writer_init(&writer, out, out_max);
    put(&writer, m.closed, m.count);
    return writer.status == WEFT_OK ? writer.size : 0;
}
