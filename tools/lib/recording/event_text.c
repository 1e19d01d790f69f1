/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/event_text.h"

#include <stdio.h>
#include <string.h>

#define FLAGS "-0+ #"

typedef struct conversion {
    char flags[sizeof FLAGS];
    int width, precision; /* precision -1: none */
    unsigned halves;      /* h: 16 bits; hh: 8 */
    char kind;
} conversion;

static const char *read_small(const char *at, int *number)
{
    *number = 0;
    for (int digits = 0; *at >= '0' && *at <= '9' && digits < 2; at++, digits++)
        *number = *number * 10 + (*at - '0');
    return at;
}

/* What stands after a percent sign; returns where it ends. kind 0: nothing that is known. */
static const char *conversion_read(const char *at, conversion *c)
{
    *c = (conversion){.precision = -1};
    for (; *at && strchr(FLAGS, *at); at++)
        if (!strchr(c->flags, *at))
            c->flags[strlen(c->flags)] = *at;
    at = read_small(at, &c->width);
    if (*at == '.')
        at = read_small(at + 1, &c->precision);
    for (; *at && strchr("lhzjt", *at); at++)
        c->halves += *at == 'h';
    if (*at && strchr("diuxXocp%", *at))
        c->kind = *at++;
    return at;
}

/* As printf would, by a format of the flags that mean something for this kind. */
static size_t put(char *text, size_t size, const conversion *c, uint32_t value)
{
    const char *meaning = c->kind == 'c' ? "-" : strchr("di", c->kind) ? "-0+ " : c->kind == 'u' ? "-0" : "-0#";
    char format[sizeof FLAGS + 8] = "%";
    for (const char *flag = c->flags; *flag; flag++)
        if (strchr(meaning, *flag))
            format[strlen(format)] = *flag;
    strcat(format, c->kind == 'c' ? "*" : "*.*");
    format[strlen(format)] = c->kind;
    int written;
    if (c->kind == 'c')
        written = snprintf(text, size, format, c->width, value >= ' ' && value < 127 ? (int)value : '?');
    else if (c->kind == 'd' || c->kind == 'i')
        written = snprintf(text, size, format, c->width, c->precision,
                           c->halves == 0   ? (int32_t)value
                           : c->halves == 1 ? (int16_t)value
                                            : (int8_t)value);
    else
        written = snprintf(text, size, format, c->width, c->precision,
                           c->halves == 0   ? value
                           : c->halves == 1 ? (uint16_t)value
                                            : (uint8_t)value);
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
