/* SPDX-License-Identifier: MIT */
#include "tests/lib/naive_reads.h"

#include <stdio.h>
#include <string.h>

#include "tests/lib/naive_floats.h"

static bool is_one_of(const char *name, const char *list)
{
    char word[24];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(list, word) != NULL;
}

/* The name without .w or .n, without the IT condition, and without the s that sets flags (unless the name itself
 * ends in s). */
static void plain_name(const naive_line *t, int condition, char out[16])
{
    static const char *const conditions[] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs",
                                             "vc", "hi", "ls", "ge", "lt", "gt", "le"};
    snprintf(out, 16, "%s", t->name);
    out[strcspn(out, ".")] = 0;
    size_t n = strlen(out);
    if (condition < 14 && n > 2 &&
        (!strcmp(out + n - 2, conditions[condition]) || (condition == 2 && !strcmp(out + n - 2, "hs")) ||
         (condition == 3 && !strcmp(out + n - 2, "lo"))))
        out[n - 2] = 0;
}

/* csel r0, r1, r2, eq; cset r0, eq: by the flags. */
static bool is_select(const char *name)
{
    return is_one_of(name, " csel csinc csinv csneg cset csetm cinc cinv cneg ");
}

static bool reads_first_operand(const char *name, int operands)
{
    if (naive_begins(name, "smlal") || naive_begins(name, "smlsl"))
        return true;
    if (is_one_of(name,
                  " cmp cmn tst teq cbz cbnz bx blx pld le lsll lsrl asrl bfi bfc movt smlal umlal umaal tbb tbh "))
        return true;
    if (is_one_of(name,
                  " mov movs movw mvn mvns uxtb uxth sxtb sxth clz rev rev16 rbit adr neg negs mrs tt ttt tta ttat "))
        return false;
    return operands == 2; /* adds r0, r1 */
}

static int operand_count(const char *s)
{
    int count = *s != 0, depth = 0;
    for (; *s; s++) {
        depth += (*s == '[' || *s == '{') - (*s == ']' || *s == '}');
        count += *s == ',' && !depth;
    }
    return count;
}

static uint64_t mask_of(const int *list, int from, int count)
{
    uint64_t mask = 0;
    for (int i = from; i < count; i++)
        if (list[i] < 15)
            mask |= UINT64_C(1) << list[i];
    return mask;
}

static void reads_memory(const naive_line *t, const char *name, naive_reads *r)
{
    int list[32];
    const char *bracket = strchr(t->operands, '['), *brace = strchr(t->operands, '{');
    char part[NAIVE_TEXT_MAX];
    r->load = naive_begins(name, "ld") || naive_begins(name, "pop");
    r->store = naive_begins(name, "st") || naive_begins(name, "push");
    if (brace) { /* push, pop, ldm, stm */
        r->multiple = true;
        r->moved_count = naive_registers_in(brace, r->moved);
        snprintf(part, sizeof part, "%.*s", (int)(brace - t->operands), t->operands);
        r->base = naive_registers_in(part, list) ? list[0] : 13;
        r->address = UINT64_C(1) << r->base;
    } else if (bracket) {
        snprintf(part, sizeof part, "%.*s", (int)(bracket - t->operands), t->operands);
        r->moved_count = naive_registers_in(part, r->moved);
        if (naive_begins(name, "strex") || naive_begins(name, "stlex")) /* the first one gets whether it stored */
            r->moved[0] = r->moved[--r->moved_count];
        r->multiple = r->moved_count == 2;
        snprintf(part, sizeof part, "%s", bracket);
        int count = naive_registers_in(part, list);
        r->base = count ? list[0] : -1;
        r->address = mask_of(list, 0, count);
    }
    r->all |= r->address;
    if (r->store)
        r->all |= mask_of(r->moved, 0, r->moved_count);
}

naive_reads naive_reads_of(const naive_line *t, int condition)
{
    naive_reads r = {.base = -1};
    char name[16];
    int list[32], count = naive_registers_in(t->operands, list);
    plain_name(t, condition, name);
    if (condition < 14)
        r.all |= 1 << NAIVE_FLAGS;
    if (is_one_of(name, " tbb tbh ")) {
        r.load = true;
        r.base = -1;
        r.all |= mask_of(list, 0, count);
        return r;
    }
    if (name[0] == 'v') {
        naive_reads_floats(t, name, &r);
        return r;
    }
    if (naive_begins(name, "ld") || naive_begins(name, "st") || naive_begins(name, "push") ||
        naive_begins(name, "pop")) {
        reads_memory(t, name, &r);
        return r;
    }
    if (is_one_of(name, " adc adcs sbc sbcs rrx rrxs sel ") || is_select(name))
        r.all |= 1 << NAIVE_FLAGS;
    if (name[0] == 'b' && strlen(name) == 3 && strcmp(name, "bfi") && strcmp(name, "bfc") && strcmp(name, "bic") &&
        strcmp(name, "blx")) /* beq ... */
        r.all |= 1 << NAIVE_FLAGS;
    if (!strcmp(name, "bkpt"))
        r.all |= 3;
    if (!strcmp(name, "mrs") && (strstr(t->operands, "PSR") || strstr(t->operands, "psr")))
        r.all |= strstr(t->operands, "IPSR") ? 0 : 1 << NAIVE_FLAGS;
    int first = 1;
    if (is_one_of(name, " umull smull "))
        first = 2;
    if (reads_first_operand(name, operand_count(t->operands)) || naive_begins(name, "msr"))
        first = 0;
    r.all |= mask_of(list, first, count);
    return r;
}
