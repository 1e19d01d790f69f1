/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/monitor_choose.h"

#include <string.h>

static void help(const monitor_command *commands, FILE *out)
{
    for (const monitor_command *c = commands; c->name; c++)
        if (c->does)
            fprintf(out, "monitor weft %s\n", c->does);
    fputs("PLACE: an object, OBJECT+N, table[2].member, an address, a register, FILE:LINE, a function\n", out);
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
        c->run(asked, out, command + size + strspn(command + size, " "));
        return;
    }
    help(commands, out);
}
