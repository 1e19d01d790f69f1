/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/monitor_choose.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

static void help(const monitor_command *commands, FILE *out)
{
    for (const monitor_command *c = commands; c->name; c++)
        if (c->does)
            fprintf(out, "monitor weft %s\n", c->does);
    fputs("PLACE: an object, OBJECT+N, table[2].member, an address, a register, FILE:LINE, a function\n", out);
}

/* Without blanks at the end. */
static void run(const monitor_command *c, void *asked, FILE *out, const char *rest)
{
    char *text = memory_text(rest);
    for (size_t size = strlen(text); size && isspace((unsigned char)text[size - 1]); size--)
        text[size - 1] = 0;
    c->run(asked, out, text);
    free(text);
}

void monitor_choose(const monitor_command *commands, const char *command, void *asked, FILE *out)
{
    if (!strncmp(command, "weft", 4) && (command[4] == ' ' || !command[4]))
        command += 4;
    command += strspn(command, " ");
    for (const monitor_command *c = commands; c->name; c++) {
        size_t size = strlen(c->name);
        if (strncmp(command, c->name, size) || (command[size] && command[size] != ' '))
            continue;
        const char *rest = command + size + strspn(command + size, " ");
        bool wants = c->does && isupper((unsigned char)c->does[size + 1]); /* as in "why PLACE" */
        if (wants && !*rest)
            fprintf(out, "monitor weft %s\n", c->does);
        else
            run(c, asked, out, rest);
        return;
    }
    help(commands, out);
}
