/* SPDX-License-Identifier: MIT */
/* The grammar of the text, one nest after the other:
 *
 *     nest   = [ "while (n++ < " COUNT ")" ] { "for (i" N " = " bound "; i" N " <= " bound "; i" N "++)" }
 *              "access(" sum {"," sum} ");"
 *     bound  = term | "max(" term {"," term} ")" | "min(" ... ")"
 *     term   = sum | "floord(" sum "," number ")" | "ceild(" sum "," number ")"
 *     sum    = [ "-" ] product { ("+" | "-") product };  product = number [ "*" "i" N ] | "i" N
 *
 * White space is free; a line from "//" on is a comment. "while (n++ < COUNT)" before the loops: only the first COUNT
 * points count. Several values in access(): they follow one another (a raw run). */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/affine/text.h"
#include "tools/lib/base/memory.h"

/* ---- writing ---- */

static void print_product(FILE *file, int64_t factor, unsigned l, bool *first)
{
    if (!factor)
        return;
    uint64_t size = factor < 0 ? 0 - (uint64_t)factor : (uint64_t)factor;
    fputs(*first ? (factor < 0 ? "-" : "") : factor < 0 ? " - " : " + ", file);
    if (size != 1)
        fprintf(file, "%" PRIu64 "*", size);
    fprintf(file, "i%u", l + 1);
    *first = false;
}

static void print_constant(FILE *file, int64_t value, bool first)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (first)
        fprintf(file, "%" PRId64, value);
    else if (value)
        fprintf(file, " %c %" PRIu64, value < 0 ? '-' : '+', size);
}

static void print_face(FILE *file, const affine_face *face, unsigned outer, const char *rounding)
{
    bool first = true;
    if (face->divisor != 1)
        fprintf(file, "%s(", rounding);
    for (unsigned l = 0; l < outer; l++)
        print_product(file, face->slope[l], l, &first);
    print_constant(file, face->constant, first);
    if (face->divisor != 1)
        fprintf(file, ", %" PRId64 ")", face->divisor);
}

static void print_bound(FILE *file, const affine_face *face, unsigned faces, unsigned outer, bool upper)
{
    if (!faces)
        fputc('0', file);
    if (faces > 1)
        fputs(upper ? "min(" : "max(", file);
    for (unsigned f = 0; f < faces; f++) {
        fputs(f ? ", " : "", file);
        print_face(file, &face[f], outer, upper ? "floord" : "ceild");
    }
    if (faces > 1)
        fputc(')', file);
}

static void print_value(int64_t value, bool address, FILE *file)
{
    if (address && value >= 0)
        fprintf(file, "0x%08" PRIx64, (uint64_t)value);
    else
        fprintf(file, "%" PRId64, value);
}

static void print_raw(const affine_nest *nest, bool addresses, FILE *file)
{
    for (uint64_t i = 0; i < nest->accesses; i++) {
        fputs(!i ? "" : i % 8 ? ", " : ",\n       ", file);
        print_value(nest->raw[i], addresses, file);
    }
}

static void print_access(const affine_nest *nest, bool addresses, FILE *file)
{
    bool first = !nest->base && nest->depth, none = true;
    fputs("access(", file);
    if (nest->raw) {
        print_raw(nest, addresses, file);
    } else {
        for (unsigned l = 0; l < nest->depth; l++)
            none = none && !nest->level[l].coefficient;
        if (none || !first) {
            print_value(nest->base, addresses, file);
            first = false;
        }
        for (unsigned l = 0; l < nest->depth; l++)
            print_product(file, nest->level[l].coefficient, l, &first);
    }
    fputs(");\n", file);
}

static void print_nest(const affine_nest *nest, bool addresses, FILE *file)
{
    fprintf(file, "// depth %u, %" PRIu64 " accesses\n", nest->depth, nest->accesses);
    if (!nest->whole)
        fprintf(file, "while (n++ < %" PRIu64 ")\n", nest->accesses);
    for (unsigned l = 0; l < nest->depth; l++) {
        const affine_level *level = &nest->level[l];
        fprintf(file, "%*sfor (i%u = ", 2 * (int)l, "", l + 1);
        print_bound(file, level->lower, level->lowers, l, false);
        fprintf(file, "; i%u <= ", l + 1);
        print_bound(file, level->upper, level->uppers, l, true);
        fprintf(file, "; i%u++)\n", l + 1);
    }
    fprintf(file, "%*s", 2 * (int)nest->depth, "");
    print_access(nest, addresses, file);
}

void affine_print(const affine_nest *nest, FILE *file)
{
    print_nest(nest, false, file);
}

void affine_print_addresses(const affine_nest *nest, FILE *file)
{
    print_nest(nest, true, file);
}

/* ---- reading ---- */

typedef struct parser {
    FILE *file;
    int next;
    unsigned long line;
    const char *wrong;
} parser;

static void bump(parser *p)
{
    p->line += p->next == '\n';
    p->next = getc(p->file);
}

static void skip_space(parser *p)
{
    while (isspace(p->next) || p->next == '/') {
        if (p->next == '/') {
            bump(p);
            if (p->next != '/') {
                p->wrong = "a lone '/'";
                return;
            }
            while (p->next != '\n' && p->next != EOF)
                bump(p);
        } else {
            bump(p);
        }
    }
}

static bool fail(parser *p, const char *wrong)
{
    if (!p->wrong)
        p->wrong = wrong;
    return false;
}

static bool take_char(parser *p, int c)
{
    skip_space(p);
    if (p->next != c)
        return false;
    bump(p);
    return true;
}

/* The characters of `text`, white space between them ignored. */
static bool expect(parser *p, const char *text)
{
    for (; *text; text++)
        if (*text != ' ' && !take_char(p, (unsigned char)*text))
            return fail(p, "this is not a loop nest");
    return true;
}

static unsigned digit_of(int character)
{
    return isdigit(character) ? (unsigned)(character - '0') : (unsigned)(tolower(character) - 'a' + 10);
}

/* Decimal, or hexadecimal after 0x. */
static bool parse_unsigned(parser *p, uint64_t *value)
{
    unsigned base = 10;
    skip_space(p);
    if (!isdigit(p->next))
        return fail(p, "a number is missing");
    *value = digit_of(p->next);
    bump(p);
    if (!*value && (p->next == 'x' || p->next == 'X')) {
        base = 16;
        bump(p);
        if (!isxdigit(p->next))
            return fail(p, "a number is missing");
    }
    for (; base == 16 ? isxdigit(p->next) : isdigit(p->next); bump(p))
        if (__builtin_mul_overflow(*value, base, value) || __builtin_add_overflow(*value, digit_of(p->next), value))
            return fail(p, "a number leaves 64 bits");
    return true;
}

static bool parse_index(parser *p, unsigned outer, unsigned *l)
{
    uint64_t number;
    bump(p); /* the letter i */
    if (!parse_unsigned(p, &number) || number < 1 || number > outer)
        return fail(p, "an index that is not of an outer loop");
    *l = (unsigned)number - 1;
    return true;
}

static bool add_checked(parser *p, int64_t *sum, uint64_t size, bool negative)
{
    affine_wide value = negative ? *sum - (affine_wide)size : *sum + (affine_wide)size;
    *sum = (int64_t)value;
    return value == (int64_t)value || fail(p, "a number leaves 64 bits");
}

static bool parse_product(parser *p, affine_face *face, unsigned outer, bool negative)
{
    uint64_t factor = 1;
    unsigned l;
    skip_space(p);
    if (p->next != 'i') {
        if (!parse_unsigned(p, &factor))
            return false;
        if (!take_char(p, '*'))
            return add_checked(p, &face->constant, factor, negative);
        skip_space(p);
        if (p->next != 'i')
            return fail(p, "an index is missing");
    }
    return parse_index(p, outer, &l) && add_checked(p, &face->slope[l], factor, negative);
}

static bool parse_sum(parser *p, affine_face *face, unsigned outer)
{
    memset(face, 0, sizeof *face);
    face->divisor = 1;
    bool negative = take_char(p, '-');
    for (;;) {
        if (!parse_product(p, face, outer, negative))
            return false;
        negative = take_char(p, '-');
        if (!negative && !take_char(p, '+'))
            return true;
    }
}

static bool parse_term(parser *p, affine_face *face, unsigned outer, bool upper)
{
    skip_space(p);
    if (p->next != (upper ? 'f' : 'c'))
        return parse_sum(p, face, outer);
    uint64_t divisor;
    if (!expect(p, upper ? "floord(" : "ceild(") || !parse_sum(p, face, outer) || !expect(p, ",") ||
        !parse_unsigned(p, &divisor) || !expect(p, ")"))
        return false;
    if (divisor < 1 || divisor > INT64_MAX)
        return fail(p, "a divisor below 1");
    face->divisor = (int64_t)divisor;
    return true;
}

static bool parse_bound(parser *p, affine_face *face, unsigned *faces, unsigned outer, bool upper)
{
    *faces = 0;
    skip_space(p);
    bool many = p->next == 'm';
    if (many && !expect(p, upper ? "min(" : "max("))
        return false;
    do {
        if (*faces == AFFINE_FACES)
            return fail(p, "too many faces");
        if (!parse_term(p, &face[*faces], outer, upper))
            return false;
        ++*faces;
    } while (many && take_char(p, ','));
    return !many || expect(p, ")");
}

/* The next character is the f of "for". */
static bool parse_for(parser *p, affine_nest *nest)
{
    unsigned l = nest->depth;
    unsigned index;
    if (l == AFFINE_DEPTH)
        return fail(p, "too many loops in one nest");
    affine_level *level = &nest->level[l];
    if (!expect(p, "for(") || p->next != 'i' || !parse_index(p, l + 1, &index) || index != l || !expect(p, "=") ||
        !parse_bound(p, level->lower, &level->lowers, l, false) || !expect(p, ";i") ||
        !parse_unsigned(p, &(uint64_t){0}) || !expect(p, "<=") ||
        !parse_bound(p, level->upper, &level->uppers, l, true) || !expect(p, ";i") ||
        !parse_unsigned(p, &(uint64_t){0}) || !expect(p, "++)"))
        return fail(p, "this is not a loop");
    nest->depth++;
    return true;
}

static bool parse_values(parser *p, affine_nest *nest)
{
    size_t room = 0;
    affine_face sum;
    do {
        if (!parse_sum(p, &sum, 0))
            return false;
        nest->raw = memory_room(nest->raw, nest->accesses, &room, sizeof *nest->raw);
        nest->raw[nest->accesses++] = sum.constant;
    } while (take_char(p, ','));
    nest->base = nest->raw[0];
    nest->whole = true;
    return true;
}

static bool parse_nest(parser *p, affine_nest *nest)
{
    bool limited = take_char(p, 'w');
    affine_face sum;
    if (limited && (!expect(p, "hile(n++<") || !parse_unsigned(p, &nest->accesses) || !expect(p, ")")))
        return false;
    for (skip_space(p); p->next == 'f'; skip_space(p))
        if (!parse_for(p, nest))
            return false;
    if (!expect(p, "access("))
        return false;
    if (!nest->depth) {
        nest->accesses = 0;
        return parse_values(p, nest) && expect(p, ");");
    }
    if (!parse_sum(p, &sum, nest->depth))
        return false;
    nest->base = sum.constant;
    for (unsigned l = 0; l < nest->depth; l++)
        nest->level[l].coefficient = sum.slope[l];
    nest->whole = !limited;
    if (!limited)
        nest->accesses = UINT64_MAX;
    return expect(p, ");");
}

bool affine_parse(FILE *file, bool (*take)(void *context, affine_nest *nest), void *context, char error[160])
{
    parser p = {.file = file, .next = getc(file), .line = 1};
    for (;;) {
        skip_space(&p);
        if (p.next == EOF && !p.wrong)
            return true;
        affine_nest nest = {0};
        nest.level = calloc(AFFINE_DEPTH, sizeof *nest.level);
        if (!nest.level || p.wrong || !parse_nest(&p, &nest)) {
            snprintf(error, 160, "line %lu: %s", p.line, p.wrong ? p.wrong : "out of memory");
            affine_nest_free(&nest);
            return false;
        }
        if (!take(context, &nest)) {
            snprintf(error, 160, "line %lu: the nest does not give all its accesses in 64 bits", p.line);
            return false;
        }
    }
}
