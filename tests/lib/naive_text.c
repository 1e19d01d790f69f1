/* SPDX-License-Identifier: MIT */
#include "tests/lib/naive_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

naive_line *naive_text;
bool *naive_starts;

naive_line *naive_line_at(uint32_t pc)
{
    return pc / 2 < NAIVE_PC_MAX ? &naive_text[pc / 2] : &naive_text[NAIVE_PC_MAX];
}

static void read_disassembly(const char *elf)
{
    char command[600], line[400];
    snprintf(command, sizeof command, "arm-none-eabi-objdump -d %s", elf);
    FILE *in = popen(command, "r");
    while (in && fgets(line, sizeof line, in)) {
        unsigned pc, used = 0;
        char raw[16] = "", rest[300] = "";
        if (sscanf(line, " %x:\t%15[0-9a-f ]\t%n", &pc, raw, &used) < 2 || !used || pc / 2 >= NAIVE_PC_MAX)
            continue;
        snprintf(rest, sizeof rest, "%s", line + used);
        naive_line *t = naive_line_at(pc);
        rest[strcspn(rest, "\n;@<")] = 0;
        char *tab = strchr(rest, '\t');
        snprintf(t->operands, sizeof t->operands, "%s", tab ? tab + 1 : "");
        if (tab)
            *tab = 0;
        snprintf(t->name, sizeof t->name, "%.15s", rest);
        t->name[strcspn(t->name, " ")] = 0;
        t->size = raw[4] == ' ' && raw[5] != ' ' && raw[5] ? 4 : 2;
        t->known = t->name[0] && t->name[0] != '.';
    }
    if (in)
        pclose(in);
}

static void read_procedures(const char *elf)
{
    char command[600], line[400], type[32], section[32];
    unsigned address, size;
    snprintf(command, sizeof command, "arm-none-eabi-readelf -sW %s", elf);
    FILE *in = popen(command, "r");
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, " %*d: %x %i %31s %*s %*s %31s", &address, (int *)&size, type, section) == 4 &&
            !strcmp(type, "FUNC") && strcmp(section, "UND") && address / 2 < NAIVE_PC_MAX)
            naive_starts[address / 2] = true;
    if (in)
        pclose(in);
}

/* ---- what an instruction reads, from its text ---- */

static int register_number(const char *s, size_t n)
{
    static const char *const names[] = {"sl", "fp", "ip", "sp", "lr", "pc"};
    static const int numbers[] = {10, 11, 12, 13, 14, 16};
    for (int i = 0; i < 6; i++)
        if (n == 2 && !strncmp(s, names[i], 2))
            return numbers[i];
    if (n >= 2 && n <= 3 && s[0] == 'r' && s[1] >= '0' && s[1] <= '9')
        return atoi(s + 1) == 13 ? 13 : atoi(s + 1);
    return -1;
}

/* The registers of a text, in order. */
static int registers_in(const char *s, int list[32])
{
    int count = 0;
    while (*s && count < 30) {
        size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789");
        int reg = n ? register_number(s, n) : -1;
        if (reg >= 0) {
            list[count++] = reg;
            s += n;
            if (*s == '-' && s[1] == 'r') { /* r4-r7 */
                int last = atoi(s + 2);
                while (reg < last && count < 30)
                    list[count++] = ++reg;
                s += 1 + strspn(s + 1, "r0123456789");
            }
            continue;
        }
        s += n ? n : 1;
    }
    return count;
}

bool naive_begins(const char *s, const char *with)
{
    return !strncmp(s, with, strlen(with));
}

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

static bool reads_first_operand(const char *name, int operands)
{
    if (is_one_of(name, " cmp cmn tst teq cbz cbnz bx blx bfi bfc movt smlal umlal umaal tbb tbh "))
        return true;
    if (is_one_of(name, " mov movs movw mvn mvns uxtb uxth sxtb sxth clz rev rev16 rbit adr neg negs mrs "))
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
        r->moved_count = registers_in(brace, r->moved);
        snprintf(part, sizeof part, "%.*s", (int)(brace - t->operands), t->operands);
        r->base = registers_in(part, list) ? list[0] : 13;
        r->address = UINT64_C(1) << r->base;
    } else if (bracket) {
        snprintf(part, sizeof part, "%.*s", (int)(bracket - t->operands), t->operands);
        r->moved_count = registers_in(part, r->moved);
        r->multiple = r->moved_count == 2;
        snprintf(part, sizeof part, "%s", bracket);
        int count = registers_in(part, list);
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
    int list[32], count = registers_in(t->operands, list);
    plain_name(t, condition, name);
    if (condition < 14)
        r.all |= 1 << NAIVE_FLAGS;
    if (is_one_of(name, " tbb tbh ")) {
        r.load = true;
        r.base = -1;
        r.all |= mask_of(list, 0, count);
        return r;
    }
    if (naive_begins(name, "ld") || naive_begins(name, "st") || naive_begins(name, "push") ||
        naive_begins(name, "pop")) {
        reads_memory(t, name, &r);
        return r;
    }
    if (is_one_of(name, " adc adcs sbc sbcs rrx rrxs "))
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

void naive_text_read(const char *elf)
{
    naive_text = calloc(NAIVE_PC_MAX + 1, sizeof *naive_text);
    naive_starts = calloc(NAIVE_PC_MAX + 1, 1);
    read_disassembly(elf);
    read_procedures(elf);
}
