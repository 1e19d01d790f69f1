/* SPDX-License-Identifier: MIT */
#include "tests/lib/naive_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

naive_line *naive_text;
bool *naive_starts;

static uint32_t base;

uint32_t naive_place(uint32_t pc)
{
    return pc >= base && (pc - base) / 2 < NAIVE_PC_MAX ? (pc - base) / 2 : NAIVE_PC_MAX;
}

uint32_t naive_pc(uint32_t place)
{
    return base + 2 * place;
}

naive_line *naive_line_at(uint32_t pc)
{
    return &naive_text[naive_place(pc)];
}

/* The 512 KB with the program's entry. */
static void read_base(const char *elf)
{
    char command[600], line[400];
    snprintf(command, sizeof command, "arm-none-eabi-readelf -h %s", elf);
    FILE *in = popen(command, "r");
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, " Entry point address: %x", &base) == 1)
            base &= ~(2u * NAIVE_PC_MAX - 1);
    if (in)
        pclose(in);
}

static void read_disassembly(const char *elf)
{
    char command[600], line[400];
    snprintf(command, sizeof command, "arm-none-eabi-objdump -d %s", elf);
    FILE *in = popen(command, "r");
    while (in && fgets(line, sizeof line, in)) {
        unsigned pc, used = 0;
        char raw[16] = "", rest[300] = "";
        if (sscanf(line, " %x:\t%15[0-9a-f ]\t%n", &pc, raw, &used) < 2 || !used || naive_place(pc) == NAIVE_PC_MAX)
            continue;
        snprintf(rest, sizeof rest, "%s", line + used);
        naive_line *t = naive_line_at(pc);
        if (strstr(rest, "(mov r8, r8)")) /* what objdump calls a nop */
            snprintf(rest, sizeof rest, "mov\tr8, r8");
        rest[strcspn(rest, "\n;@<")] = 0;
        char *tab = strchr(rest, '\t');
        snprintf(t->operands, sizeof t->operands, "%s", tab ? tab + 1 : "");
        if (tab)
            *tab = 0;
        snprintf(t->name, sizeof t->name, "%.15s", rest);
        t->name[strcspn(t->name, " ")] = 0;
        if (!strncmp(t->name, "orrs", 4) && strstr(t->operands, ", pc")) /* objdump does not know this one */
            strcpy(t->name, "lsll");
        t->size = raw[4] == ' ' && raw[5] != ' ' && raw[5] ? 4 : 2;
        t->known = t->name[0] && t->name[0] != '.';
    }
    if (in)
        pclose(in);
}

/* GCC for ARMv6-M jumps within a large function by bl. */
static void find_far_jumps(unsigned from, unsigned size)
{
    for (unsigned pc = from; pc < from + size; pc += 2) {
        naive_line *t = naive_line_at(pc);
        unsigned target = (unsigned)strtoul(t->operands, NULL, 16);
        if (!strcmp(t->name, "bl") && target > from && target < from + size)
            t->name[1] = 0;
    }
}

static void read_procedures(const char *elf)
{
    char command[600], line[400], type[32], section[32];
    unsigned address, size;
    snprintf(command, sizeof command, "arm-none-eabi-readelf -sW %s", elf);
    FILE *in = popen(command, "r");
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, " %*d: %x %i %31s %*s %*s %31s", &address, (int *)&size, type, section) == 4 &&
            !strcmp(type, "FUNC") && strcmp(section, "UND") && naive_place(address) < NAIVE_PC_MAX) {
            naive_starts[naive_place(address)] = true;
            find_far_jumps(address & ~1u, size);
        }
    if (in)
        pclose(in);
}

/* ---- operands ---- */

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

/* The rest of a range such as r4-r7, after its first register. Returns where the text goes on. */
static const char *range_of(const char *s, int reg, int list[32], int *count)
{
    if (*s != '-' || s[1] != 'r')
        return s;
    int last = atoi(s + 2);
    while (reg < last && *count < 30)
        list[(*count)++] = ++reg;
    return s + 1 + strspn(s + 1, "r0123456789");
}

/* The registers of a text, in order. */
int naive_registers_in(const char *s, int list[32])
{
    int count = 0;
    while (*s && count < 30) {
        size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789");
        int reg = n ? register_number(s, n) : -1;
        s += n ? n : 1;
        if (reg < 0)
            continue;
        list[count++] = reg;
        s = range_of(s, reg, list, &count);
    }
    return count;
}

bool naive_begins(const char *s, const char *with)
{
    return !strncmp(s, with, strlen(with));
}

void naive_text_read(const char *elf)
{
    naive_text = calloc(NAIVE_PC_MAX + 1, sizeof *naive_text);
    naive_starts = calloc(NAIVE_PC_MAX + 1, 1);
    read_base(elf);
    read_disassembly(elf);
    read_procedures(elf);
}
