/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/event_text.h"

#include <stdio.h>
#include <string.h>

typedef struct conversion {
    bool left, zero;
    int width;
    char kind;
} conversion;

/* What stands after a percent sign; returns where it ends. kind 0: nothing that is known. */
static const char *conversion_read(const char *at, conversion *c)
{
    *c = (conversion){0};
    for (; *at == '-' || *at == '0'; at++)
        *(*at == '-' ? &c->left : &c->zero) = true;
    for (int digits = 0; *at >= '0' && *at <= '9' && digits < 2; at++, digits++)
        c->width = c->width * 10 + (*at - '0');
    while (*at == 'l' || *at == 'h')
        at++;
    if (*at && strchr("diuxXocp%", *at))
        c->kind = *at++;
    return at;
}

static int number(char *text, size_t size, char kind, uint32_t value)
{
    switch (kind) {
    case 'd':
    case 'i':
        return snprintf(text, size, "%ld", (long)(int32_t)value);
    case 'x':
        return snprintf(text, size, "%lx", (unsigned long)value);
    case 'X':
        return snprintf(text, size, "%lX", (unsigned long)value);
    case 'o':
        return snprintf(text, size, "%lo", (unsigned long)value);
    case 'c':
        return snprintf(text, size, "%c", value >= ' ' && value < 127 ? (int)value : '?');
    default:
        return snprintf(text, size, "%lu", (unsigned long)value);
    }
}

/* Zeros go between the sign and the digits. */
static size_t put(char *text, size_t size, const conversion *c, uint32_t value)
{
    char digits[16];
    int length = number(digits, sizeof digits, c->kind, value);
    int gap = c->width > length ? c->width - length : 0;
    bool zero = c->zero && !c->left && c->kind != 'c', sign = zero && digits[0] == '-';
    int written = c->left ? snprintf(text, size, "%s%*s", digits, gap, "")
                  : zero  ? snprintf(text, size, "%s%0*d%s", sign ? "-" : "", gap, 0, digits + sign)
                          : snprintf(text, size, "%*s%s", gap, "", digits);
    if (zero && gap == 0)
        written = snprintf(text, size, "%s", digits);
    return (size_t)written < size ? (size_t)written : size - 1;
}

static size_t put_place(char *text, size_t size, const image_symbols *symbols, uint32_t address)
{
    uint32_t offset = 0;
    const image_symbol *object = symbols ? image_object(symbols, address, &offset) : NULL;
    int written = !object  ? snprintf(text, size, "0x%08lx", (unsigned long)address)
                  : offset ? snprintf(text, size, "%s+%lu", object->name, (unsigned long)offset)
                           : snprintf(text, size, "%s", object->name);
    return (size_t)written < size ? (size_t)written : size - 1;
}

bool event_text(char text[EVENT_TEXT_MAX], const char *name, const uint32_t *values, uint32_t count,
                const image_symbols *symbols)
{
    char made[EVENT_TEXT_MAX];
    size_t size = 0;
    uint32_t used = 0;
    conversion c;
    while (*name && size + 1 < sizeof made) {
        if (*name != '%') {
            made[size++] = *name++;
            continue;
        }
        name = conversion_read(name + 1, &c);
        if (c.kind == '%')
            made[size++] = '%';
        else if (!c.kind || used == count)
            return false;
        else if (c.kind == 'p')
            size += put_place(made + size, sizeof made - size, symbols, values[used++]);
        else
            size += put(made + size, sizeof made - size, &c, values[used++]);
    }
    if (!used || used != count)
        return false;
    memcpy(text, made, size);
    text[size] = 0;
    return true;
}
